package export

import (
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
)

// What keeps the same rows where no other row is near is told apart by the bounds that confirm a defect.
func TestBoundsThatTellInexactDefectsApart(t *testing.T) {
	const step = time.Microsecond
	at := time.Date(2025, 3, 12, 12, 52, 37, 235_908_000, time.UTC)
	q := statement.Quote{CreatedAt: statement.Moment{Time: at, Zoned: true, Precision: step}}
	units := map[statement.Key]time.Duration{statement.CreatedAt: step}
	byWords := map[string]defect{}
	for _, d := range defects(time.Microsecond) {
		byWords[d.what] = d
	}
	apart := func(one, other defect, start bool) bool {
		for _, bound := range one.bounds(at, step) {
			a := selection{key: statement.CreatedAt, until: bound}
			if start {
				a = selection{key: statement.CreatedAt, from: bound}
			}
			if one.reads(a, units).keeps(&q) != other.reads(a, units).keeps(&q) {
				return true
			}
		}
		return false
	}
	for _, c := range []struct {
		start      bool
		one, other string
	}{
		{true, "cuts bounds to whole milliseconds", "reads bounds a millisecond early"},
		{true, "cuts bounds to whole milliseconds", "cuts bounds to whole seconds"},
		{true, "cuts bounds to whole seconds", "reads bounds a millisecond early"},
		{true, "cuts the start to whole milliseconds", "keeps rows of a millisecond before the start"},
		{true, "compares dates in whole milliseconds", "reads bounds a millisecond early"},
		{false, "keeps rows dated on the end", "keeps rows of a millisecond from the end on"},
		{false, "keeps rows dated on the end", "keeps the rest of the end's second"},
		{false, "keeps the rest of the end's second", "keeps rows of a second from the end on"},
		{false, "cuts the end to whole milliseconds", "cuts the end to whole seconds"},
	} {
		for _, pair := range [][2]string{{c.one, c.other}, {c.other, c.one}} {
			one, known := byWords[pair[0]]
			other, too := byWords[pair[1]]
			switch {
			case !known || !too:
				t.Errorf("no defect %q or %q", pair[0], pair[1])
			case !apart(one, other, c.start):
				t.Errorf("%q is confirmed where %q", pair[0], pair[1])
			}
		}
	}
}
