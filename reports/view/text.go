package view

import (
	"fmt"
	"io"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/terminal"
)

// Style says how a report is written for a terminal.
type Style struct {
	Colour  bool
	Columns int    // texts are wrapped at; 0: they are not, as for a file or a pipe
	Folder  string // of the run; its path is the last line; empty: none
	Links   bool   // the terminal opens links
	Exit    *int   // exit code of the command that made the run; nil: not said
}

const (
	textLimit = 600 // characters of one text
	rowLimit  = 60  // rows of a table, and items, on a terminal
	lineLimit = 20  // lines of an item
)

// WriteText writes the report for a terminal, the verdict last.
func WriteText(w io.Writer, r Report, s Style) error {
	p := printer{terminal.NewWriter(w, s.Colour, s.Columns)}
	r = r.in(Text)
	p.Line("")
	for _, text := range r.Rests {
		p.Wrapped("", terminal.Plain, clipped(text))
	}
	if len(r.Rests) > 0 {
		p.Line("")
	}
	for _, part := range r.Parts {
		if part.Title != "" {
			p.Line(p.Paint(terminal.Strong, printable.Clean(part.Title)))
		}
		for _, b := range part.Blocks {
			p.block(b)
		}
		p.Line("")
	}
	why := r.Why
	if s.Exit != nil && len(why) > 0 {
		why = append(why[:len(why)-1:len(why)-1], fmt.Sprintf("%s; exit code %d", why[len(why)-1], *s.Exit))
	}
	head := p.Paint(colours[r.Tone], printable.Clean(r.Headline)) + "  "
	if len(why) > 1 {
		p.Line(head)
		head = "  - "
	}
	for _, text := range why {
		p.Wrapped(head, terminal.Plain, text)
	}
	p.Kept(s.Folder, s.Links)
	return p.Flush()
}

var colours = map[Tone]string{Good: terminal.Good, Bad: terminal.Bad, Unsure: terminal.Unsure}

type printer struct{ *terminal.Writer }

func clipped(s string) string { return printable.Clean(printable.Clip(s, textLimit)) }

func (p printer) block(b Block) {
	if b.Note != "" {
		lead := "  "
		if b.Badge != "" {
			lead += p.Paint(colours[b.Tone], printable.Clean(b.Badge)) + "  "
		}
		p.Wrapped(lead, colours[b.Tone], clipped(b.Note))
	}
	for _, text := range b.List {
		p.Wrapped("  - ", terminal.Plain, clipped(text))
	}
	for _, f := range b.Facts {
		p.Wrapped("  "+printable.Clean(f.Name)+": ", terminal.Plain, clipped(f.Value))
	}
	for i, item := range b.Items {
		if i == rowLimit {
			p.Line(fmt.Sprintf("  and %d more", len(b.Items)-i))
			break
		}
		p.item(item)
	}
	if b.Table != nil {
		p.table(*b.Table)
	}
	if b.Copy != nil {
		p.Wrapped("  "+b.Copy.Label+": ", terminal.Key, clipped(b.Copy.Text))
	}
}

func (p printer) item(item Item) {
	lead := "  "
	if item.Badge != "" {
		lead += p.Paint(colours[item.Tone], printable.Pad(item.Badge, 9)) + "  "
	}
	p.Wrapped(lead, terminal.Plain, clipped(item.Title))
	indent := strings.Repeat(" ", 4)
	for i, line := range item.Lines {
		if i == lineLimit {
			p.Line(fmt.Sprintf("%sand %d more", indent, len(item.Lines)-i))
			break
		}
		var words []string
		for _, c := range line {
			words = append(words, c.plain())
		}
		p.Wrapped(indent, terminal.Plain, strings.Join(words, " "))
	}
}

// plain is a cell on a terminal.
func (c Cell) plain() string {
	text := clipped(c.Text)
	if c.Quiet != "" {
		text = strings.TrimSpace(text + " " + clipped(c.Quiet))
	}
	return text
}

// table aligns columns; what stands in the last is not padded, and wrapped where it is prose.
func (p printer) table(t Table) {
	widths := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		widths[i] = printable.Columns(c.Name)
	}
	rows := t.Rows[:min(len(t.Rows), rowLimit)]
	for _, r := range rows {
		for i, c := range r.Cells {
			if i < len(widths) && !r.Group && !t.Columns[i].Prose {
				widths[i] = max(widths[i], min(printable.Columns(c.plain()), 60))
			}
		}
	}
	line := func(cells []Cell, row Tone, head bool) {
		lead, last := "", len(t.Columns)-1
		for i, c := range cells[:min(len(cells), len(t.Columns))] {
			text := c.plain()
			if i == last && t.Columns[i].Prose && !head {
				p.Wrapped("  "+lead, colours[c.Tone], text)
				return
			}
			pad := strings.Repeat(" ", max(0, widths[i]-printable.Columns(text)))
			tone := c.Tone
			if tone == Plain {
				tone = row
			}
			painted := p.Paint(colours[tone], terminal.Inert(text))
			switch {
			case t.Columns[i].Number:
				lead += pad + painted
			case i == last:
				lead += painted
			default:
				lead += painted + pad
			}
			lead += "  "
		}
		p.Line("  " + lead)
	}
	names := make([]Cell, len(t.Columns))
	for i, c := range t.Columns {
		names[i].Text = c.Name
	}
	line(names, Plain, true)
	for _, r := range rows {
		if r.Group {
			p.Line("  " + p.Paint(terminal.Strong, r.Cells[0].plain()))
			continue
		}
		line(r.Cells, r.Tone, false)
	}
	if more := len(t.Rows) - len(rows) + t.More; more > 0 {
		p.Line(fmt.Sprintf("  and %d more", more))
	}
}
