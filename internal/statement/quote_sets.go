package statement

import (
	"maps"
	"slices"
)

// Difference returns the quotes of a that are not in b, in a's order. A quote that occurs more
// often in a than in b is returned once for each extra occurrence.
func Difference(a, b []Quote) []Quote {
	// fast path: usually both have the same rows in the same order
	for len(a) > 0 && len(b) > 0 && a[0].Identity == b[0].Identity {
		a, b = a[1:], b[1:]
	}
	if len(a) == 0 {
		return nil
	}
	left := make(map[string]int, len(b))
	for _, q := range b {
		left[q.Identity]++
	}
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

// RepeatedIDs counts the distinct IDs of quotes, returns those that occur in several rows, and
// counts those whose rows differ.
func RepeatedIDs(quotes []Quote) (ids int, repeated []string, differing int) {
	first, again, unlike := map[string]uint64{}, map[string]bool{}, map[string]bool{}
	for _, q := range quotes {
		cells, known := first[q.Identity]
		switch {
		case q.IdentityIsJoined: // different quotes may have the same text
		case !known:
			first[q.Identity] = q.Cells
		default:
			again[q.Identity] = true
			if cells != q.Cells {
				unlike[q.Identity] = true
			}
		}
	}
	return len(first), slices.Sorted(maps.Keys(again)), len(unlike)
}

// SameQuotes reports whether a and b hold the same quotes equally often, in any order.
func SameQuotes(a, b []Quote) bool {
	return len(a) == len(b) && len(Difference(a, b)) == 0
}
