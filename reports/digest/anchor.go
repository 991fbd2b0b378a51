package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Anchor is the end of the address of a rule on the page of a run, behind "#rule-": IDs of rules stay readable,
// whatever else is hashed.
func Anchor(id string) string {
	if id != "" && len(id) <= 120 && strings.IndexFunc(id, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' &&
			r <= '9' || r == '.' || r == '_' || r == '-')
	}) < 0 {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "x" + hex.EncodeToString(sum[:8])
}
