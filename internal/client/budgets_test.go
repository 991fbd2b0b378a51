package client

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

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
		case "/odd":
			_, _ = io.WriteString(w, `[]`)
		}
	})
	spent := func() int { c.budget.mu.Lock(); defer c.budget.mu.Unlock(); return c.budget.spent }
	for _, step := range []struct {
		path string
		want int
	}{{"/new", 1}, {"/new", 1}, {"/bad", 1}, {"/bad", 1}, {"/broken", 2}, {"/odd", 3}} {
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
