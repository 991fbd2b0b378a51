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
// not say. A 503 does so where it has a Retry-After. Of a file that is polled for, both only say when to look again.
func throttles(r *Request, x *Exchange) (asked time.Duration, yes bool) {
	asked = retryAfter(x.Header, time.Now())
	switch {
	case r.AtOnce || r.Operation == File:
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
	firstPace   = 16.0 // requests per second: what a run without a limit is taken to have had
	noLimit     = 1e3  // requests per second at which a pace is lifted
	fewAnswers  = 4
	manyAnswers = 20
	fewOfThem   = 0.15    // throttled share up to which a run goes faster
	mostOfThem  = 1.0 / 3 // throttled share beyond which it goes slower
)

// brake is what throttled answers have led to so far.
type brake struct {
	on                 bool      // the pace was slowed down
	stalled            bool      // because nothing got past: a few answers are enough to go faster
	set                time.Time // when the pace was: requests that started before say nothing about it
	answers, throttled int       // to those that started since
}

// throttled reacts to such an answer to a request that was admitted at that time, and returns how long this request
// should wait; asked is negative when the deployment did not say. The first time, and where nothing else gets past,
// nothing starts until then and the pace is halved; where others do, it may be that slowness would not help, and only
// this request waits. Answers to requests that were under way together count as one episode. Where the wait is longer
// than a run pauses, the request cannot be repeated; others go on, as each may have a limit of its own. The gate closes
// when such answers are all that comes.
func (g *gate) throttled(admitted time.Time, asked time.Duration) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	defer g.pump()
	now := time.Now()
	episode, others := admitted.After(g.slowedAt), !g.slowedAt.IsZero()
	if episode {
		g.slowedAt = now
		if g.streak++; g.streak == 1 {
			g.since = now
		}
	}
	g.judge(admitted, true, now)
	if others = others && g.streak < mostRefused; episode && !others {
		g.slow(now)
	} else if episode && !g.brake.on {
		g.brake = brake{on: true, set: now} // the present pace is on trial
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
	if others {
		return min(wait, soonAgain)
	}
	if until := now.Add(wait); until.After(g.pausedUntil) {
		g.pausedUntil = until
	}
	if streak := g.pausedUntil.Sub(g.since); streak > longestStreak {
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

// judge counts an answer and, once there are enough of them, goes on faster or slower.
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
		g.setPace(g.rate*2, now)
	case b.answers < manyAnswers:
	case share <= fewOfThem:
		g.setPace(g.rate*1.3, now)
	case share > mostOfThem:
		g.slow(now)
	default:
		g.setPace(g.rate, now)
	}
}

// slow halves the pace.
func (g *gate) slow(now time.Time) {
	g.brake.on, g.brake.stalled = true, g.streak > 1
	g.setPace(max(cmp.Or(g.rate, firstPace)/2, slowestPace), now)
}

// setPace sets a pace, up to the limit, and begins to count answers anew.
func (g *gate) setPace(rate float64, now time.Time) {
	g.rate, g.brake.set, g.brake.answers, g.brake.throttled = rate, now, 0, 0
	if rate >= cmp.Or(g.limit, noLimit) {
		g.rate, g.brake.on = g.limit, false
	}
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
