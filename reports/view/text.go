package view

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/terminal"
)

// Style says how a report is written for a terminal.
type Style struct {
	Colour  bool
	Columns int    // texts are wrapped at; 0: they are not, as for a file or a pipe
	Folder  string // of the run; its path is the last line; empty: none
	Whole   bool   // nothing is shortened
	Exit    string // what the exit code of the command means, behind why; empty: not said
	Brief   bool   // the verdict alone, and the folder
}

const (
	textLimit    = 600  // characters of one text
	rowLimit     = 60   // rows of a table, and items, on a terminal
	lineLimit    = 20   // lines of an item
	refLimit     = 12   // names of a list
	commandLimit = 4000 // characters; a longer command is of no use on a screen

	headlineLimit = 24 // columns; the reason of a longer headline begins on the next line
)

// WriteText writes the report for a terminal: the verdict, and what to do next, last, before the
// folder.
func WriteText(w io.Writer, r Report, s Style) error {
	p := newPrinter(w, s.Colour, s.Columns)
	if s.Whole {
		p.limit, p.refs, p.rows = math.MaxInt, math.MaxInt, math.MaxInt
	}
	if r = r.in(FormText); !s.Brief {
		p.body(r)
		p.Page(s.Folder)
	}
	p.verdict(r, s)
	if s.Folder != "" {
		p.Line(printable.Clean(s.Folder))
	}
	return p.Flush()
}

// body is what stands above the verdict.
func (p printer) body(r Report) {
	p.Line("")
	for _, text := range r.Rests {
		p.Wrapped("", terminal.ColourNone, p.clipped(text))
	}
	if len(r.Rests) > 0 {
		p.Line("")
	}
	for _, part := range r.Parts {
		if part.Title != "" {
			if part.Count != "" {
				part.Title += ": " + part.Count
			}
			p.Line(p.Paint(cmp.Or(colours[part.Tone], terminal.ColourBold), printable.Clean(part.Title)))
		}
		for _, b := range part.Blocks {
			p.block(b)
		}
		p.Line("")
	}
}

func (p printer) verdict(r Report, s Style) {
	why := r.Why
	if s.Exit != "" && len(why) > 0 {
		why = append(why[:len(why)-1:len(why)-1], why[len(why)-1]+"; "+s.Exit)
	}
	lead := p.Paint(colours[r.Tone], printable.Clean(r.Headline)) + "  "
	switch {
	case len(why) != 1:
		p.Line(lead)
		lead = "  - "
	case p.Columns > 0 && !s.Brief && printable.Width(r.Headline) > headlineLimit &&
		printable.Width(r.Headline+"  "+why[0]) > p.Columns:
		p.Line(lead)
		lead = "  "
	}
	for _, text := range why {
		p.Wrapped(lead, terminal.ColourNone, text)
	}
	if s.Brief {
		return
	}
	for _, text := range r.Below {
		p.Wrapped("", terminal.ColourNone, p.clipped(text))
	}
}

// ItemText is one finding as a terminal shows it, not wrapped.
func ItemText(item Item) string {
	return plain(Block{Items: []Item{item}})
}

// plain is a block without colours, not wrapped.
func plain(b Block) string {
	var text strings.Builder
	p := newPrinter(&text, false, 0)
	p.block(b)
	_ = p.Flush() // a Builder takes everything
	return text.String()
}

var colours = map[Tone]string{
	ToneGood: terminal.ColourGood, ToneBad: terminal.ColourBad, ToneUnsure: terminal.ColourUnsure, ToneOpen: terminal.ColourUnsure,
	ToneFaint: terminal.ColourFaint,
}

type printer struct {
	*terminal.Writer
	limit int // characters of one text
	refs  int // names of a list
	rows  int // of a table, and items
}

func newPrinter(w io.Writer, colour bool, columns int) printer {
	return printer{terminal.NewWriter(w, colour, columns), textLimit, refLimit, rowLimit}
}

func (p printer) clipped(s string) string { return printable.Clean(printable.Truncate(s, p.limit)) }

