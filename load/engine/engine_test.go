package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/schedule"
)

const stalled = 600 * time.Millisecond

// seen is a request as the server sees it.
type seen struct {
	line, nonce, transaction, replay, language, wallet, kind, auth, agent, body string
}

// gateway records requests and blocks a nonce that it has accepted before.
type gateway struct {
	*httptest.Server
	connections atomic.Int64
	mu          sync.Mutex
	first       time.Time
	got         map[string]int // number of requests by nonce
	all         map[string]seen
	answered    map[string]time.Time
}

// newGateway starts a gateway that answers after a delay. Starting stall after its first
// request, it answers nothing for 600 ms.
func newGateway(t *testing.T, delay, stall time.Duration) *gateway {
	g := &gateway{got: map[string]int{}, all: map[string]seen{}, answered: map[string]time.Time{}}
	handle := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h := r.Header
		s := seen{
			line: r.Method + " " + r.RequestURI + " " + r.Proto, nonce: h.Get("nonce"),
			transaction: h.Get("x-transaction-uuid"), language: h.Get("x-lang"),
			replay: h.Get("x-include-replay-protection-schema"), wallet: h.Get("x-wallet-uuid"),
			kind: h.Get("Content-Type"), auth: h.Get("Authorization"), agent: h.Get("User-Agent"),
			body: string(body),
		}
		g.mu.Lock()
		if g.first.IsZero() {
			g.first = time.Now()
		}
		wait := delay
		if end := g.first.Add(stall + stalled); stall > 0 && time.Until(end) < stalled+delay {
			wait = max(wait, time.Until(end))
		}
		g.got[s.nonce]++
		again := g.got[s.nonce] > 1
		g.all[s.nonce] = s
		g.mu.Unlock()
		if wait > 0 {
			select {
			case <-time.After(wait):
			case <-r.Context().Done():
			}
		}
		g.mu.Lock()
		g.answered[s.nonce] = time.Now()
		g.mu.Unlock()
		if again {
			w.WriteHeader(http.StatusConflict)
			return
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"file_id":%q,"file_state":{},"created_at":"2026-01-01T00:00:00Z"}`, s.nonce)
	}
	g.Server = httptest.NewUnstartedServer(http.HandlerFunc(handle))
	g.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			g.connections.Add(1)
		}
	}
	g.Start()
	t.Cleanup(g.Close)
	return g
}

func TestBothEnginesSendTheSameRequestsAtTheSameMoments(t *testing.T) {
	s := testmust.Get(schedule.New(schedule.Stage{From: 50, To: 400, For: time.Second},
		schedule.ConstantStage(200, 500*time.Millisecond)))(t)
	sent, spared := map[string]*gateway{}, int64(0)
	var mu sync.Mutex
	t.Run("engines", func(t *testing.T) {
		for _, name := range both {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				g := newGateway(t, 0, 0)
				o, sink := options(t, g.URL, s, 0.1)
				o.Engine = name
				sum := run(t, t.Context(), o)
				if sum.Sent != s.RequestCount() || sum.Unsent != 0 || int64(len(sink.all)) != s.RequestCount() {
					t.Fatalf("%s: %+v, %d results of %d", name, sum, len(sink.all), s.RequestCount())
				}
				for _, r := range sink.all {
					if r.Intended != s.DueAt(r.K) || r.Lag < 0 || r.Response < r.Service || r.Service <= 0 {
						t.Fatalf("%s: request %d: %+v", name, r.K, r)
					}
				}
				if n := sink.count(judge.ClassFalseBlock) + sink.count(judge.ClassMissedBlock); n > 0 ||
					sink.count(judge.ClassBlocked) == 0 {
					t.Errorf("%s: %d misblocks, %d blocks", name, n, sink.count(judge.ClassBlocked))
				}
				mu.Lock()
				defer mu.Unlock()
				sent[name] = g
				spared += sum.SkippedRepeats
			})
		}
	})
	if t.Failed() {
		return
	}
	// If a slow machine does not answer an original within a second, its repeat is sent as a fresh
	// request.
	others := int64(0)
	for name, other := range map[string]string{
		plan.EngineDirect: plan.EngineVegeta, plan.EngineVegeta: plan.EngineDirect,
	} {
		for nonce, s := range sent[name].all {
			switch o, both := sent[other].all[nonce]; {
			case !both, sent[name].got[nonce] != sent[other].got[nonce]:
				others++
			case s != o:
				t.Errorf("%s sent %+v, %s %+v", name, s, other, o)
			}
		}
	}
	if others > 3*spared {
		t.Errorf("%d requests were sent by one engine only, or more often, with %d repeats spared",
			others, spared)
	}
}

func TestResponseTimesThroughAStallAreTheTruth(t *testing.T) {
	s := constant(t, 800, 1200*time.Millisecond)
	for name, cap := range map[string]int{"without a limit": 0, "64 in flight": 64} {
		for _, eng := range both {
			if testing.Short() && (cap == 0) == (eng == plan.EngineVegeta) {
				continue // one engine for each case
			}
			t.Run(eng+" "+name, func(t *testing.T) {
				g := newGateway(t, 5*time.Millisecond, 300*time.Millisecond)
				o, sink := options(t, g.URL, s, 0)
				limited := transportTo(t, g.URL)
				limited.MaxConnections = cap
				o.Engine, o.MaxInFlight, o.HTTP = eng, cap, newHTTP(t, limited)
				sum := run(t, t.Context(), o)
				if int64(sink.count(judge.ClassAccepted)) != s.RequestCount() {
					t.Fatalf("%d of %d accepted", sink.count(judge.ClassAccepted), s.RequestCount())
				}
				var truth, responses []time.Duration
				queued := 0
				for _, r := range sink.all {
					was := g.answered[r.Request.Nonce].Sub(sum.Start) - r.Intended
					truth, responses = append(truth, was), append(responses, r.Response)
					if r.Queued {
						queued++
					}
					if r.Response < was-2*time.Millisecond {
						t.Fatalf("request %d: the response took %s, in truth %s", r.K, r.Response, was)
					}
				}
				// On an idle machine it is within 3 %, see BenchmarkLoadStall in package bench. Here it
				// must not be lower, and not higher than a busy machine explains.
				want, got := at(truth, 0.99), at(responses, 0.99)
				if got > 2*want {
					t.Errorf("p99 of the response is %s, in truth %s", got, want)
				}
				if want < 400*time.Millisecond {
					t.Errorf("the target did not stall: p99 is %s", want)
				}
				// net/http may replace one
				if cap > 0 && (queued < 200 || g.connections.Load() > int64(cap+cap/16)) {
					t.Errorf("%d connections, %d queued", g.connections.Load(), queued)
				}
				if cap == 0 && queued > 0 {
					t.Errorf("%d queued", queued)
				}
			})
		}
	}
}

func TestAnEndOfTheContextStopsSendingAtOnce(t *testing.T) {
	s := constant(t, 500, time.Minute)
	for _, name := range both {
		for how, cap := range map[string]int{"without a limit": 0, "with requests that wait": 4} {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				g := newGateway(t, 30*time.Second, 0)
				o, sink := options(t, g.URL, s, 0)
				o.Engine, o.MaxInFlight, o.Grace = name, cap, 50*time.Millisecond
				ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
				defer cancel()
				began := time.Now()
				sum := run(t, ctx, o)
				if took := time.Since(began); took > 10*time.Second {
					t.Errorf("it took %s", took)
				}
				if sum.Unsent == 0 || sum.Sent == 0 || int(sum.Sent) != len(sink.all) {
					t.Errorf("%+v with %d results", sum, len(sink.all))
				}
				for _, r := range sink.all {
					if r.Judgement.Failure != judge.FailureCanceled {
						t.Fatalf("request %d ended as %s %s", r.K, r.Judgement.Class, r.Judgement.Failure)
					}
				}
			})
		}
	}
}

func TestARunThatEndsBeforeItsStartSendsNothing(t *testing.T) {
	g := newGateway(t, 0, 0)
	for _, name := range both {
		o, sink := options(t, g.URL, constant(t, 100, time.Second), 0)
		o.Engine, o.StartAt = name, time.Now().Add(time.Hour)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if sum := run(t, ctx, o); sum.Sent != 0 || sum.Unsent != 100 || len(sink.all) != 0 {
			t.Errorf("%s: %+v", name, sum)
		}
	}
}

func TestARunStartsAtItsMomentOrNotAtAll(t *testing.T) {
	g := newGateway(t, 0, 0)
	for _, name := range both {
		o, sink := options(t, g.URL, constant(t, 100, 100*time.Millisecond), 0)
		o.Engine, o.StartAt = name, time.Now().Add(200*time.Millisecond).Round(0)
		if sum := run(t, t.Context(), o); sum.Sent != 10 || !sum.Start.Equal(o.StartAt) {
			t.Errorf("%s: %+v", name, sum)
		}
		for _, r := range sink.all {
			if r.Lag < 0 {
				t.Errorf("%s: request %d was %s early", name, r.K, -r.Lag)
			}
		}
		o.StartAt = time.Now().Add(-time.Second)
		sum, err := engine.New(o).Run(t.Context())
		if !errors.Is(err, engine.ErrStartPassed) || sum.Sent != 0 || sum.Unsent != 10 {
			t.Errorf("%s: %+v, %v", name, sum, err)
		}
		o.MaxLateness = time.Minute
		if sum := run(t, t.Context(), o); sum.Sent != 10 || sum.Start.After(o.StartAt) {
			t.Errorf("%s, late: %+v", name, sum)
		}
	}
}
