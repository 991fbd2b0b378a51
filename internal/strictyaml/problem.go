package strictyaml

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
)

// Problem is one thing that is wrong. Line and Column count from 1, in characters; both are 0 where
// the problem is with the file as a whole or with a flag. No field ever holds a secret.
type Problem struct {
	File       string // as the caller named it, or a flag such as --rate
	Line       int
	Column     int
	Key        string // dotted, such as limits.in_flight; empty for the file as a whole
	Message    string // such as "expected true or false, found 3"
	Hint       string // what to do next; may be empty
	SourceLine string // empty: it is not to be shown
}

const maxSourceColumns = 160 // bytes of the longest line that is shown

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
	line := strings.ReplaceAll(p.SourceLine, "\t", " ")
	if line != "" && printable.Clean(line) == line && len(line) <= maxSourceColumns {
		text += fmt.Sprintf("\n%6d | %s\n       | %*s", p.Line, line, p.Column, "^")
	}
	if p.Hint != "" {
		text += "\n       hint: " + p.Hint
	}
	return text
}

// Problems is the error of a file: everything that is wrong with it, the first 50 of a hopeless
// one.
type Problems struct{ All []Problem }

func (p *Problems) Error() string {
	var lines []string
	for _, problem := range p.All {
		lines = append(lines, problem.String())
	}
	return strings.Join(lines, "\n")
}
