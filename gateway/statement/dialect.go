package statement

import (
	"encoding/json"
	"strings"
)

// Dialect is how a file spells its table.
type Dialect struct {
	Delimiter rune
	BOM       bool
	Encoding  string // utf-8 | windows-1252 | utf-16le | utf-16be
	LineEnd   string // LF | CRLF | mixed | none, when the file is one line without an end
	Quoted    bool   // at least one field is quoted
}

// delimiters in order of preference where the header fits several equally well.
var delimiters = [...]rune{',', ';', '\t', '|'}

// sampleSize is how many records suffice to recognize the delimiter.
const sampleSize = 50

// guessDelimiter takes the delimiter that splits the header, outside quotes, into as many fields as the rows that
// follow; among several the one with more fields. A header without any is a single column.
func guessDelimiter(text string) rune {
	counts := countDelimiters(text)
	best, bestAgree, bestFields := ',', -1.0, 0
	for i, delimiter := range delimiters {
		fields := counts[0][i]
		if fields == 0 {
			continue
		}
		same := 0
		for _, record := range counts {
			if record[i] == fields {
				same++
			}
		}
		agree := float64(same) / float64(len(counts))
		if agree > bestAgree || agree == bestAgree && fields > bestFields {
			best, bestAgree, bestFields = delimiter, agree, fields
		}
	}
	return best
}

// countDelimiters counts each delimiter outside quotes in the first records; the header's counts come first.
func countDelimiters(text string) [][len(delimiters)]int {
	var records [][len(delimiters)]int
	var now [len(delimiters)]int
	quoted, blank := false, true
	for i := 0; i < len(text) && len(records) < sampleSize; i++ {
		c := text[i]
		switch {
		case c == '"':
			quoted, blank = !quoted, false
		case quoted:
		case c == '\n':
			if !blank {
				records = append(records, now)
			}
			now, blank = [len(delimiters)]int{}, true
		case c == '\r':
		default:
			blank = false
			for d, delimiter := range delimiters {
				if rune(c) == delimiter {
					now[d]++
				}
			}
		}
	}
	if len(records) == 0 && quoted { // a quote that never closes: judge the first line as if it had none
		line, _, _ := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
		return countDelimiters(strings.ReplaceAll(line, `"`, "x"))
	}
	if len(records) == 0 || !blank && !quoted && len(records) < sampleSize {
		records = append(records, now)
	}
	return records
}

// inspect finds the line ends outside quotes and whether any field is quoted.
func inspect(text string, delimiter rune) (lineEnd string, anyQuoted bool) {
	lf, crlf := false, false
	quoted, start := false, true
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"' && (quoted || start):
			quoted, start, anyQuoted = !quoted, false, true
		case c == '"': // directly after a closing quote it is an escaped one
			quoted = i > 0 && text[i-1] == '"'
		case quoted:
		case c == '\n':
			if i > 0 && text[i-1] == '\r' {
				crlf = true
			} else {
				lf = true
			}
			start = true
		default:
			start = rune(c) == delimiter
		}
	}
	switch {
	case lf && crlf:
		return "mixed", anyQuoted
	case crlf:
		return "CRLF", anyQuoted
	case lf:
		return "LF", anyQuoted
	}
	return "none", anyQuoted
}

// bareReturn reports whether the header's line ends with CR alone: such a file would look like a header without rows.
func bareReturn(text string) (line int, found bool) {
	quoted, blank := false, true
	line = 1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted, blank = !quoted, false
		case c == '\n' && !quoted && !blank:
			return 0, false
		case c == '\n':
			line++
		case c == '\r' && !quoted && i+1 < len(text) && text[i+1] != '\n':
			return line, true
		case c != '\r':
			blank = false
		}
	}
	return 0, false
}

// refuseOtherFormats names the format of a file that is not CSV although it is text.
func refuseOtherFormats(text string) error {
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
			cause:  ErrNotCSV,
		}
	case looksLikeJSON(trimmed):
		return &ParseError{Detail: "expected CSV, got JSON; if it carries a state or a download address, " +
			"add export.file.state and export.file.url to the deployment file", cause: ErrNotCSV}
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

func notCSV(detail string) error {
	return &ParseError{Detail: "the file is not CSV: " + detail, cause: ErrNotCSV}
}
