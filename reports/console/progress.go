package console

import (
	"fmt"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

// brief is a run of which a line elsewhere than on a terminal says nothing more.
const brief = 2 * time.Second

// State is where a run stands.
type State = suites.State

// Progress shows how far a run is, in one line.
type Progress struct {
	*terminal.Display
	total   int
	state   State
	last    string // ID of the rule whose check failed last
	started time.Time
}

// NewProgress shows progress on a screen.
func NewProgress(s terminal.Screen) *Progress {
	p := &Progress{Display: terminal.NewDisplay(s)}
	p.Rows = func() []terminal.Row { return []terminal.Row{{Text: p.line()}} }
	p.Line = func() string {
		if time.Since(p.started) < brief {
			return ""
		}
		return p.line()
	}
	return p
}

// Start begins with the number of checks that will run.
func (p *Progress) Start(total int) {
	p.Begin(func() { p.total, p.state, p.last, p.started = total, State{}, "", time.Now() })
}

// Update says where the run stands. It writes nothing itself: the next drawing shows it.
func (p *Progress) Update(s State) {
	p.Lock()
	defer p.Unlock()
	p.state = s
}

// Failure names the rule whose check failed. The report shows all of it, once.
func (p *Progress) Failure(r record.Rule, _ record.Check) {
	p.Lock()
	defer p.Unlock()
	p.last = r.ID
}

func (p *Progress) line() string {
	s, took := p.state, time.Since(p.started)
	text := fmt.Sprintf("%d/%d checks  %s  ", s.Done, p.total, digest.Quantity(s.Requests, "request"))
	if s.Pause >= time.Second {
		return text + fmt.Sprintf("throttled: waiting %s as the deployment asks  %s", s.Pause.Truncate(time.Second), terminal.Clock(took))
	}
	text += fmt.Sprintf("%d in flight  %.0f/s  %s", s.InFlight, float64(s.Requests)/max(took.Seconds(), 0.001), terminal.Clock(took))
	if s.Done > 0 && took >= terminal.Interval { // when checks keep ending as they did
		text += ", about " + terminal.Clock(took*time.Duration(p.total-s.Done)/time.Duration(s.Done)) + " left"
	}
	if s.Throttled > 0 {
		text += "  throttled " + digest.Quantity(s.Throttled, "time")
	}
	if s.Failures > 0 {
		text += "  " + digest.Quantity(s.Failures, "check") + " failed"
		if p.last != "" {
			text += ", last of " + printable.Clean(printable.Clip(p.last, 100))
		}
	}
	return text
}
