// Package conformance makes the reports of recorded conformance runs.
package conformance

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
)

var verdictTones = map[record.Verdict]view.Tone{
	record.VerdictFail: view.ToneBad, record.VerdictWarning: view.ToneUnsure,
	record.VerdictInconclusive: view.ToneUnsure,
	record.VerdictNotVerified:  view.ToneOpen,
	record.VerdictWaived:       view.ToneCalm, record.VerdictPass: view.ToneGood,
	record.VerdictObserved: view.ToneFaint,
}

// reportBuilder builds the report of a run in one of its forms.
type reportBuilder struct {
	run     record.Run
	form    view.Forms
	verbose bool            // text: shows everything
	folder  string          // text: folder of the run, for the paths of its scripts
	archive exchangeArchive // exchanges of a page

	manyViolations bool            // text: omits commands to repeat checks by hand
	wholeLeft      int             // how many more findings are shown in full
	exchangeBytes  int             // bytes of the exchanges shown with findings
	hasCard        map[string]bool // rules shown outside the table of all rules
}

// omitsDetails reports whether details are omitted, as on a terminal without --verbose.
func (b *reportBuilder) omitsDetails() bool { return b.form == view.FormText && !b.verbose }

// Markdown returns the report as summary.md.
func Markdown(run record.Run) []byte {
	b := reportBuilder{run: run, form: view.FormMarkdown, wholeLeft: 50}
	return view.WriteMarkdown(b.build())
}

// Annotations returns the annotations that GitHub shows with the job.
func Annotations(run record.Run) string {
	b := reportBuilder{run: run, form: view.FormText, verbose: true, wholeLeft: 20}
	return view.WriteAnnotations(b.build())
}

// Style configures the report of a run on a terminal.
type Style struct {
	view.Style
	// path of the deployment file in commands that repeat; empty: as recorded in the run
	Deployment string
	Code       *int          // exit code of the command that made the run; nil: not shown
	Since      *recorded.Run // earlier run whose failures this run repeated; nil: none
}

// exitHarnessFailed is the exit code of a run whose verdict does not count.
const exitHarnessFailed = 4

// maxWholeOnTerminal limits the violations shown in full on a terminal.
const maxWholeOnTerminal = 6

// Print writes a run with the most important at the end: the violations one by one, the warnings,
// the page, the verdict with the meaning of the exit code, and the folder of the run as the last
// line.
func Print(w io.Writer, run record.Run, s Style) error {
	run.Run.File = cmp.Or(s.Deployment, run.Run.File)
	s.Columns, s.Exit = cmp.Or(s.Columns, 100), exitCodeMeaning(run, s.Code)
	b := reportBuilder{
		run: run, form: view.FormText, verbose: s.Whole, wholeLeft: maxWholeOnTerminal, folder: s.Folder,
	}
	if s.Whole {
		b.wholeLeft = len(run.Rules)
	}
	r := b.build()
	if s.Code != nil && *s.Code == exitHarnessFailed {
		r.Headline, r.Tone = "NO VERDICT", view.ToneBad
		r.Why = append([]string{"gateassay itself failed, see the notes: please report it"}, r.Why...)
	}
	if !s.Whole && run.Counts.Fail+run.Counts.Warn+run.Counts.Inconclusive > 0 {
		r.Parts = append(r.Parts, view.Part{Blocks: []view.Block{{
			Tone: view.ToneFaint, Note: "Shortened: --verbose or report.html shows the rest.",
		}}})
	}
	if s.Since != nil {
		r.Parts = append(r.Parts, rerunPart(s.Since.Conformance, run))
	}
	return view.WriteText(w, r, s.Style)
}

// exitCodeMeaning returns what the exit code means, and which option changes it.
func exitCodeMeaning(run record.Run, code *int) string {
	if code == nil {
		return ""
	}
	text := fmt.Sprintf("exit code %d", *code)
	if *code == 0 && run.Counts.Warn > 0 {
		text += ", --strict makes it 1"
	}
	if *code == 0 && record.ExitCode(run, true) == 3 {
		text += ", --complete makes it 3"
	}
	return text
}

