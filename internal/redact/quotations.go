package redact

import "regexp"

var (
	quotedPattern      = regexp.MustCompile(`"((?:[^"\\\n]|\\.)*)"?`)
	headerErrorPattern = regexp.MustCompile(`(malformed MIME header line: )[^\n]*`)
)

// RemoveQuotations removes what errors and log lines of net/http quote from an unreadable
// answer. A secret that is cut off in it would not be recognised.
func RemoveQuotations(text string) string {
	text = headerErrorPattern.ReplaceAllString(text, "${1}…")
	return quotedPattern.ReplaceAllString(text, `"…"`)
}
