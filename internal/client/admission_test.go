package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/testmust"
)

// gated tests a gate in simulated time, so that results do not depend on the machine's speed.
func gated(t *testing.T, slots int, rate float64, test func(t *testing.T, g *requestGate)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		g := newRequestGate(slots, rate)
		defer g.close(errClosed)
		test(t, g)
	})
}

// pass lets one request through and returns when it was admitted.
func (g *requestGate) pass(t *testing.T) time.Time {
	t.Helper()
	at := testmust.Get(g.acquire(t.Context(), 0, 1))(t)
	g.release(1)
	return at
}

func TestNoWindowHoldsMoreThanTheRateAndOneBurst(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rate := float64(rapid.IntRange(1, 200).Draw(rt, "rate"))
		slots := rapid.IntRange(1, 20).Draw(rt, "slots")
		sizes := rapid.SliceOfN(rapid.IntRange(1, slots), 1, 40).Draw(rt, "sizes")
		pauses := rapid.SliceOfN(rapid.IntRange(0, 3000), len(sizes), len(sizes)).Draw(rt, "pauses")
		synctest.Test(t, func(*testing.T) {
			g := newRequestGate(slots, rate)
			defer g.close(errClosed)
			var at []time.Time
			for i, n := range sizes {
				testmust.Get(g.acquire(context.Background(), 0, n))(rt)
				for range n {
					at = append(at, time.Now())
				}
				g.release(n)
				time.Sleep(time.Duration(pauses[i]) * time.Millisecond)
			}
			// A race wider than the burst delays later requests, so it counts as the burst.
			burst := float64(slots)
			for i := range at {
				for j := i; j < len(at); j++ {
					if sent, allowed := float64(j-i+
						1), burst+at[j].Sub(at[i]).Seconds()*rate+0.01; sent > allowed {
						rt.Fatalf("%v requests in %s at %v/s with %d slots", sent, at[j].Sub(at[i]), rate, slots)
					}
				}
			}
		})
	})
}

func TestTheLowestRankGoesFirstAndTheRestInOrder(t *testing.T) {
	gated(t, 1, 0, func(t *testing.T, g *requestGate) {
		testmust.Get(g.acquire(context.Background(), 0, 1))(t)
		var mu sync.Mutex
		var order []int
		for i, rank := range []int{5, 3, 5, -1, 3} {
			go func() {
				if _, err := g.acquire(context.Background(), rank, 1); err != nil {
					t.Error(err)
				}
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
				g.release(1)
			}()
			synctest.Wait()
		}
		g.release(1)
		synctest.Wait()
		if !slices.Equal(order, []int{3, 1, 4, 0, 2}) {
			t.Fatalf("admitted in the order %v", order)
		}
	})
}

func TestARaceWhoseTurnItIsIsNotOvertaken(t *testing.T) {
	gated(t, 4, 0, func(t *testing.T, g *requestGate) {
		for range 2 {
			_, _ = g.acquire(context.Background(), 0, 1)
		}
		admitted := make(chan string, 3)
		enter := func(name string, rank, n int) {
			go func() {
				_, _ = g.acquire(context.Background(), rank, n)
				admitted <- name
			}()
			synctest.Wait()
		}
		enter("race", 5, 4)
		enter("chain", 1, 1) // a slot is free for it
		g.release(2)
		if first := <-admitted; first != "race" {
			t.Fatalf("%s was admitted first", first)
		}
		g.release(4)
		<-admitted
	})
}

func TestWaitingEndsWithTheContextAndLosesNothing(t *testing.T) {
	gated(t, 1, 0, func(t *testing.T, g *requestGate) {
		_, _ = g.acquire(context.Background(), 0, 1)
		ctx, cancel := context.WithCancel(context.Background())
		failed := make(chan error, 1)
		go func() { _, err := g.acquire(ctx, -5, 1); failed <- err }()
		synctest.Wait()
		other := make(chan struct{})
		go func() { _, _ = g.acquire(context.Background(), 0, 1); close(other) }()
		synctest.Wait()
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		g.release(1)
		<-other
		g.close(errClosed)
		if _, err := g.acquire(context.Background(), 0, 1); !errors.Is(err, errClosed) {
			t.Fatalf("a closed gate let somebody in: %v", err)
		}
	})
}

