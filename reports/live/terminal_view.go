// Package live shows a running load test: a few lines redrawn in place on a terminal, a plain line
// every few seconds elsewhere.
package live

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/terminal"
)

// TerminalView shows one run; see terminal.Display.
type TerminalView struct {
	*terminal.Display
	title  string
	status results.Status
	begun  bool // a status was reported
}

// NewTerminalView returns a view that shows runs on a screen.
func NewTerminalView(s terminal.Screen) *TerminalView {
	v := &TerminalView{Display: terminal.NewDisplay(s)}
	v.Rows = func() []terminal.ColouredLine {
		if !v.begun {
			return nil
		}
		rows := statusRows(v.status)
		rows[0].Text = v.title + "  " + rows[0].Text
		return rows
	}
	return v
}

// Start shows a run with a title, such as the name of the deployment.
func (v *TerminalView) Start(title, _ string) {
	v.Begin(func() { v.title, v.begun, v.status = printable.Clean(title), false, results.Status{} })
}

// Update sets the status of the run. The next drawing shows it.
func (v *TerminalView) Update(s results.Status) {
	v.Lock()
	defer v.Unlock()
	v.status, v.begun = s, true
}

// statusRows returns the status of a run: time, rates, latencies, answers, and problems in red.
func statusRows(s results.Status) []terminal.ColouredLine {
	list := []terminal.ColouredLine{{Text: elapsedText(s), Colour: terminal.ColourBold}}
	add := func(colour, label, text string) {
		if text != "" {
			list = append(list, terminal.ColouredLine{Text: label + " " + text, Colour: colour})
		}
	}
	rate, ms := plot.UnitPerSecond.FormatValue, plot.UnitMilliseconds.FormatValue
	add(terminal.ColourNone, "target", fmt.Sprintf("%s  achieved %s  %d in flight  %d sent of %d",
		rate(s.Target), rate(s.Achieved), s.InFlight, s.Sent, s.Scheduled))
	if t := s.Response; t.Max > 0 {
		add(terminal.ColourNone, "response",
			fmt.Sprintf("p50 %s  p90 %s  p99 %s  max %s", ms(t.P50), ms(t.P90), ms(t.P99), ms(t.Max)))
	}
	add(terminal.ColourNone, "answers", classCounts(s.Classes, false))
	if s.Silent > 0 {
		add(terminal.ColourBad, "no answer", fmt.Sprintf("for %.1f s", s.Silent.Seconds()))
	}
	add(terminal.ColourBad, "errors", classCounts(s.Classes, true))
	if f := s.Files; f != nil {
		add(terminal.ColourNone, "files", fileCounts(f))
	}
	return list
}

func fileCounts(f *files.Counts) string {
	parts := []string{
		fmt.Sprintf("%d ready", f.Ready), fmt.Sprintf("%d failed", f.Failed),
		fmt.Sprintf("%d pending", f.Pending), fmt.Sprintf("%d not followed", f.Dropped),
	}
	return strings.Join(slices.DeleteFunc(parts,
		func(s string) bool { return strings.HasPrefix(s, "0 ") }), "  ")
}

// elapsedText returns the elapsed time and the stage.
func elapsedText(s results.Status) string {
	text := fmt.Sprintf("%s/%s", terminal.FormatDuration(s.To), terminal.FormatDuration(s.Duration))
	switch left := s.Duration - s.To; {
	case left > 0:
		text += fmt.Sprintf("  %s left", terminal.FormatDuration(left))
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

// classCounts lists the counts of the expected answers or, with bad, of the bad ones.
func classCounts(counts [judge.NumClasses]int64, bad bool) string {
	var parts []string
	for c, n := range counts {
		class := judge.Class(c)
		if class.IsBad() == bad && n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(class.String(), "_", " ")))
		}
	}
	return strings.Join(parts, "  ")
}
