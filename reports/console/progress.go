package console

import (
	"fmt"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/suites"
)

// brief is a run of which its progress says nothing more.
const brief = 2 * time.Second

// Progress shows how far a run is, in one line.
type Progress struct {
	*terminal.Display
	state   func() suites.State
	started time.Time
}

// NewProgress shows progress on a screen.
func NewProgress(s terminal.Screen) *Progress {
	p := &Progress{Display: terminal.NewDisplay(s)}
	p.Rows = func() []terminal.Row {
		if time.Since(p.started) < brief {
			return nil
		}
		return []terminal.Row{{Text: p.line()}}
	}
	return p
}

// Watch shows where a run stands until the function that it returns is called.
func (p *Progress) Watch(state func() suites.State) (stop func()) {
	p.Begin(func() { p.state, p.started = state, time.Now() })
	return p.Stop
}

func (p *Progress) line() string {
	s, took := p.state(), time.Since(p.started)
	text := fmt.Sprintf("%d/%d checks  %s  ", s.Done, s.Cases, digest.Quantity(s.Sent, "request"))
	if s.Pause >= time.Second {
		return text + fmt.Sprintf("throttled: waiting %s as the deployment asks  %s", s.Pause.Truncate(time.Second), terminal.Clock(took))
	}
	text += fmt.Sprintf("%d in flight  %.0f/s  %s", s.InFlight, float64(s.Sent)/max(took.Seconds(), 0.001), terminal.Clock(took))
	if s.Done > 0 && took >= terminal.Interval { // when checks keep ending as they did
		text += ", about " + terminal.Clock(took*time.Duration(s.Cases-s.Done)/time.Duration(s.Done)) + " left"
	}
	if s.Throttled > 0 {
		text += "  throttled " + digest.Quantity(s.Throttled, "time")
	}
	if s.Failures > 0 {
		text += "  " + digest.Quantity(s.Failures, "check") + " failed"
		text += ", last of " + printable.Clean(printable.Clip(s.Failing, 100))
	}
	return text
}
