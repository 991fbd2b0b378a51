package create

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/suites/matchers"
)

// cause is what explains wrong values of a field where it explains each of them, as it shows in other rules, too.
func cause(wrong []answered, path string) (cause string) {
	for i, a := range wrong {
		one := a.mistaken(path)
		if one == "" || i > 0 && one != cause {
			return ""
		}
		cause = one
	}
	return cause
}

// mistaken says what became of the value that was sent as a field: that of another field stands in its place, and the
// other way round, or it is in another unit.
func (a answered) mistaken(path string) string {
	value, given := a.record.Get(path)
	if !given {
		return ""
	}
	const percentage = "participation_percentage"
	if path == percentage {
		got, ok := a.record.Number(path)
		sent, known := representative.ExactNumber(fmt.Sprint(a.gave(path)))
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
		sent := a.gave(from)
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

// gave is the value that was sent as the field of a path.
func (a answered) gave(path string) any {
	if sent := a.sent.Get(logical(path)); sent != nil {
		return sent
	}
	return a.ordinary.Get(logical(path))
}

// rightEitherWay reports whether a right answer would be the same with what some wrong ones show: all of those have its
// value, whatever was sent, or that of another field, and its own two are the same.
func (a answered) rightEitherWay(wrong []answered, sent []string) bool {
	for _, path := range sent {
		value, _ := a.record.Get(path)
		constant := len(wrong) > 0
		for _, b := range wrong {
			got, _ := b.record.Get(path)
			constant = constant && reflect.DeepEqual(got, value)
		}
		if constant {
			return true
		}
		for _, f := range RecordFields() {
			cameFrom := func(b answered) bool {
				got, given := b.record.Get(path)
				from := b.gave(f.Path)
				return given && from != nil && echoOf(path, from, got).Likeness() == Alike
			}
			isElse := func(b answered) bool { return !cameFrom(b) }
			if f.Path != path && f.Kind == Kind(path) && cameFrom(a) && !slices.ContainsFunc(wrong, isElse) {
				return true
			}
		}
	}
	return false
}
