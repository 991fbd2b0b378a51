// Package suggest finds the name that a person who mistyped one probably meant.
package suggest

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// maxSuggestions is how many suggestions are useful; maxWordLength is longer than any name.
const (
	maxSuggestions = 3
	maxWordLength  = 80
)

// NearestWords returns up to three candidates similar to word, the most similar first: few
// letters differ, or one contains the other. It ignores case, and treats dashes as underscores.
func NearestWords(word string, candidates []string) []string {
	if word == "" || len(word) > maxWordLength {
		return nil
	}
	type scored struct {
		name string
		cost int
	}
	plain := foldCase(word)
	limit := 1 + len(plain)/4
	var near []scored
	for _, candidate := range candidates {
		other := foldCase(candidate)
		cost := levenshtein.ComputeDistance(plain, other)
		if len(plain) >= 4 && (strings.Contains(other, plain) || strings.HasPrefix(plain, other)) {
			cost = min(cost, limit)
		}
		if len(plain) >= 4 && strings.HasPrefix(other, plain) {
			cost = min(cost, 1)
		}
		if cost <= limit {
			near = append(near, scored{candidate, cost})
		}
	}
	slices.SortStableFunc(near, func(a, b scored) int { return a.cost - b.cost })
	var names []string
	for _, n := range near[:min(maxSuggestions, len(near))] {
		names = append(names, n.name)
	}
	return names
}

// NearestWord returns the most similar candidate, or "".
func NearestWord(word string, candidates []string) string {
	if near := NearestWords(word, candidates); len(near) > 0 {
		return near[0]
	}
	return ""
}

// DidYouMean returns a question that suggests similar candidates, or "".
func DidYouMean(word string, candidates []string) string {
	if near := NearestWords(word, candidates); len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "?"
	}
	return ""
}

func foldCase(s string) string { return strings.ReplaceAll(strings.ToLower(s), "-", "_") }
