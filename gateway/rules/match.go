package rules

import "strings"

// MatchesPattern reports whether a pattern covers an ID. In a pattern, * stands for any text:
// create.required.* covers every rule below create.required, and the rule create.required
// itself.
func MatchesPattern(pattern, id string) bool {
	if pattern == id || strings.TrimSuffix(pattern, ".*") == id {
		return true
	}
	if !strings.Contains(pattern, "*") {
		return false
	}
	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(id, parts[0]) {
		return false
	}
	id = id[len(parts[0]):]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(id, part)
		if at < 0 {
			return false
		}
		id = id[at+len(part):]
	}
	return strings.HasSuffix(id, parts[len(parts)-1])
}
