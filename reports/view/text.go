package view

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/terminal"
)

// Style configures a report on a terminal.
type Style struct {
	Colour  bool
	Columns int    // width for wrapping; 0: no wrapping, as for a file or a pipe
	Folder  string // folder of the run; its path is the last line; empty: none
	Whole   bool   // shortens nothing
	Exit    string // meaning of the exit code, shown after the reason; empty: not shown
	Brief   bool   // shows the verdict and the folder only
}

const (
	maxTextChars    = 600  // characters of one text
	maxTextRows     = 60   // rows of a table, and items, on a terminal
	maxTextLines    = 20   // lines of an item
	maxTextRefs     = 12   // names of a list
	maxCommandChars = 4000 // characters; longer commands are useless on a screen

	maxHeadlineColumns = 24 // columns; after a longer headline the reason starts on the next line
)

// WriteText writes the report for a terminal. It ends with the verdict, the next step and the
// folder.
func WriteText(w io.Writer, r Report, s Style) error {
	p := newPrinter(w, s.Colour, s.Columns)
	if s.Whole {
		p.limit, p.refs, p.rows = math.MaxInt, math.MaxInt, math.MaxInt
	}
	if r = r.only(FormText); !s.Brief {
		p.writeBody(r)
		path := filepath.Join(s.Folder, "report.html")
		if _, err := os.Stat(path); err == nil && s.Folder != "" {
			p.WriteLine("Report: " + p.Paint(terminal.ColourKey, printable.Clean(path)))
		}
	}
	p.writeVerdict(r, s)
	if s.Folder != "" {
		p.WriteLine(printable.Clean(s.Folder))
	}
	return p.Flush()
}

func (p printer) writeBody(r Report) {
	p.WriteLine("")
	for _, text := range r.Rests {
		p.WriteWrapped("", terminal.ColourNone, p.clip(text))
	}
	if len(r.Rests) > 0 {
		p.WriteLine("")
	}
	for _, part := range r.Parts {
		if part.Title != "" {
			if part.Count != "" {
				part.Title += ": " + part.Count
			}
			p.WriteLine(
				p.Paint(cmp.Or(toneColours[part.Tone], terminal.ColourBold), printable.Clean(part.Title)))
		}
		for _, b := range part.Blocks {
			p.writeBlock(b)
		}
		p.WriteLine("")
	}
}

func (p printer) writeVerdict(r Report, s Style) {
	why := r.Why
	if s.Exit != "" && len(why) == 1 {
		why = []string{why[0] + "; " + s.Exit}
	}
	lead := p.Paint(toneColours[r.Tone], printable.Clean(r.Headline)) + "  "
	switch {
	case len(why) > 1:
		p.WriteLine(lead + s.Exit)
		lead = "  - "
	case len(why) == 0:
		p.WriteLine(lead)
	case p.Columns > 0 && !s.Brief && printable.Width(r.Headline) > maxHeadlineColumns &&
		printable.Width(r.Headline+"  "+why[0]) > p.Columns:
		p.WriteLine(lead)
		lead = "  "
	}
	for _, text := range why {
		p.WriteWrapped(lead, terminal.ColourNone, text)
	}
	if s.Brief {
		return
	}
	for _, text := range r.Below {
		p.WriteWrapped("", terminal.ColourNone, p.clip(text))
	}
}

// BlockText returns a block as a terminal shows it, without colours and wrapping.
func BlockText(b Block) string {
	var text strings.Builder
	p := newPrinter(&text, false, 0)
	p.writeBlock(b)
	_ = p.Flush() // writing to a Builder never fails
	return text.String()
}

var toneColours = map[Tone]string{
	ToneGood: terminal.ColourGood, ToneBad: terminal.ColourBad, ToneUnsure: terminal.ColourUnsure,
	ToneOpen: terminal.ColourUnsure, ToneFaint: terminal.ColourFaint,
}

type printer struct {
	*terminal.Writer
	limit int // characters of one text
	refs  int // names of a list
	rows  int // rows of a table, and items
}

