package statement

import (
	"fmt"
	"strings"
	"unicode"
)

// Difference gives the quotes of a that b does not hold, in a's order. A quote that a holds more often than b stays
// in the result once for each time too many.
func Difference(a, b []Quote) []Quote {
	for len(a) > 0 && len(b) > 0 && a[0].Identity == b[0].Identity { // mostly they are the same rows in the same order
		a, b = a[1:], b[1:]
	}
	if len(a) == 0 {
		return nil
	}
	left := tally(b)
	var rest []Quote
	for _, q := range a {
		if left[q.Identity] > 0 {
			left[q.Identity]--
			continue
		}
		rest = append(rest, q)
	}
	return rest
}

// Duplicates gives every quote whose identity an earlier row has already.
func Duplicates(quotes []Quote) []Quote {
	rows := make(map[string]int, len(quotes))
	var again []Quote
	for _, q := range quotes {
		if rows[q.Identity]++; rows[q.Identity] > 1 {
			again = append(again, q)
		}
	}
	return again
}

// SameRows reports whether both hold the same quotes equally often, in any order.
func SameRows(a, b []Quote) bool {
	return len(a) == len(b) && len(Difference(a, b)) == 0
}

// Describe names up to most quotes for a message, by identity and both dates, and counts the others. Rows without an
// id are named by their line, so that no other cell ever shows.
func Describe(quotes []Quote, most int) string {
	if len(quotes) == 0 {
		return "no rows"
	}
	most = max(most, 0)
	var parts []string
	for _, q := range quotes[:min(len(quotes), most)] {
		name := fmt.Sprintf("the row on line %d", q.Row.Line)
		if !q.Joined {
			name = shorten(printable(q.Identity), 64)
		}
		parts = append(parts, fmt.Sprintf("%s (created %s, settled %s)", name, dateText(q.CreatedAt),
			dateText(q.SettledDate)))
	}
	more := len(quotes) - len(parts)
	switch {
	case len(parts) == 0:
		return count(more)
	case more > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(parts, ", "), more)
	}
	return strings.Join(parts, ", ")
}

func dateText(m Moment) string {
	switch {
	case m.Misfit:
		return "unreadable"
	case m.Empty:
		return "–"
	}
	return printable(m.Text)
}

func count(n int) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

// printable keeps control characters of a file off the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}

func tally(quotes []Quote) map[string]int {
	n := make(map[string]int, len(quotes))
	for _, q := range quotes {
		n[q.Identity]++
	}
	return n
}
