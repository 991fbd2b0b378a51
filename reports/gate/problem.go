package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with a policy. Line and Column count from 1, in characters; both are 0 where the
// problem is with the file as a whole.
type Problem struct {
	File       string // as the caller named it
	Line       int
	Column     int
	Key        string // dotted, such as conformance.verified[0]; empty for the policy as a whole
	Expected   string
	Found      string
	Hint       string // what to do next; may be empty
	SourceLine string // the line it is on
}

// widest is how many characters of a line a problem shows.
const widest = 160

// String prints the problem like a compiler does: the place, what was expected and found, the line and a caret.
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
	fmt.Fprintf(&b, "expected %s, found %s", p.Expected, p.Found)
	if p.Line > 0 && p.SourceLine != "" {
		b.WriteString(p.pointed())
	}
	if p.Hint != "" {
		b.WriteString("\n       hint: " + p.Hint)
	}
	return b.String()
}

// pointed is the line with a caret below the column, cut around it where the line is very long.
func (p Problem) pointed() string {
	line, lead, from := []rune(p.SourceLine), "", 0
	if len(line) > widest {
		from = max(0, min(p.Column-1-widest/2, len(line)-widest))
		line = line[from : from+widest]
		if from > 0 {
			lead = "…"
		}
	}
	pad := []rune(strings.Repeat(" ", len([]rune(lead))))
	for i := range max(0, p.Column-1-from) {
		if i < len(line) && line[i] == '\t' { // kept, so that both lines align whatever a tab's width
			pad = append(pad, '\t')
		} else {
			pad = append(pad, ' ')
		}
	}
	gutter := fmt.Sprintf("%6d | ", p.Line)
	return fmt.Sprintf("\n%s%s%s\n%s| %s^", gutter, lead, printable(string(line)), strings.Repeat(" ", len(gutter)-2), string(pad))
}

// printable keeps control characters of a file away from the terminal.
func printable(text string) string {
	return strings.Map(func(c rune) rune {
		if c != '\t' && (c < ' ' || c >= 0x7f && c < 0xa0 || c == 0x2028 || c == 0x2029) {
			return '\uFFFD'
		}
		return c
	}, text)
}

// Problems is the error of Open and Parse: everything that is wrong with a policy, in the order of the file.
type Problems struct {
	All []Problem

	cause error // what the operating system said, where the file could not be read
}

// printed bounds how many problems Error spells out; All holds every one.
const printed = 50

// Error prints every problem, the first 50 of a hopeless file.
func (p *Problems) Error() string {
	var b strings.Builder
	for i, problem := range p.All {
		if i == printed {
			fmt.Fprintf(&b, "\nand %d more problems", len(p.All)-printed)
			break
		}
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(problem.String())
	}
	return b.String()
}

// Unwrap gives the cause of an unreadable file, so that errors.Is(err, fs.ErrNotExist) works.
func (p *Problems) Unwrap() error { return p.cause }

func (p *Problems) sort() {
	slices.SortStableFunc(p.All, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