// An export that is sent while exports are held back arrives after all of the holder, and a
// creation arrives meanwhile.
func TestHeldExportsWaitForTheHolderAndNothingElseDoes(t *testing.T) {
	var mu sync.Mutex
	var arrived []string
	c := clientOf(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		arrived = append(arrived, r.URL.Path)
		w.WriteHeader(http.StatusOK)
	})
	request := func(path string, op Operation) *Request {
		return &Request{Label: path, Operation: op, Method: http.MethodPost, Path: path}
	}
	own, release, err := c.HoldExports(t.Context())
	testmust.Get(own, err)(t)
	var others sync.WaitGroup
	others.Go(func() { c.SendOnce(t.Context(), request("/held", OperationExport)) })
	others.Go(func() {
		c.SendConcurrently(t.Context(), []*Request{
			request("/race", OperationExport), request("/race", OperationExport),
		})
	})
	time.Sleep(20 * time.Millisecond) // they would arrive by then
	c.SendOnce(t.Context(), request("/create", OperationCreate))
	c.SendOnce(own, request("/own", OperationExport))
	release()
	others.Wait()
	slices.Sort(arrived[2:])
	if want := []string{"/create", "/own", "/held", "/race", "/race"}; !slices.Equal(arrived, want) {
		t.Errorf("the requests arrived as %q, expected %q", arrived, want)
	}
	again, done, err := c.HoldExports(t.Context())
	testmust.Get(again, err)(t)
	done()
}

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

func create(path string) *Request {
	r := post("{}")
	r.Operation, r.Creates, r.Path = OperationCreate, true, path
	return r
}

// limited returns a client of a server with limits.max_creates.
func limited(t *testing.T, creates int, h http.HandlerFunc) *Client {
	t.Helper()
	dep := testDeployment(serve(t, h))
	dep.Limits.MaxCreates = creates
	return newClient(t, dep, Options{})
}

func TestTheBudgetIsNeverExceeded(t *testing.T) {
	var created atomic.Int64
	c := limited(t, 5, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(201)
		_, _ = fmt.Fprintf(w, `{"id":"r%d"}`, created.Add(1))
	})
	var refused atomic.Int64
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() {
			x := c.SendOnce(t.Context(), create("/"))
			if x.Err != nil && x.Err.Kind == TroubleMaxCreates && x.Seq == 0 {
				refused.Add(1)
			}
		})
	}
	all.Wait()
	if created.Load() != 5 || refused.Load() != 25 || c.Stats().Created != 5 {
		t.Fatalf("%d created, %d refused, %+v", created.Load(), refused.Load(), c.Stats())
	}
}

func TestOnlyWhatMayHaveBeenCreatedCounts(t *testing.T) {
	c := limited(t, 4, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/new":
			w.WriteHeader(201)
			_, _ = io.WriteString(w, `{"id":"one"}`)
		case "/bad":
			w.WriteHeader(422)
		case "/broken":
			w.WriteHeader(500)
		case "/error":
			_, _ = io.WriteString(w, `{"error":"no such shareholder"}`)
		case "/odd":
			_, _ = io.WriteString(w, `[]`)
		}
	})
	spent := func() int { c.budget.mu.Lock(); defer c.budget.mu.Unlock(); return c.budget.spent }
	for _, step := range []struct {
		path string
		want int
	}{{"/new", 1}, {"/new", 1}, {"/bad", 1}, {"/bad", 1}, {"/error", 1}, {"/broken", 2}, {"/odd", 3}} {
		c.SendOnce(t.Context(), create(step.path))
		if spent() != step.want {
			t.Fatalf("after %s %d are spent, expected %d", step.path, spent(), step.want)
		}
	}
	if c.budget.reserved != 0 {
		t.Fatalf("%d reservations were never settled", c.budget.reserved)
	}
	unexpected := create("/new")
	unexpected.Creates = false
	c.SendOnce(t.Context(), unexpected)
	testmust.Equal(t, spent(), 3)
	testmust.Equal(t, c.Stats().Created, 1)
}

// TestRequestsAreBounded checks that a run sends no more than MaxRequests and says so. Polls
// for files do not count.
func TestRequestsAreBounded(t *testing.T) {
	c := clientOf(t, Options{MaxRequests: 5}, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(csv))
	})
	c.deployment.Export.File = offering(false, "")
	export := &Request{Operation: OperationExport}
	send := func(times int) {
		t.Helper()
		for range times {
			if x := c.SendOnce(t.Context(), export); x.Err != nil {
				t.Error(x.Err)
			}
		}
	}
	send(3)
	testmust.Get(c.FetchFile(t.Context(), "1", nil, FetchOptions{}))(t)
	race := c.SendConcurrently(t.Context(), []*Request{export, export, export})
	if race[0].Err == nil {
		t.Errorf("a race of three was sent where two requests were left: %d answers", len(race))
	}
	send(2)
	x := c.SendOnce(t.Context(), export)
	if x.Err == nil || x.Err.Kind != TroubleMaxRequests || x.Seq != 0 {
		t.Errorf("the sixth request: %v", x)
	}
	testmust.Equal(t, c.Stats().Sent, 6, "requests were sent")
}
