package console

import (
	"bufio"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites/record"
)

// Bounds of what is shown without Verbose.
const (
	cardLimit = 6   // violations in full
	indexed   = 40  // others with a line of their own
	commands  = 3   // with more violations than these, commands to repeat them by hand are left out
	textLimit = 600 // characters of one text
	together  = 3   // rules from which one shared reason is told once
	idLimit   = 12  // rules named for one reason
)

// Report writes a finished run so that what matters most stands last, where a reader's eye is when the run ends: what
// was not verified by the key to add, what is inconclusive, waivers, notes, counts, then the violations one by one, the
// warnings, the verdict with what the exit code means, the page, and the folder of the run as the last line.
func Report(w io.Writer, run record.Run, style Style) error {
	if style.Width <= 0 {
		style.Width = 100
	}
	style.Width = max(style.Width, 30)
	if style.Deployment == "" {
		style.Deployment = run.Run.File
	}
	p := &printer{w: bufio.NewWriter(w), Style: style, run: run}
	if style.Verbose {
		p.passed()
	}
	p.observations()
	p.notVerified()
	p.inconclusive()
	p.waivers()
	p.notes()
	p.counts()
	p.violations()
	p.warnings()
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

// Inert keeps a line of somebody else's text from being taken for a command by a CI system that reads the log: the
// marks that begin a command are replaced by ones that look alike and are as wide.
func Inert(line string) string {
	if strings.HasPrefix(strings.TrimSpace(line), "::") {
		line = strings.Replace(line, "::", "∷", 1)
	}
	return strings.ReplaceAll(line, "##[", "##⁅")
}

// wrapped writes a text behind a label; following lines are indented below the text. A label that leaves too little
// room has a line of its own.
func (p *printer) wrapped(indent int, label, colour, text string) {
	text = printable.Clean(p.short(text))
	column := indent + printable.Columns(label)
	if label != "" && column > p.Width/2 && column+printable.Columns(text) > p.Width {
		fmt.Fprintln(p.w, Inert(strings.Repeat(" ", indent)+printable.Fit(strings.TrimSpace(label), p.Width-indent)))
		indent, label = indent+2, ""
		column = indent
	}
	for i, line := range printable.Wrap(text, p.Width-column) {
		lead := strings.Repeat(" ", column)
		if i == 0 {
			lead = Inert(strings.Repeat(" ", indent) + label)
		}
		fmt.Fprintln(p.w, lead+paint(p.Colour, colour, Inert(line)))
	}
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

func (p *printer) inconclusive() {
	open := digest.With(p.run, record.Inconclusive)
	if len(open) == 0 {
		return
	}
	p.title(unsure, "Inconclusive")
	for _, g := range digest.ByReason(open) {
		switch {
		case p.Verbose && len(g.Rules) < together:
			for _, r := range g.Rules {
				p.card(unsure, digest.Defect{Defect: record.Defect{Headline: r.Reason}, Failed: []record.Rule{r}}, true)
			}
		case len(g.Rules) < together:
			for _, r := range g.Rules {
				p.wrapped(0, printable.Clean(r.ID)+": ", plain, g.Cause)
			}
		default:
			p.wrapped(0, "", plain, fmt.Sprintf("%s inconclusive: %s", digest.Quantity(len(g.Rules), "rule"), p.short(g.Cause)))
			p.wrapped(2, "", faint, p.ids(g.Rules))
		}
	}
	fmt.Fprintln(p.w)
}

func (p *printer) notVerified() {
	needs, others := digest.ByNeed(digest.With(p.run, record.NotVerified))
	if len(needs)+len(others) == 0 {
		return
	}
	p.title(unsure, "Not verified")
	for _, g := range needs {
		what := fmt.Sprintf("%s to verify %s", digest.Advice(g.Cause), digest.Quantity(len(g.Rules), "rule"))
		if len(g.Rules) <= together || p.Verbose {
			what = fmt.Sprintf("%s to verify %s", digest.Advice(g.Cause), p.ids(g.Rules))
		}
		p.wrapped(0, "", plain, what)
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
		p.wrapped(0, printable.Clean(w.Rule)+": ", unsure, digest.WaiverState(w))
		if w.Reason != "" {
			p.wrapped(2, "", faint, w.Reason)
		}
	}
	for _, r := range waived {
		if r.Waiver != nil {
			p.wrapped(0, printable.Clean(r.ID)+": ", plain, fmt.Sprintf("violated, waived until %s: %s", r.Waiver.Until, r.Waiver.Reason))
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
		p.wrapped(0, printable.Clean(r.ID)+"  ", faint, r.Statement)
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
		p.wrapped(0, "", faint, "This is shortened: --verbose or "+where+" shows all of it.")
		fmt.Fprintln(p.w)
	}
	colour := map[record.Outcome]string{record.Conformant: good, record.Violations: bad}[p.run.Verdict]
	if colour == "" {
		colour = unsure
	}
	head := digest.Headline(p.run)
	fmt.Fprintf(p.w, "%s  ", paint(p.Colour, colour, head))
	lines := printable.Wrap(printable.Clean(digest.Why(p.run)+p.exit()), p.Width-len(head)-2)
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
		p.page()
		fmt.Fprintln(p.w, printable.Clean(p.Folder))
	}
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

// page names the page of the run, where it is there.
func (p *printer) page() {
	path := filepath.Join(p.Folder, "report.html")
	if _, err := os.Stat(path); err != nil {
		return
	}
	shown := paint(p.Colour, key, printable.Clean(path))
	if whole, err := filepath.Abs(path); p.Links && err == nil {
		address := url.URL{Scheme: "file", Path: filepath.ToSlash(whole)}
		shown = "\x1b]8;;" + address.String() + "\x1b\\" + shown + "\x1b]8;;\x1b\\"
	}
	fmt.Fprintln(p.w, shown)
}
