package console

import (
	"fmt"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/suites"
)

// minShownDuration is the shortest duration that is shown as an estimate or with progress.
const minShownDuration = 2 * time.Second

// OpeningLine says what a run is about to test: "Testing staging at https://…: 389 rules, about
// 1,100 requests, about 55 s at 20/s".
func OpeningLine(o suites.RunOutlook) string {
	what := o.Deployment
	if o.Embedded {
		what = "the embedded gateway"
	}
	text := fmt.Sprintf("Testing %s at %s: ", printable.Clean(what), printable.Clean(o.BaseURL))
	if o.Selected.IsPartial() {
		text += fmt.Sprintf("%d of ", o.Selected.Selected)
	}
	text += printable.Quantity(o.Selected.Total, "rule")
	if o.Requests > 0 {
		text += ", about " + printable.Quantity(roundRequests(o.Requests), "request")
	}
	switch {
	case o.EstimatedDuration >= minShownDuration:
		text += fmt.Sprintf(", %s at %g/s", estimateText(o.EstimatedDuration), o.Rate)
	case o.Requests > 0:
		text += ", " + estimateText(o.EstimatedDuration)
	}
	return text
}

// roundRequests rounds a number of requests to two digits: 1,103 becomes 1,100.
func roundRequests(n int) int {
	if n >= 1000 {
		return (n + 50) / 100 * 100
	}
	return (n + 5) / 10 * 10
}

// Progress shows the progress of a run in one line.
type Progress struct {
	*terminal.Display
	state   func() suites.RunState
	started time.Time
	end     time.Time // expected end of the run; it never moves later
}

// NewProgress shows progress on a screen.
func NewProgress(s terminal.Screen) *Progress {
	p := &Progress{Display: terminal.NewDisplay(s)}
	p.Rows = func() []terminal.ColouredLine {
		if time.Since(p.started) < minShownDuration {
			return nil
		}
		return []terminal.ColouredLine{{Text: p.statusLine()}}
	}
	return p
}

// Watch shows the progress until stop is called.
func (p *Progress) Watch(state func() suites.RunState) (stop func()) {
	p.Begin(func() { p.state, p.started = state, time.Now() })
	return p.Stop
}

func (p *Progress) statusLine() string {
	s, took := p.state(), time.Since(p.started)
	text := fmt.Sprintf("%d/%d checks  %s  ", s.Done, s.Cases, printable.Quantity(s.Sent, "request"))
	if s.Pause >= time.Second {
		return text + fmt.Sprintf("throttled: waiting %s as the deployment asks  %s",
			s.Pause.Truncate(time.Second), terminal.FormatDuration(took))
	}
	text += fmt.Sprintf("%d in flight", s.InFlight)
	if s.InFlight == 0 && s.Awaited > 0 {
		text += ", waiting for " + printable.Quantity(s.Awaited, "file")
	}
	text += fmt.Sprintf("  %.0f/s  %s", float64(s.Sent)/max(took.Seconds(), 0.001),
		terminal.FormatDuration(took))
	if s.Done > 0 && took >= terminal.LineInterval { // extrapolated from the checks so far
		end := p.started.Add(took * time.Duration(s.Cases) / time.Duration(s.Done))
		if p.end.IsZero() || end.Before(p.end) {
			p.end = end
		}
		if left := time.Until(p.end); left >= time.Second { // otherwise it takes longer than expected
			text += ", about " + terminal.FormatDuration(left) + " left"
		}
	}
	if s.Throttled > 0 {
		text += "  throttled " + printable.Quantity(s.Throttled, "time")
	}
	if s.Failures > 0 {
		text += "  " + printable.Quantity(s.Failures, "check") + " failed"
		text += ", last of " + printable.Clip(s.LastFailure, 100)
	}
	return text
}
