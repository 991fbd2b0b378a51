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

// throttles reports whether the deployment asks for fewer requests, and how long it asks to wait; negative: it does
// not say. A 503 does so where it has a Retry-After; of a file that is polled for, that is only when to look again.
func throttles(r *Request, x *Exchange) (asked time.Duration, yes bool) {
	asked = retryAfter(x.Header, time.Now())
	switch {
	case r.AtOnce:
		return 0, false
	case x.Status == http.StatusTooManyRequests:
		return asked, !r.MayBlock
	case x.Status == http.StatusServiceUnavailable:
		return asked, asked >= 0 && (r.Operation == Create || r.Operation == Export)
	}
	return 0, false
}

// A pace is judged by the answers to the requests that started at it.
const (
	slowestPace = 0.5  // requests per second: throttling never goes below
	slowPace    = 2.0  // requests per second: below, a few answers are enough to go faster
	mildPace    = 12.0 // requests per second: below, a few throttled answers are no reason to go slower
	firstPace   = 8.0  // requests per second: what a run is taken to have had when it begins
	fewAnswers  = 4
	manyAnswers = 20
	fewOfThem   = 0.05 // throttled share up to which there is no need to go slower
	mostOfThem  = 0.5  // throttled share beyond which a deployment is taken to have a limit on all requests
	noLimit     = 1e3  // requests per second at which a pace is lifted
)

// brake is what throttled answers have led to so far. A deployment that throttles a share of the requests at any pace
// is not helped by slowness: there, only the requests that it refused wait. It is taken for one once, and no longer when
// most are refused without a pace.
type brake struct {
	on                 bool      // the pace was slowed down
	stalled            bool      // because nothing got past: a few answers are enough to go faster
	anyPace, tried     bool      // slowing down was given up; it was, once
	held               float64   // the pace at which it was
	set                time.Time // when the pace was: requests that started before say nothing about it
	answers, throttled int       // to those that started since
}

// throttled reacts to such an answer to a request that was admitted at that time, and returns how long this request
// should wait; asked is negative when the deployment did not say. As long as it may be a limit on all requests,
// nothing else starts until then, and the pace is halved. Answers to requests that were under way together count as
// one episode. Where the wait is longer than a run pauses, the request cannot be repeated; others go on, as each may
// have a limit of its own, until none gets past. Where others get past all the while, and once the run has paused for
// a minute in all, a request is repeated after a few seconds: what the deployment asks for is no moment at which more
// would be let in.
func (g *gate) throttled(admitted time.Time, asked time.Duration) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	defer g.pump()
	now := time.Now()
	episode := admitted.After(g.slowedAt)
	if episode {
		g.slowedAt = now
		if g.streak++; g.streak == 1 {
			g.since = now
		}
	}
	g.judge(admitted, true, now)
	switch {
	case g.brake.anyPace && g.streak >= mostRefused: // nothing gets past any more
		g.keep(now)
	case episode && !g.brake.anyPace && (!g.brake.on || g.streak > 1):
		g.slow(now)
	}
	wait := asked
	if asked < 0 {
		wait = firstBackoff << min(max(g.streak-1, 0), 6)
		wait += time.Duration(rand.Int64N(int64(wait/4) + 1))
	}
	if wait > longestPause {
		if episode {
			g.refused++
		}
		if g.refused >= mostRefused {
			g.shut(fmt.Errorf("%w and asks to wait %s, longer than the one minute that a run waits", errExhausted,
				wait.Round(time.Second)))
		}
		return wait
	}
	if g.brake.anyPace || wait > soonAgain && g.paused >= longestPause && g.streak < mostRefused {
		return min(wait, soonAgain)
	}
	until := now.Add(wait)
	if until.After(g.pausedUntil) {
		g.paused += min(until.Sub(g.pausedUntil), wait)
		g.pausedUntil = until
	}
	if streak := until.Sub(g.since); streak > longestStreak {
		g.shut(fmt.Errorf("%w (for %s so far)", errExhausted, streak.Round(time.Second)))
	}
	return wait
}

// answered notes an answer that does not throttle.
func (g *gate) answered(admitted time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.streak, g.refused = 0, 0
	g.judge(admitted, false, time.Now())
}

// judge counts an answer and, once there are enough of them, goes on faster, slower, or as if there were no limit.
func (g *gate) judge(admitted time.Time, throttled bool, now time.Time) {
	b := &g.brake
	if !b.on || !admitted.After(b.set) {
		return
	}
	b.answers++
	if throttled {
		b.throttled++
	}
	share := float64(b.throttled) / float64(b.answers)
	switch {
	case b.throttled == 0 && b.stalled && g.rate < slowPace && b.answers >= fewAnswers:
		g.quicken(2, now)
	case b.answers < manyAnswers:
	case b.anyPace && share > mostOfThem:
		g.keep(now)
	case b.anyPace:
		g.setPace(g.rate, now)
	case b.throttled == 0:
		g.quicken(1.3, now)
	case share <= fewOfThem && g.rate >= slowPace && g.rate < mildPace:
		g.quicken(1.2, now)
	case share <= mostOfThem && g.rate > slowPace && g.rate <= mildPace && !b.tried:
		b.anyPace, b.tried, b.held = true, true, g.rate
		g.setPace(g.limit, now)
	default:
		g.slow(now)
	}
}

// slow halves the pace.
func (g *gate) slow(now time.Time) {
	was := g.rate
	if was == 0 {
		g.forget(now)
		was = max(float64(len(g.recent)), firstPace)
		g.tokens, g.filled = 1, now
	}
	g.brake.on, g.brake.stalled = true, g.streak > 1
	g.setPace(max(was/2, slowestPace), now)
}

// keep goes back to the pace that was given up although the deployment throttles less at it.
func (g *gate) keep(now time.Time) {
	g.brake.anyPace = false
	g.setPace(g.brake.held, now)
}

// quicken raises the pace, up to the limit.
func (g *gate) quicken(by float64, now time.Time) {
	g.setPace(g.rate*by, now)
	if limit := cmp.Or(g.limit, noLimit); g.rate >= limit {
		g.rate, g.recent, g.brake.on = g.limit, nil, false
	}
}

// setPace begins to count answers anew.
func (g *gate) setPace(rate float64, now time.Time) {
	g.rate, g.brake.set, g.brake.answers, g.brake.throttled = rate, now, 0, 0
}

// retryAfter reads Retry-After, in seconds or as a date, which counts from the answer's own Date where there is one, so
// that two clocks need not agree. Negative: not given or not readable.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if v == "" {
		return -1
	}
	if s, err := strconv.ParseFloat(v, 64); err == nil {
		if !(s >= 0) {
			return -1
		}
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
