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

const (
	window = 5 * time.Second // that the shown rate looks back
	brief  = 2 * time.Second // a run, of which a line elsewhere than on a terminal says nothing more
)

// State is where a run stands.
type State = suites.State

// Progress shows how far a run is, in one line.
type Progress struct {
	*terminal.Display
	total   int
	state   State
	last    string // ID of the rule whose check failed last
	started time.Time
	samples []sample
	settled sample // when the first second was over: most of what had ended by then had nothing to wait for
}

// sample is how many checks had ended and requests were sent at a moment.
type sample struct {
	at             time.Time
	done, requests int
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
	p.Begin(func() {
		p.total, p.state, p.last, p.started, p.settled = total, State{}, "", time.Now(), sample{}
		p.samples = []sample{{at: p.started}}
	})
}

// Update says where the run stands. It writes nothing itself: the next drawing shows it.
func (p *Progress) Update(s State) {
	p.Lock()
	defer p.Unlock()
	p.state = s
	if p.settled.at.IsZero() && time.Since(p.started) >= time.Second {
		p.settled = sample{at: time.Now(), done: s.Done}
	}
}

// Failure names the rule whose check failed. The report shows all of it, once.
func (p *Progress) Failure(r record.Rule, _ record.Check) {
	p.Lock()
	defer p.Unlock()
	p.last = r.ID
}

func (p *Progress) line() string {
	now, s := time.Now(), p.state
	text := fmt.Sprintf("%d/%d checks  %s  ", s.Done, p.total, digest.Quantity(s.Requests, "request"))
	if s.Pause >= time.Second {
		return text + fmt.Sprintf("throttled: waiting %s as the deployment asks  %s", s.Pause.Truncate(time.Second),
			terminal.Clock(now.Sub(p.started)))
	}
	text += fmt.Sprintf("%d in flight  %.0f/s  %s", s.InFlight, p.rate(now), terminal.Clock(now.Sub(p.started)))
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

// left is how long the rest may take, when checks keep ending as they did; 0 while that says little.
func (p *Progress) left(now time.Time) time.Duration {
	from := p.settled
	if from.at.IsZero() || from.done >= p.state.Done {
		from = sample{at: p.started}
	}
	if p.state.Done == from.done || now.Sub(p.started) < terminal.Interval {
		return 0
	}
	return now.Sub(from.at) * time.Duration(p.total-p.state.Done) / time.Duration(p.state.Done-from.done)
}

// rate of requests each second over the last few seconds.
func (p *Progress) rate(now time.Time) float64 {
	for len(p.samples) > 1 && now.Sub(p.samples[1].at) >= window {
		p.samples = p.samples[1:]
	}
	first := p.samples[0]
	p.samples = append(p.samples, sample{at: now, requests: p.state.Requests})
	if span := now.Sub(first.at).Seconds(); span > 0 {
		return max(0, float64(p.state.Requests-first.requests)/span)
	}
	return 0
}
