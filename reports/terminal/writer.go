// Package terminal writes to terminals and logs: colours, wrapped lines, redrawn displays.
package terminal

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
)

// Writer writes lines. Flush writes buffered text and returns the first error.
type Writer struct {
	Colour  bool
	Columns int // width for wrapping; 0: no wrapping, as for a file or a pipe
	*bufio.Writer
	blank bool // the last line was empty
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer, colour bool, columns int) *Writer {
	return &Writer{Colour: colour, Columns: columns, Writer: bufio.NewWriter(w)}
}

// Paint adds a colour to a text if colours are on.
func (w *Writer) Paint(colour, s string) string { return applyColour(w.Colour, colour, s) }

// WriteLine writes a line unchanged. It writes only the first of several empty lines.
func (w *Writer) WriteLine(s string) {
	s = strings.TrimRight(s, " ")
	if s != "" || !w.blank {
		fmt.Fprintln(w.Writer, s)
	}
	w.blank = s == ""
}

var colourEscapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// WriteWrapped writes a text after a lead and indents the following lines to the start of the
// text. A lead that leaves too little room gets its own line.
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

// UseColour reports whether to write colours: never with NO_COLOR, always with CLICOLOR_FORCE, not
// on a dumb terminal, otherwise on a terminal.
func UseColour(isTerminal bool) bool {
	switch force := os.Getenv("CLICOLOR_FORCE"); {
	case os.Getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return IsInteractive(isTerminal)
}

// IsInteractive reports whether lines can be redrawn: on a terminal that is not dumb.
func IsInteractive(isTerminal bool) bool {
	return isTerminal && os.Getenv("TERM") != "dumb"
}

// Colours by what they mean.
const (
	ColourNone   = ""
	ColourBold   = "1"
	ColourFaint  = "2"
	ColourBad    = "1;31"
	ColourUnsure = "33"
	ColourGood   = "32"
	ColourKey    = "36"
)

// applyColour colours a text without control characters, see printable.Clean.
func applyColour(on bool, colour, s string) string {
	if !on || colour == ColourNone || strings.TrimSpace(s) == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

// EscapeCICommands prevents a CI system from reading commands in arbitrary log text: it replaces
// the marks of commands by similar characters of the same width.
func EscapeCICommands(line string) string {
	if strings.HasPrefix(strings.TrimSpace(line), "::") {
		line = strings.Replace(line, "::", "∷", 1)
	}
	return strings.ReplaceAll(line, "##[", "##⁅")
}

// FormatDuration formats an elapsed or remaining time: 1:05, 2:00:07.
func FormatDuration(d time.Duration) string {
	s := int(max(0, d).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
