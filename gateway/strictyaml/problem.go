package strictyaml

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
)

// Problem is one thing that is wrong. Line and Column count from 1, in characters; both are 0 where the problem is with
// the file as a whole or with a flag. No field ever holds a secret.
type Problem struct {
	File       string // as the caller named it, or a flag such as --rate
	Line       int
	Column     int
	Key        string // dotted, such as limits.in_flight; empty for the file as a whole
	Message    string // such as "expected true or false, found 3"
	Hint       string // what to do next; may be empty
	SourceLine string // the line as it may be shown, see Cut; empty: none is shown
	Caret      int    // offset of the column in SourceLine, in characters
}

// String prints the problem in one to four lines, without a line end.
func (p Problem) String() string {
	text := p.Message
	if p.Key != "" {
		text = p.Key + ": " + text
	}
	at := " "
	if p.Line > 0 {
		at = fmt.Sprintf("%d:%d: ", p.Line, p.Column)
	}
	text = p.File + ":" + at + text
	if p.SourceLine != "" {
		text += fmt.Sprintf("\n%6d | %s\n       | %s^", p.Line, p.SourceLine, strings.Repeat(" ", p.Caret))
	}
	if p.Hint != "" {
		text += "\n       hint: " + p.Hint
	}
	return text
}

// Problems is the error of a file: everything that is wrong with it.
type Problems struct {
	All []Problem

	Cause error // what the operating system said, where the file could not be read
}

// printed bounds how many problems Error spells out; All holds every one.
const printed = 50

// Error prints every problem, the first 50 of a hopeless file.
func (p *Problems) Error() string {
	var lines []string
	for _, problem := range p.All[:min(len(p.All), printed)] {
		lines = append(lines, problem.String())
	}
	if more := len(p.All) - printed; more > 0 {
		lines = append(lines, "and "+printable.Quantity(more, "more problem"))
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the cause of an unreadable file, so that errors.Is(err, fs.ErrNotExist) works.
func (p *Problems) Unwrap() error { return p.Cause }

// Widest is how many characters of a line a problem shows.
const Widest = 160

// breaks are the line ends that YAML counts, which are more than newlines.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// Lines splits a text where YAML counts lines.
func Lines(text string) []string { return strings.Split(breaks.Replace(text), "\n") }

// Cut returns what is shown of a line around a column, printable, and the offset of the column in it.
func Cut(line string, column int) (text string, caret int) {
	all := []rune(line)
	from := max(0, min(column-1-Widest/2, len(all)-Widest))
	return strings.Map(shown, string(all[from:min(from+Widest, len(all))])), max(0, column-1-from)
}

// shown keeps control characters of a file away from the terminal, and columns where they are.
func shown(c rune) rune {
	switch {
	case c == '\t':
		return ' '
	case c < ' ' || c >= 0x7f && c < 0xa0 || c == 0x2028 || c == 0x2029:
		return '\uFFFD'
	}
	return c
}

// Quote returns a text in quotes, without control characters and cut where it is long.
func Quote(text string) string { return `"` + clean(text) + `"` }

func clean(text string) string { return printable.Clean(printable.Fit(text, 100)) }

// List joins names as a sentence does: "a, b and c".
func List(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
