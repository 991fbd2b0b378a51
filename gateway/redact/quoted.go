package redact

import "regexp"

var (
	quotation  = regexp.MustCompile(`"((?:[^"\\\n]|\\.)*)"?`)
	headerLine = regexp.MustCompile(`(malformed MIME header line: )[^\n]*`)
	protocol   = regexp.MustCompile(`^[A-Za-z]{2,8}[-/][0-9.]{1,5}\b`)
)

// Unquoted leaves out what an error or a log line of net/http quotes of an answer that it could not read: a part of
// anything, in which a part of a value would not be recognised. The name of another protocol stays.
func Unquoted(text string) string {
	text = headerLine.ReplaceAllString(text, "${1}…")
	return quotation.ReplaceAllStringFunc(text, func(quoted string) string {
		inner := quotation.FindStringSubmatch(quoted)[1]
		if name := protocol.FindString(inner); name == inner {
			return quoted
		} else if name != "" {
			return `"` + name + `…"`
		}
		return `"…"`
	})
}
