package client

import (
	"cmp"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestA429PausesEverybodyAndThePaceRecovers(t *testing.T) {
	gated(t, 8, 40, func(t *testing.T, g *requestGate) {
		admitted := g.pass(t)
		together := admitted
		start := time.Now()
		time.Sleep(time.Millisecond)
		g.onThrottled(admitted, 3*time.Second)
		// It was in flight at the same time: the pace does not drop again.
		g.onThrottled(together, 2*time.Second)
		if g.pace() != 40*slowdownFactor {
			t.Fatalf("pace %v after one episode", g.pace())
		}
		if waited := g.pass(t).Sub(start); waited < 3*time.Second || waited > 4*time.Second {
			t.Fatalf("the next request waited %s", waited)
		}
		g.onAnswered(admitted) // it was sent before: it says nothing about the new pace
		if g.pace() != 40*slowdownFactor {
			t.Fatalf("pace %v although nothing was sent at it", g.pace())
		}
		g.onAnswered(time.Now())
		if g.pace() <= 40*slowdownFactor || g.pace() > 40 {
			t.Fatalf("pace %v after an answer", g.pace())
		}
		for range 20 {
			g.onAnswered(time.Now())
		}
		if g.pace() != 40 {
			t.Fatalf("recovered to %v, not to the limit", g.pace())
		}
		for range 50 {
			g.onThrottled(time.Now(), 0)
			time.Sleep(time.Millisecond)
		}
		testmust.Equal(t, g.pace(), minRate, "pace")
	})
}

// pace returns the current limit in requests per second; 0: no limit.
func (g *requestGate) pace() float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.rate
}

// server answers the requests of a gate with sixteen slots. Each request is retried until it is
// accepted.
type server struct {
	throttles func() bool
	asks      time.Duration // how long to wait; 0: a second
	refused   atomic.Int64
	took      time.Duration
}

func (d *server) run(t *testing.T, limit float64, requests int) {
	t.Helper()
	gated(t, 16, limit, func(t *testing.T, g *requestGate) {
		start := time.Now()
		var left atomic.Int64
		left.Store(int64(requests))
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				for left.Add(-1) >= 0 {
					for {
						admitted, err := g.acquire(t.Context(), 0, 1)
						if err != nil {
							t.Error(err)
							return
						}
						time.Sleep(5 * time.Millisecond)
						throttled := d.throttles()
						g.release(1)
						if !throttled {
							g.onAnswered(admitted)
							break
						}
						d.refused.Add(1)
						time.Sleep(g.onThrottled(admitted, cmp.Or(d.asks, time.Second)))
					}
				}
			})
		}
		all.Wait()
		d.took = time.Since(start)
	})
}

func TestWhoThrottlesATenthAtAnyPaceSlowsARunDownOnlyForAWhile(t *testing.T) {
	const requests = 1000
	for _, c := range []struct {
		limit                     float64
		asks, unthrottled, longer time.Duration
	}{
		{0, time.Second, time.Second, 30 * time.Second},
		{20, time.Second, requests / 20 * time.Second, 30 * time.Second},
		{0, 20 * time.Second, time.Second, 90 * time.Second},
		{0, time.Minute, time.Second, 90 * time.Second},
	} {
		var count atomic.Int64
		d := server{asks: c.asks, throttles: func() bool { return count.Add(1)%10 == 0 }}
		d.run(t, c.limit, requests)
		if d.took > 2*c.unthrottled+c.longer {
			t.Errorf("limit %v, asked to wait %s: it took %s, and without throttling %s", c.limit, c.asks,
				d.took, c.unthrottled)
		}
	}
}

func TestATrueLimitIsKept(t *testing.T) {
	const requests = 1000
	for _, allowed := range []float64{1, 5, 20, 60, 200} {
		for _, limit := range []float64{0, 20, 100} {
			bucket := rate.NewLimiter(rate.Limit(allowed), 10)
			d := server{throttles: func() bool { return !bucket.Allow() }}
			d.run(t, limit, requests)
			best := min(allowed, cmp.Or(limit, allowed), 60)
			refused := float64(d.refused.Load())
			share, achieved := refused/(requests+refused), requests/d.took.Seconds()
			if share > 0.3 || achieved < best/3 {
				t.Errorf("true limit %v/s, own limit %v/s: %.0f%% throttled, %.1f/s", allowed, limit,
					100*share, achieved)
			}
		}
	}
}

func TestThrottlingEndsARunWhereNothingElseGetsPast(t *testing.T) {
	for name, c := range map[string]struct {
		asked  time.Duration
		others bool          // receive answers in between
		ends   int           // maximum number of requests until the gate closes; 0: it never closes
		most   time.Duration // until then
		says   string
	}{
		"a minute again and again": {
			asked: time.Minute, ends: 9, most: maxThrottledTime, says: "throttles every",
		},
		"a moment too far away": {
			asked: time.Hour, ends: maxThrottledInRow, most: time.Minute, says: "1h0m0s",
		},
		"a limit of one request's own":    {asked: time.Hour, others: true},
		"a short one with others between": {asked: time.Second, others: true},
	} {
		gated(t, 1, 0, func(t *testing.T, g *requestGate) {
			start := time.Now()
			for n := range 10 {
				time.Sleep(time.Millisecond)
				at, err := g.acquire(t.Context(), 0, 1)
				if err != nil {
					if n > c.ends || !errors.Is(err, errExhausted) || !strings.Contains(err.Error(), c.says) ||
						time.Since(start) > c.most {
						t.Errorf("%s: after %d and %s: %v", name, n, time.Since(start), err)
					}
					return
				}
				g.release(1)
				if wait := g.onThrottled(at, c.asked); wait != c.asked && (n == 0 || wait != maxSinglePause) {
					t.Fatalf("%s: told to wait %s", name, wait)
				}
				if c.others {
					g.onAnswered(time.Now())
				}
			}
			if wait := time.Until(g.pausedUntil); c.ends > 0 || c.asked > maxThrottlePause && wait > 0 {
				t.Errorf("%s: still sending, and everybody waits for %s", name, wait)
			}
		})
	}
}
