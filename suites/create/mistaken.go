package create

import (
	"fmt"
	"math/big"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// because notes what explains wrong values of a field where it explains each of them, as it shows in other rules, too.
func because(wrong []answered, path string) {
	cause := ""
	for i, a := range wrong {
		one := a.mistaken(path)
		if one == "" || i > 0 && one != cause {
			return
		}
		cause = one
	}
	spec.Because(cause)
}

// mistaken says what became of the value that was sent as a field: that of another field stands in its place, and the
// other way round, or it is in another unit.
func (a answered) mistaken(path string) string {
	value, given := a.record.Get(path)
	if !given {
		return ""
	}
	sentAs := func(path string) any {
		if sent := a.sent.Get(logical(path)); sent != nil {
			return sent
		}
		return a.ordinary.Get(logical(path))
	}
	const percentage = "participation_percentage"
	if path == percentage {
		got, ok := a.record.Number(path)
		sent, known := representative.ExactNumber(fmt.Sprint(sentAs(path)))
		if !ok || !known || sent.Sign() == 0 {
			return ""
		}
		ratio := new(big.Rat).Quo(got, sent)
		if times, _ := ratio.Float64(); times > 99.9 && times < 100.1 { // 0.29 times 100 may be 28.999999999999996
			return "gives " + percentage + " in hundredths"
		}
		return ""
	}
	came := func(from string, got any) bool {
		sent := sentAs(from)
		return sent != nil && got != nil && Echo{Path: from, Kind: Kind(from), Sent: sent, Got: got}.Likeness() == Alike
	}
	before := true
	for _, f := range RecordFields() {
		other, _ := a.record.Get(f.Path)
		switch {
		case f.Path == path:
			before = false
		case f.Kind != Kind(path) || f.Kind == "boolean" || !came(f.Path, value) || !came(path, other):
		case before:
			return "swaps " + f.Path + " and " + path
		default:
			return "swaps " + path + " and " + f.Path
		}
	}
	return ""
}
