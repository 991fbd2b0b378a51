package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/terminal"
)

// minProseWidth is the minimum width of a column of sentences. Longer words are broken.
const minProseWidth = 28

// writeTable writes columns. Cells wrap between words on a narrow terminal. If there is too little
// room, each row becomes a paragraph.
func (p printer) writeTable(t Table) {
	rows := t.Rows[:min(len(t.Rows), p.rows)]
	widths, fit := p.columnWidths(t.Columns, rows)
	head := Row{}
	for _, c := range t.Columns {
		head.Cells = append(head.Cells, Cell{Text: c.Name})
	}
	if named := func(c Column) bool { return c.Name != "" }; fit &&
		slices.ContainsFunc(t.Columns, named) {
		p.writeRow(t.Columns, widths, head)
	}
	for _, r := range rows {
		switch {
		case r.Group:
			c := r.Cells[0]
			p.WriteWrapped("  "+p.Paint(terminal.ColourBold, p.clip(c.Text))+"  ", terminal.ColourNone,
				p.clip(c.Quiet))
		case fit:
			p.writeRow(t.Columns, widths, r)
		default:
			p.writeStacked(t.Columns, r)
		}
	}
	if more := len(t.Rows) - len(rows) + t.More; more > 0 {
		p.WriteLine(fmt.Sprintf("  and %d more", more))
	}
}

// columnWidths fits the columns to the terminal by narrowing the widest; false: they do not fit.
func (p printer) columnWidths(columns []Column, rows []Row) (widths []int, fit bool) {
	least, room := make([]int, len(columns)), p.Columns-2*len(columns)
	widths = make([]int, len(columns))
	for i, c := range columns {
		texts := []string{c.Name}
		for _, r := range rows {
			if i < len(r.Cells) && !r.Group {
				texts = append(texts, p.cellText(r.Cells[i]))
			}
		}
		for _, text := range texts {
			widths[i] = max(widths[i], printable.Width(text))
			for word := range strings.FieldsSeq(text) {
				least[i] = max(least[i], printable.Width(word))
			}
		}
		if c.Prose {
			least[i] = min(widths[i], minProseWidth)
		}
		room -= widths[i]
	}
	for ; p.Columns > 0 && room < 0; room++ {
		widest := -1
		for i, w := range widths {
			if w > least[i] && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return nil, false
		}
		widths[widest]--
	}
	return widths, true
}

func (p printer) writeRow(columns []Column, widths []int, r Row) {
	var cells [][]string
	height := 0
	for i, c := range r.Cells[:min(len(r.Cells), len(columns))] {
		lines := []string{p.cellText(c)}
		if p.Columns > 0 {
			lines = printable.Wrap(lines[0], max(1, widths[i]))
		}
		cells, height = append(cells, lines), max(height, len(lines))
	}
	for n := range height {
		line := "  "
		for i, lines := range cells {
			text := ""
			if n < len(lines) {
				text = lines[n]
			}
			pad := strings.Repeat(" ", max(0, widths[i]-printable.Width(text)))
			text = p.Paint(toneColours[cmp.Or(r.Cells[i].Tone, r.Tone)], terminal.EscapeCICommands(text))
			if columns[i].Number {
				text = pad + text
			} else if i < len(cells)-1 {
				text += pad
			}
			line += text + "  "
		}
		p.WriteLine(line)
	}
}

// writeStacked writes a row as a paragraph: its short cells in one line, each sentence below.
func (p printer) writeStacked(columns []Column, r Row) {
	var short, sentences []string
	prose := len(slices.DeleteFunc(slices.Clone(columns), func(c Column) bool { return !c.Prose }))
	for i, c := range r.Cells[:min(len(r.Cells), len(columns))] {
		text, name := p.cellText(c), printable.Clean(columns[i].Name)
		switch {
		case text == "" || columns[i].Number && text == "0":
		case i > 0 && columns[i].Prose && prose > 1 && name != "":
			sentences = append(sentences, name+": "+text)
		case i > 0 && columns[i].Prose:
			sentences = append(sentences, text)
		case i > 0 && columns[i].Number:
			short = append(short, name+" "+text)
		default:
			short = append(short, text)
		}
	}
	head := strings.Join(short[:min(1, len(short))], "")
	if len(short) > 1 {
		head += ": " + strings.Join(short[1:], ", ")
	}
	p.WriteWrapped("  ", toneColours[r.Tone], head)
	for _, text := range sentences {
		p.WriteWrapped("    ", toneColours[r.Tone], text)
	}
}
