package matchers

import (
	"fmt"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
)

// Disorder names the first row that breaks the rising, or else falling, order of the date that key names; empty when
// none does. Rows that share a date may stand in any order, and rows without a usable date count nowhere; a day among
// times is none, because it may stand for any of its times. Rows that are in the other order from end to end are called
// reversed, and rows that are in order by the other date are said to be.
func Disorder(quotes []statement.Quote, key statement.Key, rising bool) string {
	line, how := disorder(quotes, key, rising)
	if line == 0 {
		return ""
	}
	if other, _ := disorder(quotes, key, !rising); other == 0 && dates(quotes, key) > 2 {
		return "reversed throughout, " + how
	}
	if by, sorted := byOther(quotes, key); sorted {
		return fmt.Sprintf("sorted by %s, %s", by, how)
	}
	return how
}

// byOther is the date that is not the key, and whether rows go by it, whichever way.
func byOther(quotes []statement.Quote, key statement.Key) (other statement.Key, sorted bool) {
	const enough = 4 // dates that are in order by chance more rarely than files are
	if other = statement.CreatedAt; key == statement.CreatedAt {
		other = statement.SettledDate
	}
	rises, _ := disorder(quotes, other, true)
	falls, _ := disorder(quotes, other, false)
	return other, dates(quotes, other) >= enough && (rises == 0 || falls == 0)
}

// dates counts the different dates of rows.
func dates(quotes []statement.Quote, key statement.Key) int {
	known := map[time.Time]bool{}
	for _, q := range quotes {
		if m := q.Moment(key); m.Usable() {
			known[m.Time.UTC()] = true
		}
	}
	return len(known)
}

// disorder is the line of the first row that breaks the order, and what stands there; 0 where none does.
func disorder(quotes []statement.Quote, key statement.Key, rising bool) (line int, how string) {
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
				return q.Row.Line, fmt.Sprintf("%s after %s on line %d", m.Text, last.Moment(key).Text, q.Row.Line)
			}
		}
		last = &quotes[i]
	}
	return 0, ""
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
