package console

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

const (
	redraw   = 100 * time.Millisecond // on a terminal
	interval = 5 * time.Second        // between lines elsewhere
	window   = 5 * time.Second        // that the shown rate looks back
)

// State is where a run stands.
type State = suites.State

// Option changes how progress is shown.
type Option func(*Progress)

// Quiet shows nothing at all.
func Quiet() Option { return func(p *Progress) { p.quiet = true } }

// Timed replaces the clock: now returns the time, ticks returns a channel that asks for a redraw about every d and a
// function that ends it.
func Timed(now func() time.Time, ticks func(d time.Duration) (<-chan time.Time, func())) Option {
	return func(p *Progress) { p.now, p.ticks = now, ticks }
}

// Progress shows how far a run is: one line that is rewritten on a terminal, a line every few seconds elsewhere.
// Methods may be called from several goroutines; those after Stop do nothing.
type Progress struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	width    func() int
	quiet    bool
	now      func() time.Time
	ticks    func(time.Duration) (<-chan time.Time, func())

	total   int
	state   State
	last    string // ID of the rule whose check failed last
	started time.Time
	shown   int  // columns of the line on screen
	running bool // between Start and Stop
	samples []sample
	stop    chan struct{}
	stopped chan struct{}
}

type sample struct {
	at       time.Time
	requests int
}

// NewProgress shows progress on w. isTerminal reports whether a line can be rewritten there (see Interactive); width
// gives the terminal's columns, asked at each redraw as windows change size; it may be nil off a terminal.
func NewProgress(w io.Writer, isTerminal bool, width func() int, options ...Option) *Progress {
	p := &Progress{w: w, terminal: isTerminal, width: width, now: time.Now, ticks: func(d time.Duration) (<-chan time.Time, func()) {
		t := time.NewTicker(d)
		return t.C, t.Stop
	}}
	for _, o := range options {
		o(p)
	}
	return p
}

// Start begins with the number of checks that will run.
func (p *Progress) Start(total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.quiet || p.running {
		return
	}
	p.total, p.state, p.started, p.running = total, State{}, p.now(), true
	p.last = ""
	p.samples = []sample{{p.started, 0}}
	p.stop, p.stopped = make(chan struct{}), make(chan struct{})
	every := interval
	if p.terminal {
		every = redraw
		p.draw()
	}
	tick, end := p.ticks(every)
	go func(stop <-chan struct{}, stopped chan<- struct{}) {
		defer close(stopped)
		defer end()
		for {
			select {
			case <-stop:
				return
			case <-tick:
				p.mu.Lock()
				p.draw()
				p.mu.Unlock()
			}
		}
	}(p.stop, p.stopped)
}

// Update says where the run stands. It writes nothing itself: the next redraw shows it.
func (p *Progress) Update(s State) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state = s
}

// Failure names the rule whose check failed. It writes nothing itself: the next redraw shows it, and the report all of
// it, once.
func (p *Progress) Failure(r record.Rule, _ record.Check) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = r.ID
}

// Stop ends the display; on a terminal the line goes away, elsewhere a last line says where the run stands.
func (p *Progress) Stop() {
	p.mu.Lock()
	if !p.running {
		p.mu.Unlock()
		return
	}
	if p.terminal {
		p.erase()
	} else {
		p.draw()
	}
	p.running = false
	close(p.stop)
	p.mu.Unlock()
	<-p.stopped
}

// columns that a rewritten line may take: one less than there are, as some terminals wrap on the last.
func (p *Progress) columns() int {
	columns := 80
	if p.width != nil {
		if n := p.width(); n > 0 {
			columns = n
		}
	}
	return max(1, columns-1)
}

func (p *Progress) erase() {
	if p.terminal && p.shown > 0 {
		fmt.Fprint(p.w, "\r"+strings.Repeat(" ", min(p.shown, p.columns()))+"\r")
		p.shown = 0
	}
}

func (p *Progress) draw() {
	if !p.running {
		return
	}
	line := p.line()
	if !p.terminal {
		fmt.Fprintln(p.w, line)
		return
	}
	line = printable.Fit(line, p.columns())
	columns := printable.Columns(line)
	trail := strings.Repeat(" ", max(0, min(p.shown, p.columns())-columns))
	fmt.Fprint(p.w, "\r"+line+trail)
	p.shown = columns
}

func (p *Progress) line() string {
	now := p.now()
	s := p.state
	if s.Pause >= time.Second {
		return fmt.Sprintf("%d/%d checks  %s  throttled: waiting %s as the deployment asks  %s", s.Done, p.total, digest.Quantity(s.Requests, "request"),
			s.Pause.Truncate(time.Second), elapsed(now.Sub(p.started)))
	}
	text := fmt.Sprintf("%d/%d checks  %s  %d in flight  %.0f/s  %s", s.Done, p.total, digest.Quantity(s.Requests, "request"), s.InFlight, p.rate(now), elapsed(now.Sub(p.started)))
	if left := p.left(now); left > 0 {
		text += ", about " + elapsed(left) + " left"
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
	took := now.Sub(p.started)
	if p.state.Done == 0 || took < interval {
		return 0
	}
	return took * time.Duration(p.total-p.state.Done) / time.Duration(p.state.Done)
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

func elapsed(d time.Duration) string {
	d = max(0, d).Truncate(time.Second)
	return fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60)
}
