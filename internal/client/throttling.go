package client

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// isThrottled reports whether an answer throttles, and how long it asks to wait; negative: it
// does not say. A 503 throttles if it has a Retry-After. Answers to polls for a file never do:
// they only say when to poll again.
func isThrottled(r *Request, x *Exchange) (asked time.Duration, yes bool) {
	asked = retryAfter(x.Header, time.Now())
	switch {
	case r.Operation == OperationFile:
		return 0, false
	case x.Status == http.StatusTooManyRequests:
		return asked, !r.MayBlock
	case x.Status == http.StatusServiceUnavailable:
		return asked, asked >= 0 && (r.Operation == OperationCreate || r.Operation == OperationExport)
	}
	return asked, false
}

// The pace slows down with each throttled episode and speeds up with each answer to a request
// sent since. So it settles at the deployment's limit, and recovers if a share of requests is
// throttled at any pace.
const (
	minRate        = 0.5  // requests per second; the pace never drops below
	initialRate    = 16.0 // requests per second assumed for a run without a limit
	unlimitedRate  = 1e3  // requests per second above which the pace is no longer limited
	slowdownFactor = 0.6
	speedupFactor  = 1.1
)

// onThrottled reacts to a throttling answer to a request admitted at a time, and returns how long
// that request should wait. A negative asked means that the deployment did not say. Answers to
// concurrent requests count as one episode, which slows the pace. The first episode pauses all
// requests, and so do those from the third in a row on; otherwise only this request waits. A
// request that should wait longer than maxThrottlePause is not retried, but others continue, since
// each may have its own limit. The gate closes if the deployment throttles everything.
func (g *requestGate) onThrottled(admitted time.Time, asked time.Duration) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	defer g.admitWaiting()
	now, before := time.Now(), !g.slowedAt.IsZero()
	episode := g.slowDownLocked(admitted)
	if episode {
		if g.streak++; g.streak == 1 {
			g.since = now
		}
	}
	wait := asked
	if asked < 0 {
		wait = firstBackoff << min(max(g.streak-1, 0), 6)
		wait += time.Duration(rand.Int64N(int64(wait/4) + 1))
	}
	if wait > maxThrottlePause {
		if episode {
			g.refused++
		}
		if g.refused >= maxThrottledInRow {
			g.closeLocked(fmt.Errorf("%w and asks to wait %s, longer than the one minute that a run waits",
				errExhausted, wait.Round(time.Second)))
		}
		return wait
	}
	if before && g.streak < maxThrottledInRow {
		return min(wait, maxSinglePause)
	}
	if until := now.Add(wait); until.After(g.pausedUntil) {
		g.pausedUntil = until
	}
	if streak := g.pausedUntil.Sub(g.since); streak > maxThrottledTime {
		g.closeLocked(fmt.Errorf("%w (for %s so far)", errExhausted, streak.Round(time.Second)))
	}
	return wait
}

// slowDown slows the pace for an answer to a request admitted at a time.
func (g *requestGate) slowDown(admitted time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.slowDownLocked(admitted)
}

// slowDownLocked reports whether the answer begins a throttled episode, which slows the pace.
func (g *requestGate) slowDownLocked(admitted time.Time) bool {
	if !admitted.After(g.slowedAt) {
		return false
	}
	g.slowedAt = time.Now()
	g.rate = max(cmp.Or(g.rate, initialRate)*slowdownFactor, minRate)
	return true
}

// onAnswered records an answer that does not throttle.
func (g *requestGate) onAnswered(admitted time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.streak, g.refused = 0, 0
	if g.rate != g.limit && admitted.After(g.slowedAt) {
		if g.rate *= speedupFactor; g.rate >= cmp.Or(g.limit, unlimitedRate) {
			g.rate = g.limit
		}
	}
}

// retryAfter returns the wait that Retry-After asks for, in seconds or as a date. A date counts
// from the answer's Date, if there is one, so that the clocks need not agree. Negative: absent
// or invalid.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil && s >= 0 {
		return time.Duration(min(s, 1e6) * float64(time.Second))
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return -1
	}
	if sent, err := http.ParseTime(h.Get("Date")); err == nil {
		now = sent
	}
	return min(max(at.Sub(now), 0), 1e6*time.Second)
}
