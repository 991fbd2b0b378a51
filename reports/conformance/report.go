// Package conformance says what a recorded conformance run found: on a page, as text and as Markdown.
package conformance

import (
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
)

// tones are how verdicts are shown.
var tones = map[record.Verdict]view.Tone{
	record.Fail: view.Bad, record.Warned: view.Unsure, record.Inconclusive: view.Unsure, record.NotVerified: view.Open,
	record.Waived: view.Calm, record.Pass: view.Good, record.Observed: view.Faint,
}

// builder puts the report of a run together, in one of its forms.
type builder struct {
	run     record.Run
	form    view.Where
	verbose bool            // text: nothing is left out
	full    int             // findings that are shown whole
	archive *archive        // exchanges of a page; nil: they are not known
	budget  *budget         // of the exchanges on a page
	shown   map[string]bool // rules that the page shows outside of its table of all
	share   int             // the page gets this part of the most that it may hold
	err     error
}

// Markdown is the report as summary.md.
func Markdown(run record.Run) []byte {
	b := builder{run: run, form: view.Markdown, full: 50}
	return view.WriteMarkdown(b.report())
}

// report holds what matters most first; on a terminal last, where a reader's eye is when the run ends.
func (b *builder) report() view.Report {
	run := b.run
	r := view.Report{
		Kind: "Conformance of", About: run.Run.Deployment, Address: run.Run.BaseURL, Headline: digest.Headline(run),
		Tone: view.Tone(digest.Tone(string(run.Verdict))), Why: []string{run.Reason},
	}
	if run.Run.Partial {
		r.Rests = []string{"The run was interrupted: rules that it did not reach are not verified"}
	}
	violated, warned := digest.Defects(run)
	violations, warnings := b.violations(violated), b.warnings(warned, len(violated) == 0)
	if b.form == view.Page {
		violations.Blocks = slices.Concat([]view.Block{{Table: b.index(violated)}}, violations.Blocks)
		if len(violated) == 0 {
			warnings.Blocks = slices.Concat([]view.Block{{Table: b.index(warned)}}, warnings.Blocks)
		}
	}
	if b.form == view.Text {
		open := b.inconclusive()
		r.Parts = []view.Part{b.passed(), b.observed(), b.notVerified(), open, b.waivers(), b.notes(), b.counts(), violations, warnings}
		if len(violated)+len(warned) == 0 { // then it is what there is to look at first
			r.Parts = append(slices.Delete(r.Parts, 3, 4), open)
		}
		r.Below = []string{b.sent()}
		return r
	}
	r.Rests = append(r.Rests, b.rests()...)
	r.Tiles, r.Bar = b.tiles()
	r.Parts = []view.Part{
		b.counts(), violations, warnings, b.inconclusive(), b.notVerified(), b.waivers(), b.rules(), b.observed(), b.timeline(),
		b.about(),
	}
	return r
}

// rests says what was done to reach the verdict, so that a reader sees how thorough the run was.
func (b *builder) rests() []string {
	checks := 0
	levels := map[string]*record.Counts{"must": {}, "should": {}}
	for _, r := range b.run.Rules {
		checks += len(r.Checks)
		if c := levels[r.Level]; c != nil {
			c.Add(r)
		}
	}
	info := b.run.Run
	lines := []string{fmt.Sprintf("%s, %d of them judged, by %s on %s.", digest.Quantity(len(b.run.Rules), "rule"),
		b.run.Counts.Judged(), digest.Quantity(checks, "check"), digest.Quantity(info.Requests, "request"))}
	for _, level := range []string{"must", "should"} {
		if c := *levels[level]; c.Total() > 0 {
			lines = append(lines, fmt.Sprintf("%s with level %s: %s.", digest.Quantity(c.Total(), "rule"), level,
				digest.InWords(digest.Tallies(c))))
		}
	}
	started := "Started " + view.UTC(info.StartedAt)
	if took := view.Took(info.StartedAt, info.FinishedAt); took != "" {
		started += ", took " + took
	}
	return append(lines, started+".")
}

// sent says what the run did to the deployment.
func (b *builder) sent() string {
	info := b.run.Run
	text := fmt.Sprintf("%s sent to %s", digest.Quantity(info.Requests, "request"), info.BaseURL)
	if info.FinishedAt.After(info.StartedAt) {
		text += " in " + terminal.Clock(info.FinishedAt.Sub(info.StartedAt))
	}
	if info.Retries > 0 {
		text += fmt.Sprintf(", %d of them retries", info.Retries)
	}
	return text + "; created: " + digest.Created(b.run)
}

// tiles and the bar below the headline show the counts by verdict.
func (b *builder) tiles() (tiles []view.Tile, bar []view.Slice) {
	done, total := 0, max(1, b.run.Counts.Total())
	for _, t := range digest.Tallies(b.run.Counts) {
		tile := view.Tile{Value: fmt.Sprint(t.N), Text: t.Word(), Tone: view.Faint}
		if t.N > 0 {
			tile.Tone, tile.Link, tile.Filter = tones[t.Verdict], "#rules", string(t.Verdict)
			if t.Verdict == record.Observed {
				tile.Tone = view.Calm
			}
			x := done * 1000 / total
			done += t.N
			bar = append(bar, view.Slice{Tone: tones[t.Verdict], X: float64(x), W: float64(max(1, done*1000/total-x))})
		}
		tiles = append(tiles, tile)
	}
	return tiles, bar
}

// counts is the table of operations and verdicts, without columns that are zero everywhere.
func (b *builder) counts() view.Part {
	t := view.Table{Label: "Counts", Columns: view.Columns("operation")}
	row := func(name string, counts record.Counts) {
		cells := view.Cells(name)
		for i, all := range digest.Tallies(b.run.Counts) {
			if all.N > 0 || all.Verdict == record.Pass {
				cell := view.Cell{Text: fmt.Sprint(digest.Tallies(counts)[i].N)}
				if b.form == view.Text && cell.Text != "0" {
					cell.Tone = tones[all.Verdict]
				}
				cells = append(cells, cell)
			}
		}
		t.Rows = append(t.Rows, view.Row{Cells: cells})
	}
	for _, all := range digest.Tallies(b.run.Counts) {
		if all.N > 0 || all.Verdict == record.Pass {
			all.N = 0 // the plural, whatever the number
			t.Columns = append(t.Columns, view.Column{Name: all.Word(), Number: true})
		}
	}
	for _, op := range digest.Operations(b.run) {
		row(op.Name, op.Counts)
	}
	if len(t.Rows) > 1 {
		row("all", b.run.Counts)
	}
	return view.Part{In: view.Text | view.Markdown, Blocks: []view.Block{{Table: &t}}}
}
