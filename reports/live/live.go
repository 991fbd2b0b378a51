// Package live shows a load run while it goes: a few lines that are redrawn in place on a terminal, a plain line every
// few seconds elsewhere.
package live

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/terminal"
)

const redraw = 250 * time.Millisecond // on a terminal

// View shows one run; see terminal.Display.
type View struct {
	*terminal.Display
	title  string
	status results.Status
	begun  bool // a status was reported
}

// New shows runs on w: see terminal.NewDisplay.
func New(w io.Writer, isTerminal bool, width func() int, options ...terminal.Option) *View {
	v := &View{Display: terminal.NewDisplay(w, isTerminal, width, redraw, options...)}
	v.Show = func() {
		switch {
		case !v.begun:
		case v.Terminal:
			v.Redraw(v.lines())
		default:
			v.Print(v.line())
		}
	}
	return v
}

// Start begins to show a run under a title, such as the name of the deployment.
func (v *View) Start(title string) {
	v.Begin(func() { v.title, v.begun, v.status = printable.Clean(title), false, results.Status{} })
}

// Update says where the run stands. It writes nothing itself: the next redraw shows it.
func (v *View) Update(s results.Status) {
	v.Lock()
	defer v.Unlock()
	v.status, v.begun = s, true
}

// lines are what a terminal shows.
func (v *View) lines() []terminal.Row {
	s := v.status
	bar := ""
	if s.Duration > 0 {
		const cells = 20
		full := int(min(max(float64(s.Elapsed)/float64(s.Duration), 0), 1) * cells)
		bar = "[" + strings.Repeat("#", full) + strings.Repeat("-", cells-full) + "]  "
	}
	lines := []terminal.Row{
		row(fmt.Sprintf("%s  %s%s", v.title, bar, v.clock()), terminal.Strong),
		row("rate      "+v.rates(), terminal.Plain),
	}
	for _, t := range []struct {
		name string
		results.Times
	}{{"response  ", s.Response}, {"service   ", s.Service}} {
		if t.Max > 0 {
			lines = append(lines, row(t.name+times(t.Times), terminal.Plain))
		}
	}
	if s.Lag.P99 > 0 {
		lines = append(lines, row("send lag  p99 "+terminal.Milliseconds(s.Lag.P99), terminal.Plain))
	}
	if text := classes(s.Classes, false); text != "" {
		lines = append(lines, row("answers   "+text, terminal.Plain))
	}
	if s.Silent > 0 {
		lines = append(lines, row(silence(s), terminal.Bad))
	}
	if text := classes(s.Classes, true); text != "" {
		lines = append(lines, row("errors    "+text, terminal.Bad))
	}
	if s.Files != nil {
		if text := filesWords(s.Files); text != "" {
			lines = append(lines, row("files     "+text, terminal.Plain))
		}
	}
	return lines
}

func row(text, colour string) terminal.Row { return terminal.Row{Text: text, Colour: colour} }

// line is what a log shows.
func (v *View) line() string {
	s := v.status
	text := v.clock() + "  " + v.rates()
	if s.Response.Max > 0 {
		text += fmt.Sprintf("  p50 %s  p99 %s", terminal.Milliseconds(s.Response.P50),
			terminal.Milliseconds(s.Response.P99))
	}
	if well := classes(s.Classes, false); well != "" {
		text += "  " + well
	}
	if s.Silent > 0 {
		text += "  " + silence(s)
	}
	if not := classes(s.Classes, true); not != "" {
		text += "  " + not
	}
	return text
}

// rates says how fast requests go out.
func (v *View) rates() string {
	s := v.status
	text := fmt.Sprintf("target %s  achieved %s  %d in flight", rate(s.Target), rate(s.Achieved), s.InFlight)
	if v.Terminal {
		text += fmt.Sprintf("  %d sent of %d", s.Sent, s.K)
	}
	return text
}

// silence says that answers are awaited.
func silence(s results.Status) string {
	return fmt.Sprintf("no answer for %s", s.Silent.Round(100*time.Millisecond))
}

func filesWords(f *files.Counts) string {
	var parts []string
	for _, c := range []struct {
		n    int64
		what string
	}{{f.Ready, "ready"}, {f.Failed, "failed"}, {f.Pending, "pending"}, {f.Dropped, "not followed"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	return strings.Join(parts, "  ")
}

// clock says how far the run is, and in which stage.
func (v *View) clock() string {
	s := v.status
	text := fmt.Sprintf("%s/%s", terminal.Clock(s.Elapsed), terminal.Clock(s.Duration))
	switch left := s.Duration - s.Elapsed; {
	case left > 0:
		text += fmt.Sprintf("  %s left", terminal.Clock(left))
	case s.InFlight > 0:
		text += "  waiting for answers"
	case s.Files != nil && s.Files.Pending > 0:
		text += "  waiting for files"
	}
	if s.Stages > 1 {
		text += fmt.Sprintf("  stage %d/%d", s.Stage, s.Stages)
		if s.StageName != "" {
			text += " (" + printable.Clean(s.StageName) + ")"
		}
	}
	return text
}

func rate(perSecond float64) string {
	if perSecond < 10 {
		return strconv.FormatFloat(perSecond, 'f', 1, 64) + "/s"
	}
	return strconv.FormatFloat(perSecond, 'f', 0, 64) + "/s"
}

func times(t results.Times) string {
	ms := terminal.Milliseconds
	return fmt.Sprintf("p50 %s  p90 %s  p99 %s  max %s", ms(t.P50), ms(t.P90), ms(t.P99), ms(t.Max))
}

// classes lists the counts so far: those that are as expected, or those that are not.
func classes(counts [judge.NumClasses]int64, bad bool) string {
	var parts []string
	for c, n := range counts {
		class := judge.Class(c)
		if class.Bad() == bad && n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(class.String(), "_", " ")))
		}
	}
	return strings.Join(parts, "  ")
}
