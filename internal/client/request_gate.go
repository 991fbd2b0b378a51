package client

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

var (
	errClosed    = errors.New("the client is closed")
	errExhausted = errors.New("the deployment throttles every request")
)

const (
	// nothing is sent for this long at most; who is asked for more is not asked again
	maxThrottlePause = time.Minute
	maxThrottledTime = 75 * time.Second // of throttling without any other answer in between
	// throttled episodes in a row after which nothing is taken to get past
	maxThrottledInRow = 3
	// who is throttled while others get past waits this long at most
	minThrottlePause = 2 * time.Second
	firstBackoff     = 500 * time.Millisecond
)

// requestGate decides who may send next: the lowest rank first, first come first served within a
// rank. It bounds what is in flight and paces what starts.
type requestGate struct {
	mu    sync.Mutex
	queue []*gateWaiter // in the order of their ranks
	slots int
	timer *time.Timer
	gateState

	limit float64   // requests per second that the run may reach, 0: unlimited
	rate  float64   // the pace now, 0: unlimited
	next  time.Time // requests are spaced evenly: none before this

	slowedAt time.Time // requests admitted before this belong to the episode that began then
	streak   int       // throttled episodes without another answer in between
	since    time.Time // when the streak began
	refused  int       // of the streak: asked for more than the longest pause
}

// gateState is what others may see of a gate.
type gateState struct {
	used, peak  int
	pausedUntil time.Time
	closed      error
}

type gateWaiter struct {
	rank  int
	n     int
	ready chan struct{}
	err   error
}

func newRequestGate(slots int, rate float64) *requestGate {
	g := &requestGate{slots: slots, limit: rate, rate: rate}
	g.timer = time.AfterFunc(maxThrottlePause, func() { g.release(0) })
	return g
}

// acquire waits for n slots and for n shares of the pace. The time of admission is returned; the
// caller gives the slots back with release. It ends at once, with an error and nothing held, when
// ctx is done or the gate closes.
func (g *requestGate) acquire(ctx context.Context, rank, n int) (time.Time, error) {
	if err := ctx.Err(); err != nil {
		return time.Time{}, err
	}
	g.mu.Lock()
	if g.closed != nil {
		defer g.mu.Unlock()
		return time.Time{}, g.closed
	}
	w := &gateWaiter{rank: rank, n: n, ready: make(chan struct{})}
	g.enqueue(w)
	g.admitWaiting()
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
	}
	g.admitWaiting()
	return time.Time{}, ctx.Err()
}

// enqueue takes a place behind all of the same rank. A race whose turn it is is not overtaken any
// more: its slots come free within one answer, and would not as long as requests of lower ranks
// keep coming.
func (g *requestGate) enqueue(w *gateWaiter) {
	first := 0
	if len(g.queue) > 0 && g.queue[0].n > 1 {
		first = 1
	}
	behind, _ := slices.BinarySearchFunc(g.queue[first:], w.rank+1,
		func(w *gateWaiter, rank int) int { return w.rank - rank })
	g.queue = slices.Insert(g.queue, first+behind, w)
}

func (g *requestGate) release(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.used -= n
	g.admitWaiting()
}

// admitWaiting admits from the head of the queue for as long as slots and pace allow, and sets the
// timer for when that changes by itself. Only the head is looked at.
func (g *requestGate) admitWaiting() {
	for len(g.queue) > 0 && g.closed == nil {
		w := g.queue[0]
		if g.used+w.n > g.slots {
			return
		}
		now := time.Now()
		if wait := g.delay(now, w.n); wait > 0 {
			g.timer.Reset(wait)
			return
		}
		g.queue = slices.Delete(g.queue, 0, 1)
		g.next = now.Add(g.interval())
		g.used += w.n
		g.peak = max(g.peak, g.used)
		close(w.ready)
	}
}

// interval is the time between two requests.
func (g *requestGate) interval() time.Duration {
	if g.rate == 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / g.rate)
}

// delay is how long n requests still have to wait for the pace and for a pause. A race waits until
// nothing was sent for as long as its requests would have taken one by one.
func (g *requestGate) delay(now time.Time, n int) time.Duration {
	if wait := g.pausedUntil.Sub(now); wait > 0 {
		return wait
	}
	return g.next.Add(time.Duration(n-1) * g.interval()).Sub(now)
}

// close lets nobody in any more and sends everybody home who waits.
func (g *requestGate) close(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closeLocked(err)
}

func (g *requestGate) closeLocked(err error) {
	if g.closed != nil {
		return
	}
	g.closed = err
	g.timer.Stop()
	for _, w := range g.queue {
		w.err = err
		close(w.ready)
	}
	g.queue = nil
}

func (g *requestGate) snapshot() gateState {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.gateState
}
