package matchers

import (
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/gateway/statement"
)

// Disorder names the first row that breaks the rising, or else falling, order of the date that key names; empty when
// none does. Rows that share a date may stand in any order, and rows without a usable date count nowhere; a day among
// times is none, because it may stand for any of its times.
func Disorder(quotes []statement.Quote, key statement.Key, rising bool) string {
	times := slices.ContainsFunc(quotes, func(q statement.Quote) bool {
		m := q.Moment(key)
		return m.Usable() && m.Precision < statement.Day
	})
	var last *statement.Quote
	for i, q := range quotes {
		m := q.Moment(key)
		if !m.Usable() || times && m.Precision == statement.Day {
			continue
		}
		if last != nil {
			step := m.Time.Compare(last.Moment(key).Time)
			if rising && step < 0 || !rising && step > 0 {
				return fmt.Sprintf("on line %d, %s comes after %s", q.Row.Line,
					statement.Describe(quotes[i:i+1], 1), statement.Describe([]statement.Quote{*last}, 1))
			}
		}
		last = &quotes[i]
	}
	return ""
}

// SameSequence reports whether two files have the same dates in the same order, so that only rows that share a date may
// have changed places.
func SameSequence(a, b []statement.Quote, key statement.Key) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Identity == b[i].Identity {
			continue
		}
		m, n := a[i].Moment(key), b[i].Moment(key)
		if m.Usable() != n.Usable() || m.Usable() && !m.Time.Equal(n.Time) {
			return false
		}
	}
	return true
}
