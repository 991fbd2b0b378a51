package redact

import (
	"cmp"
	"slices"
	"strings"
)

// secretIndex replaces many registered spellings in one pass over a text. Unlike a strings.Replacer
// it grows without being built anew: a run registers the values of every person that it makes up
// while it records what it sees.
type secretIndex struct {
	replacement map[string]string
	byHead      map[string][]string // first headLength bytes -> spellings, longest first
	longest     int
}

// headLength is what spellings are looked up by; none is shorter.
const headLength = 3

func newSecretIndex() secretIndex {
	return secretIndex{replacement: map[string]string{}, byHead: map[string][]string{}}
}

// add registers a spelling. What must vanish altogether is never softened to a pseudonym.
func (n *secretIndex) add(needle, replacement string) {
	if len(needle) < headLength {
		return
	}
	old, known := n.replacement[needle]
	if known && (old == Placeholder || replacement != Placeholder) {
		return
	}
	n.replacement[needle] = replacement
	n.longest = max(n.longest, len(needle))
	if known {
		return
	}
	head := needle[:headLength]
	at, _ := slices.BinarySearchFunc(n.byHead[head], needle, func(a, b string) int {
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
	n.byHead[head] = slices.Insert(n.byHead[head], at, needle)
}

// find visits every spelling in a text with its replacement, the longest where several begin at one
// place.
func (n *secretIndex) find(s string, visit func(from, to int, with string)) {
	for i := 0; i+headLength <= len(s); {
		found, replacement := 0, ""
		for _, needle := range n.byHead[s[i:i+headLength]] {
			if strings.HasPrefix(s[i:], needle) {
				found, replacement = len(needle), n.replacement[needle]
				break
			}
			cut := strings.Index(s[i:], "…") // to be shown
			if cut >= minCutPrefix && n.replacement[needle] == Placeholder &&
				strings.HasPrefix(needle, s[i:i+cut]) {
				found, replacement = cut, Placeholder
			}
		}
		if found > 0 {
			visit(i, i+found, replacement)
		}
		i += max(found, 1)
	}
}

// minCutPrefix is how much of the beginning of a secret is at least taken for one where the rest
// was cut off.
const minCutPrefix = 8
