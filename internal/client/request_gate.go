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
	// the longest pause; a request that is told to wait longer is not retried
	maxThrottlePause = time.Minute
	maxThrottledTime = 75 * time.Second // of throttling without any other answer in between
	// consecutive throttled episodes after which the deployment seems to throttle everything
	maxThrottledInRow = 3
	// the longest wait of a throttled request while others succeed
	maxSinglePause = 2 * time.Second
	firstBackoff   = 500 * time.Millisecond
)

// requestGate decides which request is sent next: the lowest rank first, in order of arrival
// within a rank. It bounds how many are in flight and paces them.
type requestGate struct {
	mu    sync.Mutex
	queue []*gateWaiter // ordered by rank
	slots int
	timer *time.Timer
	gateState

	limit float64   // configured requests per second; 0: no limit
	rate  float64   // current requests per second; 0: no limit
	next  time.Time // the earliest time of the next request: requests are spaced evenly

	slowedAt time.Time // start of the latest throttled episode; requests admitted earlier belong to it
	streak   int       // consecutive throttled episodes without another answer
	since    time.Time // when the streak began
	refused  int       // episodes of the streak that asked for more than the longest pause
}

// gateState is the part of a gate that snapshot returns.
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

// acquire waits for n slots and for n shares of the pace. It returns the time of admission; the
// caller must release the slots. It fails at once, holding nothing, if ctx is done or the gate
// closes.
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
	case w.err == nil: // it was admitted at the same moment
		g.used -= n
	}
	g.admitWaiting()
	return time.Time{}, ctx.Err()
}

// enqueue inserts a waiter behind all others of the same rank. A race at the head stays there:
// its slots become free within one answer, but never if lower ranks keep overtaking it.
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

// admitWaiting admits waiters from the head of the queue while slots and pace allow. It sets the
// timer for when the pace allows the next. A waiter behind the head is never admitted first.
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

// interval returns the time between two requests.
func (g *requestGate) interval() time.Duration {
	if g.rate == 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / g.rate)
}

// delay returns how long n requests have to wait for a pause and for the pace. A race waits for
// the time that its requests would take one by one.
func (g *requestGate) delay(now time.Time, n int) time.Duration {
	if wait := g.pausedUntil.Sub(now); wait > 0 {
		return wait
	}
	return g.next.Add(time.Duration(n-1) * g.interval()).Sub(now)
}

// close closes the gate. Waiting and later requests fail with err.
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
