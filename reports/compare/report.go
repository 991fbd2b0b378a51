package compare

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
)

// HTML is the result as one page that needs nothing else.
func HTML(r Result) ([]byte, error) { return view.WritePage(Report(r)) }

// Markdown is the result as a comment for a pull request.
func Markdown(r Result) string { return string(view.WriteMarkdown(Report(r))) }

// Print writes the result for a terminal, the verdict last. Texts are wrapped at so many columns; 0: they are not, as
// for a file or a pipe.
func Print(w io.Writer, r Result, colour bool, columns int) error {
	return view.WriteText(w, Report(r), view.Style{Colour: colour, Columns: columns})
}

// looks are how verdicts are shown.
var looks = map[Verdict]struct {
	label, headline, title string
	tone                   view.Tone
}{
	Regression:   {"worse", "Regression", "Worse", view.Bad},
	Inconclusive: {"inconclusive", "No verdict", "Inconclusive", view.Unsure},
	Changed:      {"changed", "Changed, nothing worse", "Changed, neither better nor worse", view.Unsure},
	Improvement:  {"better", "Better", "Better", view.Good},
	Same:         {"same", "No difference", "The same", view.Good},
}

// names are what the two runs are called in tables and charts.
var names = [2]string{"before", "after"}

// Report is what the result says.
func Report(r Result) view.Report {
	v := view.Report{
		Kind: map[recorded.Kind]string{
			recorded.OfConformance: "Two conformance runs of", recorded.OfLoad: "Two load runs of",
			recorded.OfCapacity: "Two searches for the capacity of",
		}[r.Kind],
		About: r.After.Deployment, Headline: looks[r.Verdict].headline, Tone: looks[r.Verdict].tone,
		Why: []string{r.Reason}, Rests: r.Notes, Parts: []view.Part{sides(r)},
	}
	if r.Verdict == Inconclusive && len(r.Why) > 0 {
		v.Why = r.Why
	}
	switch {
	case r.Conformance != nil:
		v.Tiles = r.Conformance.tiles()
		v.Parts = append(v.Parts, r.Conformance.parts(r)...)
	case r.Load != nil:
		v.Tiles = r.Load.tiles()
		v.Parts = append(append(v.Parts, r.Load.parts()...), plans(r.Load.Plan))
	case r.Capacity != nil:
		v.Tiles = r.Capacity.tiles()
		v.Parts = append(append(v.Parts, r.Capacity.parts()...), plans(r.Capacity.Plan))
	}
	return v
}

func sides(r Result) view.Part {
	t := view.Table{Label: "The two runs", Columns: view.Columns("", "*Run", "*Deployment", "*Started", "*Verdict of its own")}
	for i, s := range []Side{r.Before, r.After} {
		verdict := view.Cell{Text: s.Verdict, Quiet: s.Reason}
		if s.Partial {
			verdict.Text += ", interrupted"
		}
		t.Rows = append(t.Rows, view.Row{Cells: []view.Cell{
			{Text: names[i]},
			{Text: s.Path, Code: true, Link: s.Report},
			{Text: s.Deployment, Quiet: s.BaseURL},
			{Text: s.StartedAt.UTC().Format("2006-01-02 15:04:05 UTC")},
			verdict,
		}})
	}
	return view.Part{Title: "The two runs", Blocks: []view.Block{{Table: &t}}}
}

// plans are the keys by which two plans differ.
func plans(list []Difference) view.Part {
	t := view.Table{Label: "Where the plans differ", Columns: view.Columns("Key", "Before", "*After")}
	for _, d := range list {
		t.Rows = append(t.Rows, view.Row{Cells: []view.Cell{
			{Text: d.Key, Code: true}, {Text: cmp.Or(d.Before, "–")}, {Text: cmp.Or(d.After, "–")},
		}})
	}
	return view.Part{Title: t.Label, Blocks: []view.Block{{Table: &t}}}
}

// tile counts things of a kind; none where there are none.
func tile(n int, noun, what string, tone view.Tone) []view.Tile {
	if n == 0 {
		return nil
	}
	text := what
	if noun != "" {
		text = strings.TrimPrefix(digest.Quantity(n, noun), fmt.Sprint(n, " ")) + " " + what
	}
	return []view.Tile{{Value: fmt.Sprint(n), Text: text, Tone: tone}}
}

func badge(v Verdict) view.Cell {
	return view.Cell{Text: looks[v].label, Tone: looks[v].tone, Badge: true}
}

// section is the changes of rules of one kind.
type section struct {
	Judged Verdict
	Rules  []Change
}

