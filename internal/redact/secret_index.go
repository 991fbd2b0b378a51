package redact

import (
	"cmp"
	"slices"
	"strings"
)

// secretIndex replaces many registered spellings in one pass over a text. Unlike a
// strings.Replacer it can grow: a run registers the values of the people it makes up as it goes.
type secretIndex struct {
	replacement map[string]string
	byHead      map[string][]string // first headLength bytes -> spellings, longest first
	longest     int
}

// headLength is the length of the prefixes that spellings are looked up by, and their minimum
// length.
const headLength = 3

func newSecretIndex() secretIndex {
	return secretIndex{replacement: map[string]string{}, byHead: map[string][]string{}}
}

// add registers a spelling. Placeholder takes precedence over pseudonyms.
func (n *secretIndex) add(spelling, replacement string) {
	if len(spelling) < headLength {
		return
	}
	old, known := n.replacement[spelling]
	if known && (old == Placeholder || replacement != Placeholder) {
		return
	}
	n.replacement[spelling] = replacement
	n.longest = max(n.longest, len(spelling))
	if known {
		return
	}
	head := spelling[:headLength]
	at, _ := slices.BinarySearchFunc(n.byHead[head], spelling, func(a, b string) int {
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
	n.byHead[head] = slices.Insert(n.byHead[head], at, spelling)
}

// find visits every spelling in a text with its replacement. Of several at one place it picks
// the longest.
func (n *secretIndex) find(s string, visit func(from, to int, with string)) {
	for i := 0; i+headLength <= len(s); {
		found, replacement := 0, ""
		for _, spelling := range n.byHead[s[i:i+headLength]] {
			if strings.HasPrefix(s[i:], spelling) {
				found, replacement = len(spelling), n.replacement[spelling]
				break
			}
			cut := strings.Index(s[i:], "…") // a text that was cut to be shown
			if cut >= minCutPrefix && n.replacement[spelling] == Placeholder &&
				strings.HasPrefix(spelling, s[i:i+cut]) {
				found, replacement = cut, Placeholder
			}
		}
		if found > 0 {
			visit(i, i+found, replacement)
		}
		i += max(found, 1)
	}
}

// minCutPrefix is the minimum length of a secret's beginning that counts as the secret if the
// rest was cut off.
const minCutPrefix = 8
