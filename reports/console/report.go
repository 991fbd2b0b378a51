package console

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/record"
)

// Bounds of what is shown without Verbose.
const (
	cardLimit = 50  // violations in full
	textLimit = 600 // characters of one text
	together  = 3   // rules from which one shared reason is told once
	idLimit   = 12  // rules named for one reason
)

// Report writes a finished run: violations first, then what is inconclusive, what was not verified by the key to add,
// waivers that need attention, counts, observations, notes, the verdict, and the folder of the run as the last line.
func Report(w io.Writer, run record.Run, style Style) error {
	if style.Width <= 0 {
		style.Width = 100
	}
	style.Width = max(style.Width, 30)
	if style.Deployment == "" {
		style.Deployment = run.Run.File
	}
	p := &printer{w: bufio.NewWriter(w), Style: style, run: run}
	p.violations()
	p.inconclusive()
	p.notVerified()
	p.waivers()
	if style.Verbose {
		p.passed()
	}
	p.counts()
	p.observations()
	p.notes()
	p.verdict()
	return p.w.Flush()
}

type printer struct {
	Style
	w   *bufio.Writer
	run record.Run
	cut bool // something was shortened
}

// title opens a section.
func (p *printer) title(colour, s string) {
	fmt.Fprintf(p.w, "%s\n\n", paint(p.Colour, colour, s))
}

// inert keeps a line of somebody else's text from being taken for a command by a CI system that reads the log: the
// marks that begin a command are replaced by ones that look alike and are as wide.
func inert(line string) string {
	if strings.HasPrefix(strings.TrimSpace(line), "::") {
		line = strings.Replace(line, "::", "∷", 1)
	}
	return strings.ReplaceAll(line, "##[", "##⁅")
}

// wrapped writes a text behind a label; following lines are indented below the text. A label that leaves too little
// room has a line of its own.
func (p *printer) wrapped(indent int, label, colour, text string) {
	text = digest.Clean(p.short(text))
	column := indent + digest.Columns(label)
	if label != "" && column > p.Width/2 && column+digest.Columns(text) > p.Width {
		fmt.Fprintln(p.w, inert(strings.Repeat(" ", indent)+digest.Fit(strings.TrimSpace(label), p.Width-indent)))
		indent, label = indent+2, ""
		column = indent
	}
	for i, line := range digest.Wrap(text, p.Width-column) {
		lead := strings.Repeat(" ", column)
		if i == 0 {
			lead = inert(strings.Repeat(" ", indent) + label)
		}
		fmt.Fprintln(p.w, lead+paint(p.Colour, colour, inert(line)))
	}
}

func (p *printer) short(s string) string {
	if p.Verbose || len(s) <= textLimit {
		return s
	}
	clipped := digest.Clip(s, textLimit)
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
		b.WriteString(digest.Clean(r.ID))
	}
	return b.String()
}

func (p *printer) violations() {
	failed := digest.With(p.run, record.Fail)
	if len(failed) == 0 {
		return
	}
	p.title(bad, "Violated")
	for i, r := range failed {
		if i == cardLimit && !p.Verbose {
			p.cut = true
			p.wrapped(0, "", plain, fmt.Sprintf("and %s violated: %s", digest.Quantity(len(failed)-i, "more rule"), p.ids(failed[i:])))
			fmt.Fprintln(p.w)
			return
		}
		p.card(bad, r)
	}
}

func (p *printer) inconclusive() {
	open := digest.With(p.run, record.Inconclusive)
	if len(open) == 0 {
		return
	}
	p.title(unsure, "Inconclusive")
	cards := 0
	for _, g := range digest.ByReason(open) {
		if len(g.Rules) >= together || cards >= cardLimit && !p.Verbose {
			p.wrapped(0, "", plain, fmt.Sprintf("%s inconclusive: %s", digest.Quantity(len(g.Rules), "rule"), p.short(g.Cause)))
			p.wrapped(2, "", faint, p.ids(g.Rules))
			fmt.Fprintln(p.w)
			continue
		}
		for _, r := range g.Rules {
			cards++
			p.card(unsure, r)
		}
	}
}