// build returns the report with the most important parts first; on a terminal last, next to the
// prompt.
func (b *reportBuilder) build() view.Report {
	run := b.run
	r := view.Report{
		Kind: "Conformance of", About: run.Run.Deployment, Address: run.Run.BaseURL,
		Headline: digest.RunHeadline(run), Tone: digest.VerdictTone(string(run.Verdict)),
		Why: []string{run.Reason}, Folds: true,
	}
	if run.Run.Partial {
		r.Rests = []string{"The run was interrupted: rules that it did not reach are not verified"}
	}
	violated, warned := digest.Defects(run)
	b.manyViolations = len(violated) > maxRepeatCommands
	violations, warnings := b.violationsPart(violated), b.warningsPart(warned)
	open := b.inconclusivePart()
	if b.form == view.FormText {
		notes := view.Part{Title: "Notes", Blocks: []view.Block{{List: run.Notes}}}
		done := view.Part{Blocks: []view.Block{{Lines: [][]view.Cell{view.Cells(b.describeWork())}}}}
		r.Parts = []view.Part{
			b.notVerifiedPart(), open, b.waiversPart(), notes, b.countsPart(), violations, warnings, done,
		}
		if len(violated)+len(warned) == 0 { // without findings, unverified rules matter most
			r.Parts = []view.Part{b.notVerifiedPart(), b.waiversPart(), notes, b.countsPart(), open, done}
		}
		return r
	}
	r.Rests = append(append(r.Rests, b.describeWork()), b.levelLines()...)
	r.Tiles, r.Bar = b.tilesAndBar()
	r.Parts = []view.Part{
		b.countsPart(), b.indexPart(violated, warned), violations, warnings, open, b.notVerifiedPart(),
		b.waiversPart(), b.rulesPart(), b.observationsPart(), b.timelinePart(), b.aboutPart(),
	}
	return r
}

// describeWork returns the extent of the run and what it created.
func (b *reportBuilder) describeWork() string {
	checks, info := 0, b.run.Run
	for _, r := range b.run.Rules {
		checks += len(r.Checks)
	}
	text := printable.Quantity(checks, "check") + ", " + printable.Quantity(info.Requests, "request")
	if took := view.FormatSpan(info.StartedAt, info.FinishedAt); took != "" {
		text += " in " + took
	}
	if created := digest.CreatedText(b.run); created != "" {
		text += "; created " + created
	}
	if info.Tried.Total > 0 {
		text += "; " + info.Tried.DescribeAt(info.Depth)
	}
	return text
}

// levelLines returns the verdict counts of must and of should rules.
func (b *reportBuilder) levelLines() (lines []string) {
	for _, level := range []string{"must", "should"} {
		c := record.CountVerdicts(slices.DeleteFunc(slices.Clone(b.run.Rules),
			func(r record.RuleResult) bool { return r.Level != level }))
		if c.Total() > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s", printable.Quantity(c.Total(), level+" rule"),
				digest.FormatTallies(c)))
		}
	}
	return lines
}

// tilesAndBar returns the tiles and the bar below the headline: both show the counts by verdict.
func (b *reportBuilder) tilesAndBar() (tiles []view.Tile, bar []view.Slice) {
	done, total := 0, max(1, b.run.Counts.Total())
	for _, t := range digest.VerdictTallies(b.run.Counts) {
		tile := view.Tile{Value: fmt.Sprint(t.N), Text: t.Word(), Tone: view.ToneFaint}
		if t.N > 0 {
			tile.Tone, tile.Link, tile.Filter = verdictTones[t.Verdict], "#rules", string(t.Verdict)
			if t.Verdict == record.VerdictObserved {
				tile.Tone = view.ToneCalm
			}
			x := done * 1000 / total
			done += t.N
			bar = append(bar,
				view.Slice{Tone: verdictTones[t.Verdict], X: float64(x), W: float64(max(1, done*1000/total-x))})
		}
		tiles = append(tiles, tile)
	}
	return tiles, bar
}

