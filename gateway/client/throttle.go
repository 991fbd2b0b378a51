package client

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// throttles reports whether the deployment asks for fewer requests, and how long it asks to wait; negative: it does not say.
// A 503 does so where it has a Retry-After; of a file that is polled for, that is only when to look again.
func throttles(r *Request, x *Exchange) (asked time.Duration, yes bool) {
	asked = retryAfter(x.Header, time.Now())
	switch x.Status {
	case http.StatusTooManyRequests:
		return asked, !r.MayBlock
	case http.StatusServiceUnavailable:
		return asked, asked >= 0 && (r.Operation == Create || r.Operation == Export)
	}
	return 0, false
}

// throttled reacts to such an answer to a request that was admitted at that time: nothing starts until asked (negative
// when the deployment did not say) has passed, and the pace is halved. Answers to requests that were under way together
// count as one episode. It returns how long the request that was refused should wait. Where that is longer than a run
// pauses, the request cannot be repeated; others go on, as each may have a limit of its own, until none gets past.
func (g *gate) throttled(admitted time.Time, asked time.Duration) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	episode := admitted.After(g.slowedAt)
	if episode {
		g.slow(now)
		g.slowedAt = now
		if g.streak++; g.streak == 1 {
			g.since = now
		}
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
			g.shut(fmt.Errorf("%w and asks to wait %s, longer than the minute that a run pauses", errExhausted, wait.Round(time.Second)))
		}
		g.pump()
		return wait
	}
	until := now.Add(wait)
	if until.After(g.pausedUntil) {
		g.pausedUntil = until
	}
	if until.Sub(g.since) > longestStreak {
		g.shut(fmt.Errorf("%w, for %s now", errExhausted, now.Add(wait).Sub(g.since).Round(time.Second)))
	}
	g.pump()
	return wait
}

func (g *gate) slow(now time.Time) {
	was := g.rate
	if was == 0 {
		g.forget(now)
		was = max(float64(len(g.recent)), 2*slowestRate)
		g.tokens, g.filled = 1, now
	}
	g.rate = max(was/2, slowestRate)
	g.step = max(was/50, 0.2) // a run that has just begun was slow for other reasons
}

// answered notes an answer that does not throttle: the pace recovers by a fixed step, up to the limit or, where there is
// none, to twice the rate at which the deployment began to refuse; after that it is lifted.
func (g *gate) answered() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.streak, g.refused = 0, 0
	if g.rate == g.limit {
		return
	}
	g.rate += g.step
	switch {
	case g.limit > 0 && g.rate >= g.limit:
		g.rate = g.limit
	case g.limit == 0 && g.rate >= 100*g.step:
		g.rate, g.recent = 0, nil
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
