package matchers

import (
	"reflect"
	"strings"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/spec"
)

// Changed lists the documented fields that the first answer and the repeat both show, with different values. A repeat
// without a record of the same ID changes nothing: that is judged elsewhere.
func (r Repetition) Changed() []string {
	if same, _ := r.Kept(); !same {
		return nil
	}
	first, broken := representative.Parse(r.First.Body)
	second, brokenToo := representative.Parse(r.Again.Body)
	if broken != nil || brokenToo != nil {
		return nil
	}
	var changed []string
	for _, f := range RecordFields() {
		before, _ := first.Get(f.Path)
		after, _ := second.Get(f.Path)
		if before == nil || after == nil || reflect.DeepEqual(before, after) {
			continue
		}
		a, isA := Instant(before)
		b, isB := Instant(after)
		if f.Kind == "datetime" && isA && isB && a.Equal(b) {
			continue // the same moment in another notation
		}
		// 50 and 50.00 are one value, and a value of the wrong type is judged elsewhere.
		if (Echo{Path: f.Path, Kind: f.Kind, Sent: before, Got: after}).Likeness() == Unlike {
			changed = append(changed, f.Path)
		}
	}
	return changed
}

// GiveTheRecordThatExists holds for a Repetition whose second answer, where it shows the first record's ID, shows the
// same record.
func GiveTheRecordThatExists() types.GomegaMatcher {
	return matcher[Repetition]{
		right: func(r Repetition) bool { return len(r.Changed()) == 0 },
		finding: func(r Repetition) (string, string, string) {
			r.decides()
			changed := strings.Join(r.Changed(), ", ")
			return spec.Sentence("Repeating a creation changes "+changed,
					"in the answer, expected the record as it was"),
				"the record that exists, unchanged", "other values of " + changed
		},
	}
}