// countsPart returns the table of operations and verdicts, without columns of zeros.
func (b *reportBuilder) countsPart() view.Part {
	t := view.Table{Label: "Counts", Columns: view.Columns("operation")}
	all := digest.VerdictTallies(b.run.Counts)
	row := func(name string, counts record.VerdictCounts) {
		cells := view.Cells(name)
		for i, tally := range digest.VerdictTallies(counts) {
			if all[i].N == 0 && tally.Verdict != record.VerdictPass {
				continue
			}
			cell := view.Cell{Text: fmt.Sprint(tally.N)}
			if b.form == view.FormText && tally.N > 0 {
				cell.Tone = verdictTones[tally.Verdict]
			}
			if cells = append(cells, cell); len(t.Columns) < len(cells) {
				tally.N = 0 // plural for every number
				t.Columns = append(t.Columns, view.Column{Name: tally.Word(), Number: true})
			}
		}
		t.Rows = append(t.Rows, view.Row{Cells: cells})
	}
	for _, op := range digest.RulesByOperation(b.run) {
		row(op.Key, record.CountVerdicts(op.Items))
	}
	if len(t.Rows) > 1 {
		row("all", b.run.Counts)
	}
	part := view.Part{In: view.FormText | view.FormMarkdown, Blocks: []view.Block{{Table: &t}}}
	if b.form == view.FormText && b.run.Counts.Observed > 0 {
		part.Blocks = append(part.Blocks, view.Block{
			Tone: view.ToneFaint, Note: "Observed: what the document leaves open; report.html lists it.",
		})
	}
	return part
}

// UnresolvedRuleIDs returns the rules that --failed runs again: what failed or was inconclusive,
// and what could not be verified though no key of the deployment file is missing, as something else
// was wrong. It returns none where nothing failed or was inconclusive.
func UnresolvedRuleIDs(run record.Run) (ids []string) {
	missesKey := func(c record.CheckResult) bool { return c.MissingKey != "" }
	unresolved := false
	for _, r := range run.Rules {
		switch {
		case r.Verdict == record.VerdictFail, r.Verdict == record.VerdictInconclusive:
			unresolved = true
		case r.Verdict != record.VerdictNotVerified, r.Level == string(rules.Observe),
			slices.ContainsFunc(r.Checks, missesKey):
			continue
		}
		ids = append(ids, r.ID)
	}
	if !unresolved {
		return nil
	}
	return ids
}

// rerunPart returns the current verdicts of the unresolved rules of an earlier run.
func rerunPart(before, now record.Run) view.Part {
	was, is := digest.RulesByID(before.Rules), digest.RulesByID(now.Rules)
	outcomes := map[string][]string{} // IDs
	for _, id := range UnresolvedRuleIDs(before) {
		outcome, unknown := "not decided", was[id].Verdict == record.VerdictNotVerified
		switch verdict := is[id].Verdict; {
		case verdict == record.VerdictFail && unknown:
			outcome = "violated, not verified before"
		case verdict == record.VerdictFail:
			outcome = "still violated"
		case verdict == record.VerdictPass && unknown:
			outcome = "verified now"
		case verdict == record.VerdictPass:
			outcome = "repaired"
		}
		outcomes[outcome] = append(outcomes[outcome], id)
	}
	var blocks []view.Block
	for _, outcome := range []string{
		"still violated", "violated, not verified before", "not decided", "repaired", "verified now",
	} {
		if ids := outcomes[outcome]; len(ids) > 0 {
			blocks = append(blocks,
				view.Block{Note: printable.Quantity(len(ids), "rule") + " " + outcome, List: ids})
		}
	}
	return view.Part{Title: "Since " + view.FormatUTC(before.Run.StartedAt), Blocks: blocks}
}
