// Package view is what a report says before it is written: a verdict, tables, charts, findings and
// exchanges. One renderer each makes of it text for a terminal, Markdown for a pull request and a
// page that needs nothing else, so that a report is put together once.
package view

import (
	"cmp"
	"html/template"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/reports/plot"
)

// Tone is how something is shown: as good, as bad, or as neither.
type Tone string

// The tones.
const (
	TonePlain  Tone = ""
	ToneGood   Tone = "ok"
	ToneBad    Tone = "bad"
	ToneUnsure Tone = "unsure"
	ToneCalm   Tone = "calm"
	ToneOpen   Tone = "open" // unsure, as nobody looked
	ToneFaint  Tone = "faint"
)

// Report is a whole report. Its texts may hold anything: renderers escape and shorten them.
type Report struct {
	Kind     string // what it is about: "Load on"
	About    string // the name of that
	Address  string
	Headline string
	Tone     Tone
	Why      []string // one sentence, or several that stand on their own
	Bar      []Slice
	Tiles    []Tile
	Rests    []string // what the verdict rests on
	Below    []string // the verdict, on a terminal
	Parts    []Part
	Folds    bool // a page can fold its parts
	Own      PageExtras
}

// PageExtras is what only one kind of page has.
type PageExtras struct {
	Styles, Script string
	Data           []byte           // JSON that the script reads
	Asks           bool             // the script asks the server of the page for more
	Keys           []Fact           // what keys of the keyboard do, by their names with spaces between
	Layout         string           // its templates
	Functions      template.FuncMap // that they use
}

// CustomBlock is a place that a template of the page's own fills with data.
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
	Filter      string // what the script of the page is to show when the tile is clicked
}

// Forms tells the forms of a report apart.
type Forms int

// The forms. Zero is all of them.
const (
	FormText Forms = 1 << iota
	FormMarkdown
	FormPage
)

func (w Forms) include(form Forms) bool { return w == 0 || w&form != 0 }

// Part is a section, with what it holds in order. A form leaves out parts that are empty in it.
type Part struct {
	ID     string // of its anchor; empty: made from the title
	Title  string // empty: it has no heading, and the page's bar of parts does not name it
	Count  string // of what it holds, behind the title
	Mark   string // what the bar of parts says behind the title
	Tone   Tone   // of the title on a terminal
	Blocks []Block
	In     Forms
}

// Block is a piece of a part: what is set of it.
type Block struct {
	Note      string // a sentence
	Tone      Tone   // of the note
	Badge     string // in front of the note
	List      []string
	Lines     [][]Cell
	Table     *Table
	Items     []Item
	Facts     []Fact
	Exchanges []Exchange
	Charts    []plot.Figure
	Wide      bool         // the charts take the whole width
	Own       *CustomBlock // what only one kind of page has
	Fold      string       // folded on a page, under this title
	Unfolded  bool         // but open at first
	Copy      Command      // without a text: none
	In        Forms
}

// Table has a row for each thing of a kind.
type Table struct {
	Label   string // what it shows, for those who do not see it
	Columns []Column
	Rows    []Row
	More    int // rows that are left out: run.json has them
}

// Column of a table.
type Column struct {
	Name   string
	Number bool // to the right
	Prose  bool // takes what room there is
}

// Row of a table.
type Row struct {
	Cells []Cell
	Tone  Tone
	Group bool // a heading over those that follow
}

// Cell is a text with how it is shown.
type Cell struct {
	ID    string // of the anchor of the line that it begins
	Text  string
	Quiet string // behind it
	Tone  Tone
	Badge bool
	Code  bool
	Link  string
	Refs  []Ref // behind all of it
	Gauge *Gauge
}

// Ref is a name that leads somewhere.
type Ref struct{ Text, Link string }

// Gauge shows a value and its limit, both as shares of its width in percent.
type Gauge struct {
	Bar, Tick float64
	Tone      Tone
}

// Item is one finding, with lines below its title and what shows it.
type Item struct {
	ID        string // of its anchor
	Badge     string
	Tone      Tone
	Title     string
	Unprinted bool // paper leaves it out: another finding names it
	Lines     [][]Cell
	Sub       string // heads what follows
	Facts     []Fact
	Table     *Table
	Exchanges []Exchange
	Notes     []string // small, below it
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
	Role   string // what it is to the finding that it stands with
	Status string
	Tone   Tone // of the status
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
	Marked bool // it is what the finding is about
}

// Command can be copied.
type Command struct{ Label, Text string }

// Columns makes columns of names; "#name" is to the right, "*name" takes what room there is.
func Columns(names ...string) []Column {
	columns := make([]Column, len(names))
	for i, n := range names {
		name, number := strings.CutPrefix(n, "#")
		name, prose := strings.CutPrefix(name, "*")
		columns[i] = Column{name, number, prose}
	}
	return columns
}

// hasContentIn reports whether anything of a block is in a form.
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

// only is the report as one form holds it.
func (r Report) only(form Forms) Report {
	var parts []Part
	for _, p := range r.Parts {
		if !p.In.include(form) {
			continue
		}
		var blocks []Block
		for _, b := range p.Blocks {
			if b.hasContentIn(form) {
				blocks = append(blocks, b)
			}
		}
		if p.Blocks = blocks; len(blocks) > 0 {
			p.ID = cmp.Or(p.ID, strings.ToLower(strings.ReplaceAll(p.Title, " ", "-")))
			parts = append(parts, p)
		}
	}
	r.Parts = parts
	r.Why = slices.DeleteFunc(slices.Clone(r.Why), func(text string) bool { return text == "" })
	return r
}
