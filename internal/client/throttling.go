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

// isThrottled reports whether the deployment asks for fewer requests, and how long it asks to wait;
// negative: it does not say. A 503 does so where it has a Retry-After. Of a file that is polled
// for, both only say when to look again.
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
	return 0, false
}

// A pace goes down with each time that the deployment throttles, and up with each answer to what
// was sent since: so it settles where a limit is, and goes back up where one request in ten is
// throttled at any pace.
const (
	minRate        = 0.5  // requests per second: throttling never goes below
	initialRate    = 16.0 // requests per second: what a run without a limit is taken to have had
	unlimitedRate  = 1e3  // requests per second at which a pace is lifted
	slowdownFactor = 0.6
	speedupFactor  = 1.1
)

// onThrottled reacts to such an answer to a request that was admitted at that time, and returns how
// long this request should wait; asked is negative when the deployment did not say. Answers to
// requests that were under way together count as one episode, which slows down everybody. The first
// time, and where nothing else gets past, nothing starts until then; where others do, only this
// request waits. Where the wait is longer than a run pauses, the request cannot be repeated; others
// go on, as each may have a limit of its own. The gate closes when such answers are all that comes.
func (g *requestGate) onThrottled(admitted time.Time, asked time.Duration) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	defer g.admitWaiting()
	now := time.Now()
	episode, before := admitted.After(g.slowedAt), !g.slowedAt.IsZero()
	if episode {
		g.slowedAt = now
		g.rate = max(cmp.Or(g.rate, initialRate)*slowdownFactor, minRate)
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
		return min(wait, minThrottlePause)
	}
	if until := now.Add(wait); until.After(g.pausedUntil) {
		g.pausedUntil = until
	}
	if streak := g.pausedUntil.Sub(g.since); streak > maxThrottledTime {
		g.closeLocked(fmt.Errorf("%w (for %s so far)", errExhausted, streak.Round(time.Second)))
	}
	return wait
}

// onAnswered notes an answer that does not throttle.
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

// retryAfter reads Retry-After, in seconds or as a date, which counts from the answer's own Date
// where there is one, so that two clocks need not agree. Negative: not given or not readable.
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
