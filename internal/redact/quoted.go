package redact

import "regexp"

var (
	quotation  = regexp.MustCompile(`"((?:[^"\\\n]|\\.)*)"?`)
	headerLine = regexp.MustCompile(`(malformed MIME header line: )[^\n]*`)
)

// Unquoted leaves out what an error or a log line of net/http quotes of an answer that it could not read: a part of
// anything, in which a part of a value would not be recognised.
func Unquoted(text string) string {
	return quotation.ReplaceAllString(headerLine.ReplaceAllString(text, "${1}…"), `"…"`)
}
