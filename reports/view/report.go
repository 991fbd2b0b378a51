// Package view holds the contents of a report: a verdict, tables, charts, findings and exchanges.
// Renderers turn it into text for a terminal, Markdown for a pull request, and a self-contained
// page.
package view

import (
	"cmp"
	"html/template"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/reports/plot"
)

// Tone is the judgement that a style expresses: good, bad or neither.
type Tone string

// The tones.
const (
	TonePlain  Tone = ""
	ToneGood   Tone = "ok"
	ToneBad    Tone = "bad"
	ToneUnsure Tone = "unsure"
	ToneCalm   Tone = "calm"
	ToneOpen   Tone = "open" // unsure, because it was not tested
	ToneFaint  Tone = "faint"
)

// Report is a whole report. Its texts may contain anything: renderers escape and shorten them.
type Report struct {
	Kind     string // kind of the subject: "Load on"
	About    string // name of the subject
	Address  string
	Headline string
	Tone     Tone
	Why      []string // one sentence, or several independent ones
	Bar      []Slice
	Tiles    []Tile
	Rests    []string // basis of the verdict
	Below    []string // shown below the verdict on a terminal
	Parts    []Part
	Folds    bool // a page can fold its parts
	Own      PageExtras
}

// PageExtras are parts that only one kind of page has.
type PageExtras struct {
	Styles, Script string
	Data           []byte           // JSON that the script reads
	Asks           bool             // the script requests more from the server of the page
	Keys           []Fact           // actions by keys, whose names are separated by spaces
	Layout         string           // templates of the page
	Functions      template.FuncMap // functions of these templates
}

// CustomBlock is a block that a template of the page fills with data.
type CustomBlock struct {
	Template string
	Data     any
}

// Slice is a stretch of the bar below the headline, in thousandths.
type Slice struct {
	Tone Tone
	X, W float64
}

// Tile is a figure at the top of a page.
type Tile struct {
	Value, Text string
	Tone        Tone
	Link        string
	Filter      string // filter that the page's script applies when the tile is clicked
}

// Forms is a set of forms of a report.
type Forms int

// The forms. The zero Forms means all of them.
const (
	FormText Forms = 1 << iota
	FormMarkdown
	FormPage
)

func (w Forms) include(form Forms) bool { return w == 0 || w&form != 0 }

// Part is a section with blocks in order. A form omits parts that are empty in it.
type Part struct {
	ID     string // anchor; empty: made from the title
	Title  string // empty: no heading, and no entry in the page's bar of parts
	Count  string // number of its entries, after the title
	Mark   string // text after the title in the bar of parts
	Tone   Tone   // of the title on a terminal
	Blocks []Block
	In     Forms
}

// Block is a piece of a part. Only its set fields are shown.
type Block struct {
	Note      string // a sentence
	Tone      Tone   // of the note
	Badge     string // before the note
	List      []string
	Lines     [][]Cell
	Table     *Table
	Items     []Item
	Facts     []Fact
	Exchanges []Exchange
	Charts    []plot.Figure
	Wide      bool         // the charts take the full width
	Own       *CustomBlock // content that only one kind of page has
	Fold      string       // title under which a page folds the block
	Unfolded  bool         // initially open
	Copy      Command      // without text: none
	In        Forms
}

// Table is a table with a row for each thing of a kind.
type Table struct {
	Label   string // description for screen readers
	Columns []Column
	Rows    []Row
	More    int // number of omitted rows, which run.json has
}

// Column is a column of a table.
type Column struct {
	Name   string
	Number bool // right-aligned
	Prose  bool // takes the remaining width
}

// Row is a row of a table.
type Row struct {
	Cells []Cell
	Tone  Tone
	Group bool // a heading above the following rows
}

// Cell is a text with its style.
type Cell struct {
	ID    string // anchor of the line that starts with the cell
	Text  string
	Quiet string // dimmed text after Text
	Tone  Tone
	Badge bool
	Code  bool
	Link  string
	Refs  []Ref // links after the text
	Gauge *Gauge
}

// Ref is a name with a link.
type Ref struct{ Text, Link string }

// Gauge shows a value and its limit, both as shares of its width in percent.
type Gauge struct {
	Bar, Tick float64
	Tone      Tone
}

// Item is one finding with lines below its title and evidence.
type Item struct {
	ID        string // anchor
	Tone      Tone
	Title     string
	Unprinted bool // omitted on paper: another finding names it
	Lines     [][]Cell
	Sub       string // heading of the following fields
	Facts     []Fact
	Table     *Table
	Exchanges []Exchange
	Notes     []string // small text below
	Further   []Item   // folded on a page
	Copy      []Command
}

// hasDetails reports whether an item is more than a few lines.
func (i Item) hasDetails() bool { return len(i.Facts)+len(i.Copy) > 0 }

// Fact is a name with a value of one line or several.
type Fact struct {
	Name, Value string
	Tone        Tone
}

// Exchange is a request with its answer.
type Exchange struct {
	Role   string // its role in the finding
	Status string
	Class  string // style of the status
	Name   string
	Title  string
	Line   string // method and path
	Open   bool
	Sides  []Side // the request and the answer
}

// Side is a request or an answer: its first line, its head and its body.
type Side struct {
	Name, Line string
	Head       []Fact
	Body       []Piece
}

// Piece is a stretch of a body.
type Piece struct {
	Text   string
	Marked bool // the finding is about it
}

// Command is a command to copy.
type Command struct{ Label, Text string }

// Columns returns columns with these names. "#name" is right-aligned, "*name" takes the remaining
// width.
func Columns(names ...string) []Column {
	columns := make([]Column, len(names))
	for i, n := range names {
		name, number := strings.CutPrefix(n, "#")
		name, prose := strings.CutPrefix(name, "*")
		columns[i] = Column{name, number, prose}
	}
	return columns
}

// hasContentIn reports whether a form shows anything of the block.
func (b Block) hasContentIn(form Forms) bool {
	if onPage := len(b.Charts)+len(b.Exchanges) > 0 || b.Own != nil; !b.In.include(form) ||
		onPage && form != FormPage {
		return false
	}
	return b.Note != "" ||
		len(b.List)+len(b.Lines)+len(b.Items)+len(b.Facts)+len(b.Charts)+len(b.Exchanges) > 0 ||
		b.Own != nil ||
		b.Table != nil && len(b.Table.Rows) > 0 ||
		b.Copy.Text != ""
}

// only returns the report reduced to one form.
func (r Report) only(form Forms) Report {
	var parts []Part
	for _, p := range r.Parts {
		if !p.In.include(form) {
			continue
		}
		p.Blocks = slices.DeleteFunc(slices.Clone(p.Blocks),
			func(b Block) bool { return !b.hasContentIn(form) })
		if len(p.Blocks) > 0 {
			p.ID = cmp.Or(p.ID, strings.ToLower(strings.ReplaceAll(p.Title, " ", "-")))
			parts = append(parts, p)
		}
	}
	r.Parts = parts
	r.Why = slices.DeleteFunc(slices.Clone(r.Why), func(text string) bool { return text == "" })
	return r
}
