package deployment

import "strings"

// nearest gives the candidate that a person most likely meant, or "" when none is close.
func nearest(word string, candidates []string) string {
	if len(word) > 64 {
		return "" // no key is that long, and the distance would be costly
	}
	word = strings.ReplaceAll(strings.ToLower(word), "-", "_")
	best, limit := "", 1+len(word)/4
	for _, candidate := range candidates {
		if d := distance(word, candidate); d <= limit {
			best, limit = candidate, d-1
		}
	}
	if best == "" && len(word) >= 4 {
		for _, candidate := range candidates { // expired for expired_token
			if strings.HasPrefix(candidate, word) || strings.HasPrefix(word, candidate) {
				return candidate
			}
		}
	}
	return best
}

// distance counts the insertions, deletions, substitutions and swaps of neighbours that turn a into b.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
