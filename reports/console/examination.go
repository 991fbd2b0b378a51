package console

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/doctor"
)

// Examination prints what the doctor found, how many rules a run would verify, and what to do next.
func Examination(w io.Writer, dep *deployment.File, found doctor.Report, forecast suites.Forecast, file string, style view.Style) error {
	e := examination{Writer: writer(w, style), deployment: file}
	e.Line(e.Paint(terminal.Strong, printable.Clean(dep.Name)+" at "+printable.Clean(dep.BaseURL)))
	e.findings(found)
	e.coverage(found, forecast)
	if found.Created > 0 {
		e.Wrapped("", terminal.Plain, "The examination created "+digest.Quantity(found.Created,
			"legal representative")+".")
	}
	e.next(found)
	if err := e.Flush(); err != nil {
		return fmt.Errorf("what was found could not be printed: %w", err)
	}
	return nil
}

type examination struct {
	*terminal.Writer
	deployment string // path of its file; empty: the embedded gateway
}

func (e examination) findings(found doctor.Report) {
	colours := map[doctor.State]string{
		doctor.OK: terminal.Good, doctor.Absent: terminal.Faint, doctor.Untried: terminal.Faint,
		doctor.Warning: terminal.Unsure, doctor.Broken: terminal.Bad,
	}
	const (
		margin  = 13 // of a finding beside its name: "  broken   name  "
		roomFor = 40 // columns beside the longest name, else texts go below what they do not fit beside
	)
	width := widest(found.Findings, "")
	narrow := e.Columns-margin-width < roomFor
	topic := ""
	for _, f := range found.Findings {
		if f.Topic != topic {
			topic = f.Topic
			e.Line("\n" + e.Paint(terminal.Strong, topic))
			if narrow {
				width = widest(found.Findings, topic)
			}
		}
		lead := "  " + e.Paint(colours[f.State], printable.Pad(string(f.State), 7)) + "  "
		indent := margin + width
		if narrow && printable.Columns(printable.Clean(f.Text)) > e.Columns-indent {
			indent = 4
			e.Line(lead + f.Name)
			e.Wrapped(strings.Repeat(" ", indent), terminal.Plain, f.Text)
		} else {
			e.Wrapped(lead+printable.Pad(f.Name, width)+"  ", terminal.Plain, f.Text)
		}
		if f.Do != "" && f.State != doctor.Absent {
			e.Wrapped(strings.Repeat(" ", indent), terminal.Plain, "-> "+f.Do)
		}
	}
	e.Line("")
}

// widest is the width of the longest name of a topic; of all of them where it is empty.
func widest(list []doctor.Finding, topic string) (width int) {
	for _, f := range list {
		if topic == "" || f.Topic == topic {
			width = max(width, printable.Columns(f.Name))
		}
	}
	return width
}

func (e examination) coverage(found doctor.Report, forecast suites.Forecast) {
	about := ""
	if !forecast.Exact {
		about = "About "
	}
	if slices.ContainsFunc(found.Findings, func(f doctor.Finding) bool { return f.Name == doctor.Creations }) {
		about = "At most "
	}
	if !found.Reachable {
		e.Line(fmt.Sprintf("0 of %s would be verified.", digest.Quantity(forecast.Of, "rule")))
		return
	}
	provided := ""
	if slices.ContainsFunc(found.Findings, func(f doctor.Finding) bool { return f.State == doctor.Untried }) {
		provided = ", provided that the settings not tried are right"
	}
	e.Wrapped("", terminal.Strong, fmt.Sprintf("%s%d of %s would be verified%s.",
		about, forecast.Verified, digest.Quantity(forecast.Of, "rule"), provided))
	width := 0
	for _, g := range forecast.Gaps {
		width = max(width, printable.Columns(g.Key))
	}
	for _, g := range forecast.Gaps {
		do := "correct"
		if g.Absent {
			do = "add"
		}
		e.Wrapped("  "+printable.Pad(do, 7)+"  "+printable.Pad(g.Key, width)+"  ",
			terminal.Plain, "to verify "+digest.Quantity(g.Rules, "rule"))
	}
}

// next is the last line: the command to go on with, or what to correct before.
func (e examination) next(found doctor.Report) {
	command := func(verb string) string {
		if e.deployment == "" {
			return "gateassay " + verb
		}
		return "gateassay " + verb + " -d " + digest.Quote(e.deployment)
	}
	switch {
	case found.Obstacle != nil:
		e.Line("")
		obstacle(e.Writer, found.Obstacle)
	case !found.Reachable:
		e.Wrapped("", terminal.Plain, "This deployment cannot be tested: fix what is broken first.")
		e.Line("Next: " + command("doctor"))
	default:
		e.Line("Next: " + command("conform"))
	}
}

// Obstructed writes why a run ended before anything could be judged: the cause, the answer, the next step; then the
// verdict with what the exit code means, and what the run left.
func Obstructed(w io.Writer, o *doctor.Obstacle, style view.Style) error {
	out := writer(w, style)
	obstacle(out, o)
	text := "nothing could be judged"
	if style.Exit != "" {
		text += "; " + style.Exit
	}
	out.Wrapped(out.Paint(terminal.Unsure, "INCONCLUSIVE")+"  ", terminal.Plain, text)
	out.Kept(style.Folder, style.Links)
	return out.Flush()
}

// writer writes at the width of a style.
func writer(w io.Writer, s view.Style) *terminal.Writer {
	return terminal.NewWriter(w, s.Colour, max(30, cmp.Or(s.Columns, 100)))
}

func obstacle(w *terminal.Writer, o *doctor.Obstacle) {
	for line := range strings.Lines(o.Lines()) {
		w.Wrapped("", terminal.Plain, line)
	}
}