func (p printer) block(b Block) {
	if b.Note != "" {
		lead := "  "
		if b.Badge != "" {
			lead += p.Paint(colours[b.Tone], printable.Clean(b.Badge)) + "  "
		}
		p.Wrapped(lead, colours[b.Tone], p.clipped(b.Note))
	}
	for _, text := range b.List {
		p.Wrapped("  - ", terminal.ColourNone, p.clipped(text))
	}
	for _, line := range b.Lines {
		p.Wrapped("  ", terminal.ColourNone, p.words(line))
	}
	for _, f := range b.Facts {
		p.Wrapped("  "+printable.Clean(f.Name)+": ", terminal.ColourNone, p.clipped(f.Value))
	}
	for i, item := range b.Items {
		if i == p.rows {
			p.Line(fmt.Sprintf("  and %d more", len(b.Items)-i))
			break
		}
		p.item(item)
	}
	if b.Table != nil {
		p.table(*b.Table)
	}
	if b.Copy != nil {
		p.copy("  ", *b.Copy)
	}
}

func (p printer) item(item Item) {
	lead, tone := "  ", colours[item.Tone]
	if item.Badge != "" {
		lead, tone = lead+p.Paint(tone, printable.Pad(item.Badge, 9))+"  ", terminal.ColourNone
	}
	p.Wrapped(lead, tone, p.clipped(item.Title))
	for i, line := range item.Lines {
		if i == lineLimit {
			p.Line(fmt.Sprintf("    and %d more", len(item.Lines)-i))
			break
		}
		p.Wrapped("    ", terminal.ColourNone, p.words(line))
	}
	p.check("    ", item)
	for _, k := range item.Further {
		p.Wrapped("    - ", terminal.ColourNone, p.clipped(k.Title))
		p.check("      ", k)
	}
	for _, c := range item.Copy {
		if p.fits(c) {
			p.copy("    ", c)
		}
	}
	if item.whole() {
		p.Line("")
	}
}

// check writes what shows an item.
func (p printer) check(indent string, item Item) {
	for _, f := range item.Facts {
		label := printable.Pad(printable.Clean(f.Name), 9) + " "
		for line := range strings.SplitSeq(f.Value, "\n") {
			p.Wrapped(indent+label, colours[f.Tone], p.clipped(line))
			label = strings.Repeat(" ", printable.Width(label))
		}
	}
	for _, note := range item.Notes {
		p.Wrapped(indent, terminal.ColourFaint, p.clipped(note))
	}
}

// copy writes a command as it is, not wrapped, so that it can be copied.
func (p printer) copy(indent string, c Command) {
	label := indent + printable.Clean(c.Label) + ":"
	lines := strings.Split(printable.CleanLines(printable.Truncate(c.Text, commandLimit)), "\n")
	if len(lines) == 1 {
		indent = label + " "
	} else {
		p.Line(label)
	}
	for _, line := range lines {
		p.Line(indent + p.Paint(terminal.ColourKey, terminal.EscapeCICommands(line)))
	}
}

// fits reports whether no line of a command is wider than the terminal: a broken one is hard to
// read, and the page has it.
func (p printer) fits(c Command) bool {
	lines := strings.Split(c.Text, "\n")
	return len(lines) == 1 || p.Columns == 0 || p.rows > rowLimit ||
		!slices.ContainsFunc(lines, func(line string) bool { return printable.Width(line) > p.Columns-4 })
}

// words are cells in a line.
func (p printer) words(line []Cell) string {
	var words []string
	for _, c := range line {
		words = append(words, p.plain(c))
	}
	return strings.Join(words, " ")
}

// plain is a cell on a terminal.
func (p printer) plain(c Cell) string {
	var names []string
	for _, r := range c.Refs {
		names = append(names, printable.Clean(r.Text))
	}
	words := []string{p.clipped(c.Text), p.clipped(c.Quiet), printable.JoinFirst(names, p.refs, ", ")}
	return strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), " ")
}
