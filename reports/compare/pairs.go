package compare

import (
	"regexp"
	"slices"
	"strings"
)

// pair finds for each piece of text that is gone the one that took its place.
func pair(a, b []fragment) (found []Part) {
	gone, fresh := without(a, b), without(b, a)
	yes := func(fits bool) int {
		if fits {
			return 1
		}
		return 0
	}
	for _, by := range []struct {
		fit  func(x, y fragment) int // 0: they do not belong together
		part func(x, y fragment) Part
	}{
		{ // What stands under another label, such as a defect that gets another status,
			func(x, y fragment) int {
				return yes(x.text == y.text && x.label != "" && y.label != "" && !status.MatchString(x.text))
			},
			func(x, y fragment) Part { return Part{x.text, x.label, y.label} },
		},
		{ // what starts with the same words under the same label,
			func(x, y fragment) int { return yes(x.label == y.label) * len(prefix(x.text, y.text)) },
			func(x, y fragment) Part {
				words := prefix(x.text, y.text)
				return Part{
					join(x.label, strings.TrimSpace(words)), value(x.text[len(words):]), value(y.text[len(words):]),
				}
			},
		},
		{ // one status for another,
			func(x, y fragment) int {
				return yes(x.label == y.label && status.MatchString(x.text) && status.MatchString(y.text))
			},
			func(x, y fragment) Part {
				if x.label == "" || countOf(a, x.label) > 1 || countOf(b, x.label) > 1 {
					return Part{join(x.label, "status"), x.text, y.text}
				}
				return Part{x.label, x.text, y.text}
			},
		},
		{ // and the only ones left under their label.
			func(x, y fragment) int {
				return yes(x.label == y.label && countOf(gone, x.label) == 1 && countOf(fresh, x.label) == 1)
			},
			func(x, y fragment) Part { return Part{x.label, x.text, y.text} },
		},
	} {
		var parts []Part
		gone, fresh, parts = match(gone, fresh, by.fit, by.part)
		found = append(found, parts...)
	}
	for _, f := range gone {
		found = append(found, Part{What: f.label, Before: f.text})
	}
	for _, f := range fresh {
		found = append(found, Part{What: f.label, After: f.text})
	}
	return found
}

// countOf counts the pieces under a label.
func countOf(list []fragment, label string) (n int) {
	for _, f := range list {
		if f.label == label {
			n++
		}
	}
	return n
}

// status is an HTTP status, alone or with what it says.
var status = regexp.MustCompile(`^[1-5]\d\d\b`)

// value takes the brackets off a remainder such as (409).
func value(s string) string {
	if s = strings.TrimSpace(s); strings.HasPrefix(s, "(") && strings.IndexByte(s, ')') == len(s)-1 {
		return s[1 : len(s)-1]
	}
	return s
}

func join(label, words string) string {
	if label == "" || words == "" {
		return label + words
	}
	return label + ", " + words
}

// without are the pieces of a list that another lacks, each as often as it is there more often.
func without(list, other []fragment) []fragment {
	left := map[fragment]int{}
	for _, f := range other {
		left[fragment{lasting(f.label), lasting(f.text)}]++
	}
	var found []fragment
	for _, f := range list {
		key := fragment{lasting(f.label), lasting(f.text)}
		if left[key]--; left[key] < 0 {
			found = append(found, f)
		}
	}
	return found
}

// mostPairs bounds the work on texts of many pieces.
const mostPairs = 100

// match takes pairs out of two lists, for each piece the best of the other list.
func match(a, b []fragment, fit func(x, y fragment) int, part func(x, y fragment) Part) (restA, restB []fragment,
	found []Part,
) {
	if len(a) > mostPairs || len(b) > mostPairs {
		return a, b, nil
	}
	restB = slices.Clone(b)
	for _, x := range a {
		best, where := 0, -1
		for i, y := range restB {
			if n := fit(x, y); n > best {
				best, where = n, i
			}
		}
		if where < 0 {
			restA = append(restA, x)
			continue
		}
		found = append(found, part(x, restB[where]))
		restB = slices.Delete(restB, where, where+1)
	}
	return restA, restB, found
}

// linking words end no description of a part: they belong to its value.
var linking = map[string]bool{
	"is": true, "it": true, "by": true, "with": true,
	"a": true, "the": true, "and": true, "no": true, "for": true,
}

// prefix is what two texts share in whole words at their start, up to the value that differs. It is empty where what
// they share describes nothing.
func prefix(x, y string) string {
	a, b := strings.Fields(x), strings.Fields(y)
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	n = min(n, len(a)-1, len(b)-1)
	single := len(a) == n+1 && len(b) == n+1 // such as accepted with 200
	for n > 0 && linking[a[n-1]] && (!single || n == 1) {
		n--
	}
	if n <= 0 {
		return ""
	}
	at := 0
	for _, word := range a[:n] {
		at += strings.Index(x[at:], word) + len(word)
	}
	if at > len(y) || x[:at] != y[:at] {
		return ""
	}
	return x[:at]
}
