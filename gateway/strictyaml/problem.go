package strictyaml

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	b.WriteString(": ")
	if p.Key != "" {
		b.WriteString(p.Key + ": ")
	}
	b.WriteString(p.Message)
	if p.Line > 0 && p.SourceLine != "" {
		gutter := fmt.Sprintf("%6d | ", p.Line)
		fmt.Fprintf(&b, "\n%s%s\n%s| %s^", gutter, p.SourceLine, strings.Repeat(" ", len(gutter)-2), p.padding())
	}
	if p.Hint != "" {
		b.WriteString("\n       hint: " + p.Hint)
	}
	return b.String()
}

// padding is what precedes the caret; tabs are kept so that both lines align whatever a tab's width.
func (p Problem) padding() string {
	pad := []rune(strings.Repeat(" ", p.Caret))
	for i, c := range []rune(p.SourceLine)[:min(p.Caret, utf8.RuneCountInString(p.SourceLine))] {
		if c == '\t' {
			pad[i] = c
		}
	}
	return string(pad)
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
	var b strings.Builder
	for i, problem := range p.All {
		if i == printed {
			fmt.Fprintf(&b, "\nand %s", printable.Quantity(len(p.All)-printed, "more problem"))
			break
		}
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(problem.String())
	}
	return b.String()
}

// Unwrap returns the cause of an unreadable file, so that errors.Is(err, fs.ErrNotExist) works.
func (p *Problems) Unwrap() error { return p.Cause }

// Sort puts the problems in the order of the file.
func (p *Problems) Sort() {
	slices.SortStableFunc(p.All, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
