package console

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/suites/record"
)

// Bounds of what is shown without Verbose.
const (
	cardLimit = 6   // violations in full, on a terminal fewer where they do not fit
	indexed   = 40  // others with a line of their own
	commands  = 3   // with more violations than these, commands to repeat them by hand are left out
	further   = 2   // checks of a violation with a line of their own, beside the first
	textLimit = 600 // characters of one text
	together  = 3   // rules from which one shared reason is shown once
	idLimit   = 12  // rules named for one reason
)

// Report writes a finished run so that what matters most stands last, where a reader's eye is when the run ends: what
// was not verified by the key to add, what is inconclusive, waivers, notes, counts, then the violations one by one, the
// warnings, the verdict with what the exit code means, the page, and the folder of the run as the last line.
func Report(w io.Writer, run record.Run, style Style) error {
	if style.Deployment == "" {
		style.Deployment = run.Run.File
	}
	p := &printer{Writer: style.writer(w), Style: style, run: run}
	if style.Verbose {
		p.passed()
	}
	p.observations()
	p.notVerified()
	if !p.undecided() {
		p.inconclusive(true)
	}
	p.waivers()
	p.notes()
	p.counts()
	p.ending(p.fitting())
	return p.Flush()
}

// undecided reports whether what is inconclusive is what there is to look at first: nothing failed.
func (p *printer) undecided() bool { return p.run.Counts.Fail+p.run.Counts.Warn == 0 }

// ending is the violations, so many of them in full, or where there are none what is inconclusive, and what follows.
func (p *printer) ending(full int) {
	if p.undecided() {
		p.inconclusive(full > 0)
	}
	p.violations(full)
	p.warnings()
	p.verdict()
}

// fitting is how many violations can be shown in full so that every headline is on the screen when the run is over; 0
// also leaves out the rules behind a reason.
func (p *printer) fitting() int {
	full := cardLimit
	for ; full > 0 && !p.Verbose && p.Rows > 0; full-- {
		var b bytes.Buffer
		trial := &printer{Writer: p.Style.writer(&b), Style: p.Style, run: p.run}
		trial.ending(full)
		if trial.Flush() == nil && bytes.Count(b.Bytes(), []byte("\n")) < p.Rows {
			break
		}
	}
	return full
}

// Style says how a report is written.
type Style struct {
	Colour     bool
	Width      int    // columns; 0: 100
	Rows       int    // of the terminal, which the violations are to fit; 0: as many as there may be
	Verbose    bool   // nothing is shortened, passed rules are listed
	Deployment string // path of the deployment file for the rerun commands; empty: as the run recorded it
	Folder     string // of the run; its path is the last line
	Links      bool   // the terminal opens links
	Exit       *int   // exit code of the command that made the run; nil: not said
}

// writer writes at the width of a style.
func (s Style) writer(w io.Writer) *terminal.Writer {
	return terminal.NewWriter(w, s.Colour, max(30, cmp.Or(s.Width, 100)))
}

type printer struct {
	Style
	*terminal.Writer
	run record.Run
	cut bool // something was shortened
}

// title opens a section.
func (p *printer) title(colour, s string) {
	p.Line(p.Paint(colour, s) + "\n")
}

// wrapped writes a text, shortened without Verbose, behind a label.
func (p *printer) wrapped(indent int, label, colour, text string) {
	p.Wrapped(strings.Repeat(" ", indent)+label, colour, p.short(text))
}

func (p *printer) short(s string) string {
	if p.Verbose || len(s) <= textLimit {
		return s
	}
	clipped := printable.Clip(s, textLimit)
	p.cut = p.cut || clipped != s
	return clipped
}

