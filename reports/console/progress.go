package console

import (
	"fmt"
	"io"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

const (
	redraw = 100 * time.Millisecond // on a terminal
	window = 5 * time.Second        // that the shown rate looks back
	brief  = 2 * time.Second        // a run, of which a line elsewhere than on a terminal says nothing more
)

// State is where a run stands.
type State = suites.State

// Progress shows how far a run is: one line that is rewritten on a terminal, a line every few seconds elsewhere. See
// terminal.Display.
type Progress struct {
	*terminal.Display
	total   int
	state   State
	last    string // ID of the rule whose check failed last
	started time.Time
	samples []sample
	settled settlement
}

// settlement is how many checks had ended when the first second was over.
type settlement struct {
	at   time.Time
	done int
}

type sample struct {
	at       time.Time
	requests int
}

// NewProgress shows progress on w: see terminal.NewDisplay.
func NewProgress(w io.Writer, isTerminal bool, width func() int, options ...terminal.Option) *Progress {
	p := &Progress{Display: terminal.NewDisplay(w, isTerminal, width, redraw, options...)}
	p.Show = func() {
		switch {
		case p.Terminal:
			p.Rewrite(p.line())
		case p.Now().Sub(p.started) >= brief:
			p.Print(p.line())
		}
	}
	return p
}

// Start begins with the number of checks that will run.
func (p *Progress) Start(total int) {
	p.Begin(func() {
		p.total, p.state, p.last, p.started = total, State{}, "", p.Now()
		p.samples, p.settled = []sample{{p.started, 0}}, settlement{}
	})
}

// Update says where the run stands. It writes nothing itself: the next redraw shows it.
func (p *Progress) Update(s State) {
	p.Lock()
	defer p.Unlock()
	p.state = s
	if now := p.Now(); p.settled.at.IsZero() && now.Sub(p.started) >= time.Second {
		p.settled = settlement{now, s.Done}
	}
}

// Failure names the rule whose check failed. It writes nothing itself: the next redraw shows it, and the report all of
// it, once.
func (p *Progress) Failure(r record.Rule, _ record.Check) {
	p.Lock()
	defer p.Unlock()
	p.last = r.ID
}

func (p *Progress) line() string {
	now := p.Now()
	s := p.state
	if s.Pause >= time.Second {
		return fmt.Sprintf("%d/%d checks  %s  throttled: waiting %s as the deployment asks  %s", s.Done, p.total,
			digest.Quantity(s.Requests, "request"), s.Pause.Truncate(time.Second), terminal.Clock(now.Sub(p.started)))
	}
	text := fmt.Sprintf("%d/%d checks  %s  %d in flight  %.0f/s  %s", s.Done, p.total,
		digest.Quantity(s.Requests, "request"), s.InFlight, p.rate(now), terminal.Clock(now.Sub(p.started)))
	if left := p.left(now); left > 0 {
		text += ", about " + terminal.Clock(left) + " left"
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

// left is how long the rest may take, when checks keep ending as they did; 0 while that says little. Checks that ended
// in the first second had nothing to wait for, such as those of rules that are not verified, and say nothing about it.
func (p *Progress) left(now time.Time) time.Duration {
	settled := p.settled
	if settled.at.IsZero() || settled.done >= p.state.Done { // nothing ended at once, or nothing since
		settled = settlement{at: p.started}
	}
	if p.state.Done == settled.done || now.Sub(p.started) < terminal.Interval {
		return 0
	}
	return now.Sub(settled.at) * time.Duration(p.total-p.state.Done) / time.Duration(p.state.Done-settled.done)
}

// rate of requests each second over the last few seconds.
func (p *Progress) rate(now time.Time) float64 {
	for len(p.samples) > 1 && now.Sub(p.samples[1].at) >= window {
		p.samples = p.samples[1:]
	}
	first := p.samples[0]
	if len(p.samples) == 1 || now.Sub(p.samples[len(p.samples)-1].at) >= redraw {
		p.samples = append(p.samples, sample{now, p.state.Requests})
	}
	span := now.Sub(first.at).Seconds()
	if span <= 0 {
		return 0
	}
	return max(0, float64(p.state.Requests-first.requests)/span)
}
