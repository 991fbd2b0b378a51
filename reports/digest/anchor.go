package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
)

var readable = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,120}$`)

// Anchor is the end of the address of a rule on the page of a run, behind "#rule-": IDs of rules stay readable,
// whatever else is hashed.
func Anchor(id string) string {
	if readable.MatchString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "x" + hex.EncodeToString(sum[:8])
}