// sections are the changes of rules by what they are, the worse first.
func (c *Conformance) sections() (list []section) {
	for _, v := range []Verdict{Regression, Inconclusive, Changed, Improvement} {
		s := section{Judged: v}
		for _, all := range [][]Change{c.Changed, c.New, c.Gone} {
			for _, one := range all {
				if one.Judged == v {
					s.Rules = append(s.Rules, one)
				}
			}
		}
		list = append(list, s)
	}
	return list
}

func (c *Conformance) tiles() (list []view.Tile) {
	for _, s := range c.sections() {
		list = append(list, tile(len(s.Rules), "", looks[s.Judged].label, looks[s.Judged].tone)...)
	}
	list = append(list, tile(len(c.Observations), "observation", "drifted", view.Unsure)...)
	return append(list, tile(c.Compared-len(c.Changed), "rule", "with the same verdict", view.Plain)...)
}

// mostNamed is how many rules of one step are named one by one; others are counted.
const mostNamed = 6

func (c *Conformance) parts(r Result) (parts []view.Part) {
	for _, s := range c.sections() {
		part := view.Part{Title: looks[s.Judged].title}
		for _, form := range []view.Where{view.Page, view.Text | view.Markdown} {
			block := view.Block{In: form}
			for _, b := range bundles(s.Rules) {
				block.Items = append(block.Items, b.item(r, form == view.Page))
			}
			part.Blocks = append(part.Blocks, block)
		}
		parts = append(parts, part)
	}
	drifted := view.Table{Label: "Observations that drifted", Columns: view.Columns("Observation", "What", "Before", "*After")}
	bundled, others := lacks(c.Observations)
	for _, l := range bundled {
		drifted.Rows = append(drifted.Rows, view.Row{Cells: []view.Cell{
			{Text: digest.Quantity(len(l.IDs), "observation"), Quiet: digest.First(l.IDs, 2*mostNamed, ", ")}, {Text: l.Reason},
		}})
	}
	for _, d := range others {
		name := view.Cell{Text: d.ID, Code: true, Quiet: d.Statement}
		for _, p := range d.lines() {
			drifted.Rows = append(drifted.Rows, view.Row{Cells: []view.Cell{
				name, {Text: cmp.Or(d.Reason, p.What)}, {Text: cmp.Or(p.Before, "not there")}, {Text: cmp.Or(p.After, "gone")},
			}})
			name = view.Cell{}
		}
	}
	counts := view.Table{Label: "Verdicts of all rules", Columns: view.Columns("", "#violated", "#warnings", "#inconclusive",
		"#not verified", "#waived", "#passed", "#observed")}
	for i, n := range []record.Counts{c.Before, c.After} {
		row := view.Cells(names[i])
		for _, t := range digest.Tallies(n) {
			row = append(row, view.Cell{Text: fmt.Sprint(t.N)})
		}
		counts.Rows = append(counts.Rows, view.Row{Cells: row})
	}
	return append(parts, view.Part{Title: drifted.Label, Blocks: []view.Block{{Table: &drifted}}},
		view.Part{Title: counts.Label, In: view.Page, Blocks: []view.Block{{Table: &counts}}})
}

// item shows what is wrong first, and the rules that show it below.
func (b bundle) item(r Result, whole bool) view.Item {
	look := looks[b.Judged]
	item := view.Item{Badge: look.label, Tone: look.tone, Title: b.Message}
	if item.Title == "" {
		if item.Title = b.Statement; len(b.Rules) > 1 {
			item.Title = digest.Quantity(len(b.Rules), "rule") + " of level " + b.level()
		}
	}
	if !whole && len(b.Rules) > 1 {
		item.Lines = append(item.Lines, view.Cells(step(b.Change), digest.First(b.IDs, mostNamed, ", ")))
		return item
	}
	for _, c := range b.Rules {
		link := r.After.Report
		if c.After == "" {
			link = r.Before.Report
		}
		if link != "" {
			link += "#rule-" + digest.Anchor(c.ID)
		}
		item.Lines = append(item.Lines, []view.Cell{{Text: c.ID, Code: true, Link: link}, {Text: c.level()}, {Text: step(c)}})
		if whole && item.Title != c.Statement {
			item.Lines = append(item.Lines, []view.Cell{{Quiet: c.Statement}})
		}
		if c.Expected != "" || c.Actual != "" {
			item.Lines = append(item.Lines, []view.Cell{
				{Text: "expected"}, {Text: c.Expected, Tone: view.Calm}, {Text: "got"}, {Text: c.Actual, Tone: view.Calm},
			})
		}
	}
	return item
}

// step is a change of verdict in words.
func step(c Change) string { return spoken(c.Before) + " → " + spoken(c.After) }

// spoken is a verdict in words.
func spoken(v record.Verdict) string { return cmp.Or(digest.Word(v), "not selected") }