// ids joins rule IDs, shortened without Verbose.
func (p *printer) ids(list []record.Rule) string {
	var b strings.Builder
	for i, r := range list {
		if i == idLimit && !p.Verbose && len(list) > idLimit+1 {
			p.cut = true
			fmt.Fprintf(&b, ", and %d more", len(list)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(printable.Clean(r.ID))
	}
	return b.String()
}

// inconclusive is what could not be judged by the reason, with the rules or only the first few reasons: those that say
// what to check first, those that follow from another last.
func (p *printer) inconclusive(named bool) {
	open := digest.With(p.run, record.Inconclusive)
	if len(open) == 0 {
		return
	}
	p.title(terminal.Unsure, "Inconclusive")
	groups := digest.ByReason(open)
	follows := func(g digest.Group) int {
		switch {
		case strings.Contains(g.Cause, "; see "):
			return 2
		case strings.Contains(g.Cause, "check "):
			return 0
		}
		return 1
	}
	slices.SortStableFunc(groups, func(a, b digest.Group) int { return cmp.Compare(follows(a), follows(b)) })
	for i, g := range groups {
		if !named && i > 0 && (i == together || follows(g) == 2) {
			p.cut = true
			p.wrapped(0, "", terminal.Plain, "and "+digest.Quantity(len(groups)-i, "other reason"))
			break
		}
		switch {
		case p.Verbose && len(g.Rules) < together:
			for _, r := range g.Rules {
				p.card(terminal.Unsure, digest.Defect{
					Defect: record.Defect{Headline: r.Reason},
					Failed: []record.Rule{r},
				}, true)
			}
		case len(g.Rules) < together:
			for _, r := range g.Rules {
				p.wrapped(0, "", terminal.Plain, printable.Clean(r.ID)+": "+g.Cause)
			}
		default:
			p.wrapped(0, "", terminal.Plain, fmt.Sprintf("%s inconclusive: %s", digest.Quantity(len(g.Rules), "rule"),
				p.short(sameReason(g.Cause, groups[0].Cause))))
			if named {
				p.wrapped(2, "", terminal.Faint, p.ids(g.Rules))
			} else {
				p.cut = true
			}
		}
	}
	p.Line("")
}

// sameReason leaves out the reason of a half that could not be judged where it is the one that stands above.
func sameReason(cause, above string) string {
	half, reason, found := strings.Cut(cause, ": ")
	if found && strings.HasPrefix(half, "passed on ") && strings.HasPrefix(above, strings.TrimSuffix(reason, "…")) {
		return half + ", for the same reason"
	}
	return cause
}

func (p *printer) notVerified() {
	needs, others := digest.ByNeed(digest.With(p.run, record.NotVerified))
	if len(needs)+len(others) == 0 {
		return
	}
	p.title(terminal.Unsure, "Not verified")
	for _, g := range needs {
		what := fmt.Sprintf("%s to verify %s", g.Verb()+" "+g.Cause, digest.Quantity(len(g.Rules), "rule"))
		if len(g.Rules) <= together || p.Verbose {
			what = fmt.Sprintf("%s to verify %s", g.Verb()+" "+g.Cause, p.ids(g.Rules))
		}
		p.wrapped(0, "", terminal.Plain, what)
	}
	for _, g := range others {
		p.wrapped(0, "", terminal.Plain, fmt.Sprintf("%s: %s", p.short(g.Cause), p.ids(g.Rules)))
	}
	p.Line("")
}

func (p *printer) waivers() {
	attention := digest.Attention(p.run)
	waived := digest.With(p.run, record.Waived)
	if len(attention)+len(waived) == 0 {
		return
	}
	p.title(terminal.Strong, "Waivers")
	for _, w := range attention {
		p.wrapped(0, printable.Clean(w.Rule)+": ", terminal.Unsure, digest.WaiverState(w))
		if w.Reason != "" {
			p.wrapped(2, "", terminal.Faint, w.Reason)
		}
	}
	for _, r := range waived {
		if r.Waiver != nil {
			p.wrapped(0, printable.Clean(r.ID)+": ", terminal.Plain,
				fmt.Sprintf("violated, waived until %s: %s", r.Waiver.Until, r.Waiver.Reason))
		}
	}
	p.Line("")
}

func (p *printer) passed() {
	passed := digest.With(p.run, record.Pass)
	if len(passed) == 0 {
		return
	}
	p.title(terminal.Good, "Passed")
	for _, r := range passed {
		p.wrapped(0, printable.Clean(r.ID)+"  ", terminal.Faint, r.Statement)
	}
	p.Line("")
}

func (p *printer) notes() {
	if len(p.run.Notes) == 0 {
		return
	}
	p.title(terminal.Strong, "Notes")
	for _, n := range p.run.Notes {
		p.wrapped(0, "- ", terminal.Plain, n)
	}
	p.Line("")
}

func (p *printer) verdict() {
	info := p.run.Run
	if p.cut {
		where := "report.html"
		if p.Folder != "" {
			where += " in the folder below"
		}
		p.wrapped(0, "", terminal.Faint, "This is shortened: --verbose or "+where+" shows all of it.")
		p.Line("")
	}
	head := p.Paint(terminal.Tone(string(p.run.Verdict)), digest.Headline(p.run))
	p.Wrapped(head+"  ", terminal.Plain, digest.Why(p.run)+p.exit())
	sent := fmt.Sprintf("%s sent to %s", digest.Quantity(info.Requests, "request"), info.BaseURL)
	if !info.FinishedAt.IsZero() && info.FinishedAt.After(info.StartedAt) {
		sent += " in " + terminal.Clock(info.FinishedAt.Sub(info.StartedAt))
	}
	if info.Retries > 0 {
		sent += fmt.Sprintf(", %d of them retries", info.Retries)
	}
	p.wrapped(0, "", terminal.Plain, sent+"; created: "+digest.Created(p.run))
	p.Kept(p.Folder, p.Links)
}

// exit says what the exit code of the command means, and what would make it another.
func (p *printer) exit() string {
	if p.Exit == nil {
		return ""
	}
	text := fmt.Sprintf("; exit code %d", *p.Exit)
	if *p.Exit != 0 {
		return text
	}
	if p.run.Counts.Warn > 0 {
		text += ", --strict makes it 1"
	}
	if record.ExitCode(p.run, true) == 3 {
		text += ", --complete makes it 3"
	}
	return text
}
