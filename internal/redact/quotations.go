package redact

import "regexp"

var (
	quotedPattern      = regexp.MustCompile(`"((?:[^"\\\n]|\\.)*)"?`)
	headerErrorPattern = regexp.MustCompile(`(malformed MIME header line: )[^\n]*`)
)

// RemoveQuotations leaves out what an error or a log line of net/http quotes of an answer that it
// could not read: a part of anything, in which a part of a value would not be recognised.
func RemoveQuotations(text string) string {
	text = headerErrorPattern.ReplaceAllString(text, "${1}…")
	return quotedPattern.ReplaceAllString(text, `"…"`)
}