// card shows one rule with the checks that did not pass.
func (p *printer) card(colour string, r record.Rule) {
	fmt.Fprintf(p.w, "%s %s\n", paint(p.Colour, colour, digest.Clean(r.ID)), paint(p.Colour, faint, "("+digest.Clean(r.Level)+")"))
	statement := r.Statement
	if r.Section != "" {
		statement = p.short(statement) + " [" + r.Section + "]"
	}
	p.wrapped(2, "", plain, statement)
	for _, c := range digest.Deciding(r) {
		p.wrapped(2, "- ", strong, c.Name)
		for _, f := range [][3]string{
			{"", plain, c.Message},
			{"expected  ", good, c.Expected},
			{"actual    ", bad, c.Actual},
			{"repeats   ", plain, digest.Repeats(c)},
			{"exchanges ", faint, digest.Exchanges(c.Exchanges)},
			{"at        ", faint, c.Location},
		} {
			if f[2] != "" {
				p.wrapped(4, f[0], f[1], f[2])
			}
		}
		p.curl(c.Curl)
	}
	fmt.Fprintf(p.w, "  rerun: %s\n\n", paint(p.Colour, key, digest.Rerun(r.ID, p.Deployment)))
}

// curl is written as it is, not wrapped, so that it can be copied.
func (p *printer) curl(command string) {
	if command == "" {
		return
	}
	const most = 4000 // beyond it a command is no use on a screen
	if !p.Verbose && len(command) > most {
		p.cut = true
		command = digest.Clip(command, most)
	}
	for _, line := range strings.Split(digest.CleanLines(command), "\n") {
		fmt.Fprintln(p.w, "    "+paint(p.Colour, key, inert(line)))
	}
}

func (p *printer) notVerified() {
	needs, others := digest.ByNeed(digest.With(p.run, record.NotVerified))
	if len(needs)+len(others) == 0 {
		return
	}
	p.title(unsure, "Not verified")
	for _, g := range needs {
		p.wrapped(0, "", plain, fmt.Sprintf("add %s to verify: %s", g.Cause, p.ids(g.Rules)))
	}
	for _, g := range others {
		p.wrapped(0, "", plain, fmt.Sprintf("%s: %s", p.short(g.Cause), p.ids(g.Rules)))
	}
	fmt.Fprintln(p.w)
}

func (p *printer) waivers() {
	attention := digest.Attention(p.run)
	waived := digest.With(p.run, record.Waived)
	if len(attention)+len(waived) == 0 {
		return
	}
	p.title(strong, "Waivers")
	for _, w := range attention {
		p.wrapped(0, digest.Clean(w.Rule)+": ", unsure, digest.WaiverState(w))
		if w.Reason != "" {
			p.wrapped(2, "", faint, w.Reason)
		}
	}
	for _, r := range waived {
		if r.Waiver != nil {
			p.wrapped(0, digest.Clean(r.ID)+": ", plain, fmt.Sprintf("violated, waived until %s: %s", r.Waiver.Until, r.Waiver.Reason))
		}
	}
	fmt.Fprintln(p.w)
}

func (p *printer) passed() {
	passed := digest.With(p.run, record.Pass)
	if len(passed) == 0 {
		return
	}
	p.title(good, "Passed")
	for _, r := range passed {
		p.wrapped(0, digest.Clean(r.ID)+"  ", faint, r.Statement)
	}
	fmt.Fprintln(p.w)
}

func (p *printer) notes() {
	if len(p.run.Notes) == 0 {
		return
	}
	p.title(strong, "Notes")
	for _, n := range p.run.Notes {
		p.wrapped(0, "- ", plain, n)
	}
	fmt.Fprintln(p.w)
}

func (p *printer) verdict() {
	info := p.run.Run
	if p.cut {
		where := "report.html"
		if p.Folder != "" {
			where += " in the folder below"
		}
		p.wrapped(0, "", faint, "Some texts are shortened: --verbose or "+where+" shows them whole.")
		fmt.Fprintln(p.w)
	}
	colour := map[record.Outcome]string{record.Conformant: good, record.Violations: bad}[p.run.Verdict]
	if colour == "" {
		colour = unsure
	}
	head := digest.Headline(p.run)
	fmt.Fprintf(p.w, "%s  ", paint(p.Colour, colour, head))
	lines := digest.Wrap(digest.Clean(digest.Why(p.run)), p.Width-len(head)-2)
	fmt.Fprintln(p.w, strings.Join(lines, "\n"+strings.Repeat(" ", len(head)+2)))
	sent := fmt.Sprintf("%s sent to %s", digest.Quantity(info.Requests, "request"), info.BaseURL)
	if !info.FinishedAt.IsZero() && info.FinishedAt.After(info.StartedAt) {
		sent += " in " + elapsed(info.FinishedAt.Sub(info.StartedAt))
	}
	if info.Retries > 0 {
		sent += fmt.Sprintf(", %d of them retries", info.Retries)
	}
	p.wrapped(0, "", plain, sent+"; created: "+digest.Created(p.run))
	if p.Folder != "" {
		fmt.Fprintln(p.w, digest.Clean(p.Folder))
	}
}