func newPrinter(w io.Writer, colour bool, columns int) printer {
	return printer{terminal.NewWriter(w, colour, columns), maxTextChars, maxTextRefs, maxTextRows}
}

func (p printer) clip(s string) string { return printable.Clip(s, p.limit) }

func (p printer) writeBlock(b Block) {
	if b.Note != "" {
		lead := "  "
		if b.Badge != "" {
			lead += p.Paint(toneColours[b.Tone], printable.Clean(b.Badge)) + "  "
		}
		p.WriteWrapped(lead, toneColours[b.Tone], p.clip(b.Note))
	}
	for _, text := range b.List {
		p.WriteWrapped("  - ", terminal.ColourNone, p.clip(text))
	}
	for _, line := range b.Lines {
		p.WriteWrapped("  ", terminal.ColourNone, p.joinCells(line))
	}
	for _, f := range b.Facts {
		p.WriteWrapped("  "+printable.Clean(f.Name)+": ", terminal.ColourNone, p.clip(f.Value))
	}
	for i, item := range b.Items {
		if i == p.rows {
			p.WriteLine(fmt.Sprintf("  and %d more", len(b.Items)-i))
			break
		}
		p.writeItem(item)
	}
	if b.Table != nil {
		p.writeTable(*b.Table)
	}
	if b.Copy.Text != "" {
		p.writeCommand("  ", b.Copy)
	}
}

func (p printer) writeItem(item Item) {
	p.WriteWrapped("  ", toneColours[item.Tone], p.clip(item.Title))
	for i, line := range item.Lines {
		if i == maxTextLines {
			p.WriteLine(fmt.Sprintf("    and %d more", len(item.Lines)-i))
			break
		}
		p.WriteWrapped("    ", terminal.ColourNone, p.joinCells(line))
	}
	p.writeEvidence("    ", item)
	for _, k := range item.Further {
		p.WriteWrapped("    - ", terminal.ColourNone, p.clip(k.Title))
		p.writeEvidence("      ", k)
	}
	for _, c := range item.Copy {
		if p.fits(c) {
			p.writeCommand("    ", c)
		}
	}
	if item.hasDetails() {
		p.WriteLine("")
	}
}

// writeEvidence writes the evidence of an item.
func (p printer) writeEvidence(indent string, item Item) {
	for _, f := range item.Facts {
		label := printable.Pad(printable.Clean(f.Name), 9) + " "
		for line := range strings.SplitSeq(f.Value, "\n") {
			p.WriteWrapped(indent+label, toneColours[f.Tone], p.clip(line))
			label = strings.Repeat(" ", printable.Width(label))
		}
	}
	for _, note := range item.Notes {
		p.WriteWrapped(indent, terminal.ColourFaint, p.clip(note))
	}
}

// writeCommand writes a command without wrapping, so that it can be copied.
func (p printer) writeCommand(indent string, c Command) {
	label := indent + printable.Clean(c.Label) + ":"
	lines := strings.Split(printable.CleanLines(printable.Truncate(c.Text, maxCommandChars)), "\n")
	if len(lines) == 1 {
		indent = label + " "
	} else {
		p.WriteLine(label)
	}
	for _, line := range lines {
		p.WriteLine(indent + p.Paint(terminal.ColourKey, terminal.EscapeCICommands(line)))
	}
}

// fits reports whether all lines of a command fit the terminal. The page has it anyway.
func (p printer) fits(c Command) bool {
	lines := strings.Split(c.Text, "\n")
	return len(lines) == 1 || p.Columns == 0 || p.rows > maxTextRows ||
		!slices.ContainsFunc(lines, func(line string) bool { return printable.Width(line) > p.Columns-4 })
}

func (p printer) joinCells(line []Cell) string {
	var words []string
	for _, c := range line {
		words = append(words, p.cellText(c))
	}
	return strings.Join(words, " ")
}

func (p printer) cellText(c Cell) string {
	var names []string
	for _, r := range c.Refs {
		names = append(names, printable.Clean(r.Text))
	}
	words := []string{p.clip(c.Text), p.clip(c.Quiet), printable.JoinFirst(names, p.refs, ", ")}
	return strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), " ")
}
