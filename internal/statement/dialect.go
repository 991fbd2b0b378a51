package statement

import (
	"encoding/json"
	"strings"
)

// Dialect is the encoding and syntax of a file.
type Dialect struct {
	Delimiter rune
	BOM       bool
	Encoding  string // utf-8 | windows-1252 | utf-16le | utf-16be
	// outside quotes: LF | CRLF | mixed | none (a single line without an end)
	LineEnd string
	Quoted  bool // at least one field is quoted
}

// knownDelimiters are in order of preference if several fit the header equally well.
var knownDelimiters = [...]rune{',', ';', '\t', '|'}

// sampleSize is the number of rows that detectDelimiter looks at.
const sampleSize = 50

// maskQuoted replaces quoted text with x. A quote that is never closed hides nothing.
func maskQuoted(text string) string {
	parts := strings.Split(text, `"`)
	for i := 1; i < len(parts)-1; i += 2 {
		parts[i] = "x"
	}
	return strings.Join(parts, "")
}

// detectDelimiter returns the delimiter that splits the most rows into as many fields as the
// header. Among several, it prefers more fields. The default is a comma.
func detectDelimiter(masked string) rune {
	var rows []string
	for line := range strings.FieldsFuncSeq(masked,
		func(r rune) bool { return r == '\n' || r == '\r' }) {
		if rows = append(rows, line); len(rows) == sampleSize {
			break
		}
	}
	best, bestAgree, bestFields := ',', 0, 0
	for _, delimiter := range knownDelimiters {
		fields, agree := 0, 0
		for i, row := range rows {
			n := strings.Count(row, string(delimiter))
			if i == 0 {
				fields = n
			}
			if n == fields {
				agree++
			}
		}
		if fields > 0 && (agree > bestAgree || agree == bestAgree && fields > bestFields) {
			best, bestAgree, bestFields = delimiter, agree, fields
		}
	}
	return best
}

// detectLineEnds returns the LineEnd of a text.
func detectLineEnds(masked string) string {
	crlf := strings.Count(masked, "\r\n")
	switch lf := strings.Count(masked, "\n") - crlf; {
	case lf > 0 && crlf > 0:
		return "mixed"
	case crlf > 0:
		return "CRLF"
	case lf > 0:
		return "LF"
	}
	return "none"
}

// headerHasBareCR reports whether CR alone ends the header's line. Such a file would look like
// a header without rows.
func headerHasBareCR(masked string) bool {
	header, _, _ := strings.Cut(strings.TrimLeft(masked, "\r\n"), "\n")
	return strings.Contains(strings.TrimRight(header, "\r"), "\r")
}

// otherFormatError returns an error for text in another format than CSV, or nil.
func otherFormatError(text string) error {
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed[0] == '<':
		kind := "XML"
		head := strings.ToLower(trimmed[:min(len(trimmed), 1024)])
		if strings.Contains(head, "<html") || strings.Contains(head, "<!doctype html") ||
			strings.Contains(head, "<body") {
			kind = "HTML"
		}
		return &ParseError{
			Detail: "expected CSV, got " + kind + "; check the address that it was fetched from",
		}
	case looksLikeJSON(trimmed):
		return &ParseError{
			Detail: "expected CSV, got JSON; if it carries a state or a download address, " +
				"add export.file.state and export.file.url to the deployment file",
		}
	}
	return nil
}

func looksLikeJSON(trimmed string) bool {
	rest := strings.TrimLeft(trimmed[1:], " \t\r\n")
	switch trimmed[0] {
	case '{':
		return rest == "" || rest[0] == '"' || rest[0] == '}'
	case '[':
		return rest == "" || rest[0] == '{' || json.Valid([]byte(trimmed)) // [id],[date] is a header
	}
	return false
}

func notCSVError(detail string) error {
	return &ParseError{Detail: "the file is not CSV: " + detail}
}
