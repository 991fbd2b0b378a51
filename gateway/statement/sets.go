package statement

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

func tally(quotes []Quote) map[string]int {
	n := make(map[string]int, len(quotes))
	for _, q := range quotes {
		n[q.Identity]++
	}
	return n
}
