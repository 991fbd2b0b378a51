// Package markdown writes arbitrary texts literally in the Markdown of GitHub and GitLab: nothing
// in them becomes markup, a link or a table column, or mentions a person or an issue.
package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"

	"github.com/gateassay/gateassay/internal/printable"
)

// Text returns at most limit characters of a text on one line. It is safe in paragraphs, lists,
// headings and table cells: every character that could be syntax becomes a numeric entity, which
// CommonMark never reads as syntax.
func Text(s string, limit int) string { return escapeText(clean(s, limit), true) }

// Code is Text in the fixed-width font, for text to copy.
func Code(s string, limit int) string {
	return "<code>" + escapeText(clean(s, limit), false) + "</code>"
}

// Fence returns a block of code of at most limit characters, to be placed at the start of a line.
// Its fence is longer than any run of backticks inside.
func Fence(language, s string, limit int) string {
	s = strings.TrimRight(printable.CleanLines(printable.Truncate(s, limit)), "\n")
	marks := "```"
	for strings.Contains(s, marks) {
		marks += "`"
	}
	return marks + language + "\n" + s + "\n" + marks + "\n"
}

func clean(s string, limit int) string { return strings.TrimSpace(printable.Clip(s, limit)) }

// issuePattern matches the references to issues that GitHub recognises, such as GH-1.
var issuePattern = regexp.MustCompile(`(?i)\bgh-\d`)

// zeroWidthSpace separates two characters. GitHub looks for mentions and issues in the displayed
// text, after entities are resolved, except in code.
const zeroWidthSpace = "&#8203;"

// escapeText writes entities. In prose it also breaks up mentions and issue references.
func escapeText(s string, prose bool) string {
	split := map[int]bool{} // offsets of the bytes to separate
	if prose {
		for _, at := range issuePattern.FindAllStringIndex(s, -1) {
			split[at[1]-1] = true
		}
	}
	list := len(s) - len(strings.TrimLeft(s, "0123456789")) // "1." and "1)" would start a list
	var b strings.Builder
	for i, r := range s {
		if split[i] {
			b.WriteString(zeroWidthSpace)
		}
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		switch {
		case strings.ContainsRune("\\`*[]<>#|&@~$!{}^\"'", r),
			r == '_' && !isInsideWord(s, i),
			r == ':' && strings.HasPrefix(s[i:], "://"),
			r == '.' && i >= 3 && strings.EqualFold(s[i-3:i], "www"),
			i == 0 && strings.ContainsRune("-+=", r),
			i == list && i > 0 && (r == '.' || r == ')') && !unicode.IsDigit(next):
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
		mention := r == '@' && (unicode.IsLetter(next) || unicode.IsDigit(next))
		if prose && (mention || (r == '#' || r == '!') && unicode.IsDigit(next)) {
			b.WriteString(zeroWidthSpace)
		}
	}
	return b.String()
}

// isInsideWord reports whether the underscore at i is inside a word, where it is not emphasis.
func isInsideWord(s string, i int) bool {
	word := func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
	}
	return i > 0 && i+1 < len(s) && word(s[i-1]) && word(s[i+1])
}

// Row returns a table row of cells in Markdown. It escapes | only.
func Row(cells ...string) string {
	escaped := make([]string, len(cells))
	for i, cell := range cells {
		escaped[i] = strings.ReplaceAll(cell, "|", `\|`)
	}
	return "| " + strings.Join(escaped, " | ") + " |\n"
}

// FillTemplate executes a template with the functions own. Its function written returns the number
// of bytes so far.
func FillTemplate(layout string, own template.FuncMap, data any) []byte {
	var b bytes.Buffer
	t, err := template.New("").Funcs(template.FuncMap{"written": b.Len}).Funcs(own).Parse(layout)
	if err == nil {
		err = t.Execute(&b, data)
	}
	if err != nil { // a defect of the layout: a test finds it
		fmt.Fprintf(&b, "\n%v\n", err)
	}
	return b.Bytes()
}
