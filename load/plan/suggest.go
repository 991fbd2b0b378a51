package plan

import (
	"strconv"
	"strings"
)

// nearest gives the candidate that a person most likely meant, or "" when none is close.
func nearest(word string, candidates []string) string {
	if len(word) > 40 {
		return ""
	}
	word = strings.ReplaceAll(strings.ToLower(word), "-", "_")
	best, limit := "", 1+len(word)/4
	for _, candidate := range candidates {
		if d := distance(word, candidate); d <= limit {
			best, limit = candidate, d-1
		}
	}
	return best
}

// distance counts the insertions, deletions and substitutions that turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0]++
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// quoted shows a text of the plan, cut where it is long.
func quoted(text string) string {
	if r := []rune(text); len(r) > 60 {
		text = string(r[:60]) + "…"
	}
	return strconv.Quote(text)
}
