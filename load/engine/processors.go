package engine

import (
	"context"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Processors is how many processors the Go runtime uses (GOMAXPROCS) while a process does nothing but drive load. At
// low rates a second one only costs: each answer wakes it, and it looks for work in vain. So one is used while a run is
// calm, and all of them otherwise. A nil *Processors leaves the number as it is.
type Processors struct {
	mu      sync.Mutex
	all     int
	calm    bool
	waiting int // calls of Wait under way
}

// NewProcessors is for programs in which nothing else needs the processors: no target, no other run. It is nil where
// there is only one, or where GOMAXPROCS in the environment says how many to use.
func NewProcessors() *Processors {
	all := runtime.GOMAXPROCS(0)
	if all < 2 || os.Getenv("GOMAXPROCS") != "" {
		return nil
	}
	return &Processors{all: all}
}

// Wait calls a function that may wait for the system, such as for a disk. Go lets such a call keep its processor for up
// to some 20 ms, in which a run that has only one would send nothing.
func (p *Processors) Wait(f func()) {
	if p != nil {
		p.change(func() { p.waiting++ })
		defer p.change(func() { p.waiting-- })
	}
	f()
}

func (p *Processors) change(state func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	state()
	n := p.all
	if p.calm && p.waiting == 0 {
		n = 1
	}
	if n != runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(n) // stops all goroutines for some 50 µs
	}
}

// A run is calm as long as each look at it finds all of these.
const (
	calmRate     = 5000                 // requests a second, at most, that the schedule means to be sent
	calmSecure   = 2000                 // the same over TLS, where each new connection costs a millisecond of CPU
	calmInFlight = 256                  // more answers than that may come at once, and have to be read at once
	calmLate     = 5 * time.Millisecond // no request has been due for longer
	calmFor      = time.Second          // before one processor is used
	calmLook     = 10 * time.Millisecond
)

// tend gives a run the processors that it needs until the context ends.
func (p *Processors) tend(ctx context.Context, e *Engine, start time.Time) {
	look := time.NewTicker(calmLook)
	defer look.Stop()
	defer p.change(func() { p.calm = false })
	for restless := start; ; {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		now := time.Now()
		if !e.calm(now.Sub(start)) {
			restless = now
		}
		if calm := now.Sub(restless) >= calmFor; calm != p.calm {
			p.change(func() { p.calm = calm })
		}
	}
}

// calm reports whether one processor is enough at a moment of the run.
func (e *Engine) calm(now time.Duration) bool {
	s, rate := e.State(), float64(calmRate)
	if strings.HasPrefix(e.o.Target.URL, "https:") {
		rate = calmSecure
	}
	return e.o.Share.Rate(now) <= rate && s.InFlight <= calmInFlight && s.Begun >= e.o.Share.DueBy(now-calmLate)
}
