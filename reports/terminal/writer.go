package terminal

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
)

// Writer writes lines; what it wrote is complete after Flush, which also returns the first error.
type Writer struct {
	Colour  bool
	Columns int // lines are wrapped at; 0: they are not, as for a file or a pipe
	*bufio.Writer
	blank bool // the last line was empty
}

// NewWriter writes to w.
func NewWriter(w io.Writer, colour bool, columns int) *Writer {
	return &Writer{Colour: colour, Columns: columns, Writer: bufio.NewWriter(w)}
}

// Paint wraps a text in a colour, where there are colours.
func (w *Writer) Paint(colour, s string) string { return applyColour(w.Colour, colour, s) }

// WriteLine writes one line as it is. Of several empty lines the first is written.
func (w *Writer) WriteLine(s string) {
	s = strings.TrimRight(s, " ")
	if s != "" || !w.blank {
		fmt.Fprintln(w.Writer, s)
	}
	w.blank = s == ""
}

var colourEscapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// WriteWrapped writes a text behind a lead; following lines are indented below the text. A lead
// that leaves too little room stands on its own line.
func (w *Writer) WriteWrapped(lead, colour, text string) {
	text = printable.Clean(text)
	plain := colourEscapes.ReplaceAllString(lead, "")
	margin, lines := printable.Width(plain), []string{text}
	if w.Columns > 0 {
		if w.Columns-margin < min(30, w.Columns/2) && margin+printable.Width(text) > w.Columns &&
			strings.TrimSpace(plain) != "" {
			w.WriteLine(
				EscapeCICommands(printable.TruncateToWidth(strings.TrimRight(plain, " "), w.Columns)))
			margin = len(plain) - len(strings.TrimLeft(plain, " ")) + 2
			lead = strings.Repeat(" ", margin)
		}
		lines = printable.Wrap(text, w.Columns-margin)
	}
	for _, line := range lines {
		w.WriteLine(EscapeCICommands(lead) + w.Paint(colour, EscapeCICommands(line)))
		lead = strings.Repeat(" ", margin)
	}
}

// WritePagePath names the report.html of a run, where it is there; "" is no folder.
func (w *Writer) WritePagePath(folder string) {
	path := filepath.Join(folder, "report.html")
	if _, err := os.Stat(path); err == nil && folder != "" {
		w.WriteLine("Report: " + w.Paint(ColourKey, printable.Clean(path)))
	}
}
