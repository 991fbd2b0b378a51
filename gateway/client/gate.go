package client

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"
)

var (
	errClosed    = errors.New("the client is closed")
	errExhausted = errors.New("the deployment throttles every request")
)

const (
	longestPause  = time.Minute      // nothing is sent for this long at most; who is asked for more is not asked again
	longestStreak = 75 * time.Second // of throttling without any other answer in between
	mostRefused   = 3                // throttled episodes in a row that asked for more than the longest pause
	soonAgain     = 2 * time.Second  // who is throttled while others get past waits this long at most
	firstBackoff  = 500 * time.Millisecond
	widestRace    = 16
)

// gate decides who may send next: the lowest rank first, first come first served within a rank. It bounds what is in
// flight and paces what starts.
type gate struct {
	mu    sync.Mutex
	queue []*waiter // in the order of their ranks
	slots int
	timer *time.Timer
	gateState

	limit  float64 // requests per second that the run may reach, 0: unlimited
	rate   float64 // the pace now, 0: unlimited
	burst  float64 // tokens that can be saved up for a race
	tokens float64
	filled time.Time // when tokens was last brought up to date
	next   time.Time // ordinary requests are spaced evenly: none before this

	brake    brake
	slowedAt time.Time     // requests admitted before this belong to the episode that began then
	streak   int           // throttled episodes without another answer in between
	since    time.Time     // when the streak began
	paused   time.Duration // how long nothing was sent, in all
	refused  int           // of the streak: asked for more than the longest pause
	recent   []time.Time   // admissions of the last second, to find a pace where there was none
}

// gateState is what others may see of a gate.
type gateState struct {
	used, peak  int
	pausedUntil time.Time
	closed      error
}

type waiter struct {
	rank  int
	n     int
	ready chan struct{}
	err   error
}

func newGate(slots int, rate float64) *gate {
	burst := float64(min(widestRace, slots))
	return &gate{slots: slots, limit: rate, rate: rate, burst: burst, tokens: burst, filled: time.Now()}
}

// acquire waits for n slots and n tokens of the pace. The time of admission is returned; the caller gives the slots
// back with release. It ends at once, with an error and nothing held, when ctx is done or the gate closes.
func (g *gate) acquire(ctx context.Context, rank, n int) (time.Time, error) {
	if err := ctx.Err(); err != nil {
		return time.Time{}, err
	}
	g.mu.Lock()
	if g.closed != nil {
		defer g.mu.Unlock()
		return time.Time{}, g.closed
	}
	w := &waiter{rank: rank, n: n, ready: make(chan struct{})}
	g.enter(w)
	g.pump()
	g.mu.Unlock()

	select {
	case <-w.ready:
		return time.Now(), w.err
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch at := slices.Index(g.queue, w); {
	case at >= 0:
		g.queue = slices.Delete(g.queue, at, at+1)
	case w.err == nil: // admitted in the same moment
		g.used -= n
		g.tokens += float64(n)
	}
	g.pump()
	return time.Time{}, ctx.Err()
}

// enter takes a place behind all of the same rank. A race whose turn it is is not overtaken any more: its slots come free
// within one answer, and would not as long as requests of lower ranks keep coming.
func (g *gate) enter(w *waiter) {
	first := 0
	if len(g.queue) > 0 && g.queue[0].n > 1 {
		first = 1
	}
	behind, _ := slices.BinarySearchFunc(g.queue[first:], w.rank+1, func(w *waiter, rank int) int { return w.rank - rank })
	g.queue = slices.Insert(g.queue, first+behind, w)
}

func (g *gate) release(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.used -= n
	g.pump()
}

// pump admits from the head of the queue for as long as slots and pace allow, and sets the timer for when that changes
// by itself. Only the head is looked at.
func (g *gate) pump() {
	for len(g.queue) > 0 && g.closed == nil {
		w := g.queue[0]
		if g.used+w.n > g.slots {
			return
		}
		now := time.Now()
		if wait := g.delay(now, w.n); wait > 0 {
			g.wake(wait)
			return
		}
		g.queue = slices.Delete(g.queue, 0, 1)
		g.spend(now, w.n)
		g.used += w.n
		g.peak = max(g.peak, g.used)
		close(w.ready)
	}
}

// delay is how long n requests still have to wait for the pace and for a pause.
func (g *gate) delay(now time.Time, n int) time.Duration {
	if wait := g.pausedUntil.Sub(now); wait > 0 {
		return wait
	}
	if g.rate == 0 {
		return 0
	}
	g.tokens = math.Min(g.burst, g.tokens+now.Sub(g.filled).Seconds()*g.rate)
	g.filled = now
	// A race wider than the burst goes into debt, which the requests after it pay.
	if missing := math.Min(float64(n), g.burst) - g.tokens; missing > 1e-6 {
		return time.Duration(missing/g.rate*float64(time.Second)) + time.Microsecond
	}
	if n == 1 {
		return g.next.Sub(now)
	}
	return 0
}

// spend takes n tokens and sets the earliest moment of the next ordinary request. A late timer is made up for, but by
// no more than a few milliseconds, so that lateness does not become a burst.
func (g *gate) spend(now time.Time, n int) {
	if g.rate == 0 {
		g.recent = append(g.recent, now)
		if len(g.recent) > 4096 || now.Sub(g.recent[0]) > time.Second {
			g.forget(now)
		}
		return
	}
	g.tokens -= float64(n)
	interval := time.Duration(float64(time.Second) / g.rate)
	slack := min(interval, 5*time.Millisecond)
	from := now.Add(-slack)
	if g.next.After(from) {
		from = g.next
	}
	if n > 1 {
		from = now
	}
	g.next = from.Add(interval)
}

func (g *gate) forget(now time.Time) {
	g.recent = slices.DeleteFunc(g.recent, func(at time.Time) bool { return now.Sub(at) > time.Second })
	if len(g.recent) > 4096 {
		g.recent = slices.Delete(g.recent, 0, len(g.recent)/2)
	}
}

func (g *gate) wake(after time.Duration) {
	if g.timer == nil {
		g.timer = time.AfterFunc(after, func() {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.pump()
		})
		return
	}
	g.timer.Reset(after)
}

// close lets nobody in any more and sends everybody home who waits.
func (g *gate) close(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut(err)
}

func (g *gate) shut(err error) {
	if g.closed != nil {
		return
	}
	g.closed = err
	if g.timer != nil {
		g.timer.Stop()
	}
	for _, w := range g.queue {
		w.err = err
		close(w.ready)
	}
	g.queue = nil
}

func (g *gate) now() gateState {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.gateState
}
