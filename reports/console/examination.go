package console

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/doctor"
)

// Examination prints what the doctor found, how many rules a run would verify, and what to do next.
func Examination(w io.Writer, dep *deployment.File, found doctor.Report, forecast suites.Forecast, style Style) error {
	if style.Width <= 0 {
		style.Width = 100
	}
	e := &examination{w: bufio.NewWriter(w), Style: style}
	e.line(paint(e.Colour, strong, printable.Clean(dep.Name)+" at "+printable.Clean(dep.BaseURL)))
	e.findings(found)
	e.coverage(found, forecast)
	if found.Created > 0 {
		e.wrapped("", "The examination created "+digest.Quantity(found.Created, "legal representative")+".")
	}
	e.next(found)
	if err := e.w.Flush(); err != nil {
		return fmt.Errorf("what was found could not be printed: %w", err)
	}
	return nil
}

type examination struct {
	w *bufio.Writer
	Style
}

func (e *examination) line(text string) { fmt.Fprintln(e.w, text) }

// wrapped prints a text after what stands before its first line; the other lines begin below it.
func (e *examination) wrapped(before, text string) {
	margin := printable.Columns(before)
	if e.Width-margin < 30 { // too narrow to stand beside it
		if strings.TrimSpace(before) != "" {
			e.line(strings.TrimRight(before, " "))
		}
		margin, before = 4, "    "
	}
	text = strings.Join(strings.Fields(printable.Clean(text)), " ")
	for i, line := range printable.Wrap(text, e.Width-margin) {
		if i > 0 {
			before = strings.Repeat(" ", margin)
		}
		e.line(before + line)
	}
}

func (e *examination) findings(found doctor.Report) {
	colours := map[doctor.State]string{doctor.OK: good, doctor.Absent: faint, doctor.Warning: unsure, doctor.Broken: bad}
	width := 0
	for _, f := range found.Findings {
		width = max(width, printable.Columns(f.Name))
	}
	topic := ""
	for _, f := range found.Findings {
		if f.Topic != topic {
			topic = f.Topic
			e.line("\n" + paint(e.Colour, strong, topic))
		}
		before := "  " + printable.Pad(string(f.State), 7) + "  " + printable.Pad(f.Name, width) + "  "
		var lines []string
		margin := printable.Columns(before)
		if e.Width-margin < 30 { // too narrow to stand beside the name
			margin, lines = 4, []string{""}
		}
		for i, text := range []string{f.Text, f.Do} {
			if i == 1 && text != "" {
				text = "-> " + text
			}
			if text != "" {
				lines = append(lines, printable.Wrap(strings.Join(strings.Fields(printable.Clean(text)), " "), e.Width-margin)...)
			}
			if f.State == doctor.Absent {
				break
			}
		}
		e.line(strings.TrimRight("  "+paint(e.Colour, colours[f.State], printable.Pad(string(f.State), 7))+"  "+printable.Pad(f.Name, width)+"  "+lines[0], " "))
		for _, line := range lines[1:] {
			e.line(strings.Repeat(" ", margin) + line)
		}
	}
	e.line("")
}

func (e *examination) coverage(found doctor.Report, forecast suites.Forecast) {
	about := ""
	if !forecast.Exact {
		about = "About "
	}
	if !found.Reachable {
		e.line(fmt.Sprintf("0 of %s would be verified.", digest.Quantity(forecast.Of, "rule")))
		return
	}
	e.line(paint(e.Colour, strong, fmt.Sprintf("%s%d of %s would be verified.", about, forecast.Verified, digest.Quantity(forecast.Of, "rule"))))
	width := 0
	for _, g := range forecast.Gaps {
		width = max(width, printable.Columns(g.Key))
	}
	for _, g := range forecast.Gaps {
		do := "correct"
		if g.Absent {
			do = "add"
		}
		e.wrapped("  "+printable.Pad(do, 7)+"  "+printable.Pad(g.Key, width)+"  ", "to verify "+digest.Quantity(g.Rules, "rule"))
	}
}

// next is the last line: the command to go on with, or what to correct before.
func (e *examination) next(found doctor.Report) {
	command := func(verb string) string {
		if e.Deployment == "" {
			return "gateassay " + verb
		}
		return "gateassay " + verb + " -d " + digest.Quote(e.Deployment)
	}
	switch {
	case found.Obstacle != nil:
		e.line("")
		for line := range strings.Lines(found.Obstacle.Lines()) {
			e.wrapped("", line)
		}
	case !found.Reachable:
		e.wrapped("", "This deployment cannot be tested: correct what is broken.")
		e.line("Next: " + command("doctor"))
	default:
		e.line("Next: " + command("conform"))
	}
}
