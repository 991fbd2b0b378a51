package client

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
)

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

func create(path string) *Request {
	r := post("{}")
	r.Operation, r.Creates, r.Path = Create, true, path
	return r
}

func TestARequestLeavesPartOfTheBudget(t *testing.T) {
	var created atomic.Int64
	c := clientOf(t, Options{MaxCreates: 3}, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(201)
		_, _ = fmt.Fprintf(w, `{"id":"r%d"}`, created.Add(1))
	})
	for i, spares := range []int{2, 2, 0, 2, 0, 0} {
		r := create("/")
		r.Spares = spares
		sent, want := c.Once(background(), r).Seq > 0, i != 1 && i != 3 && i != 5
		if sent != want {
			t.Errorf("request %d that spares %d: sent %t", i, spares, sent)
		}
	}
}

func TestTheBudgetIsNeverExceeded(t *testing.T) {
	var created atomic.Int64
	c := clientOf(t, Options{MaxCreates: 5}, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(201)
		_, _ = fmt.Fprintf(w, `{"id":"r%d"}`, created.Add(1))
	})
	var refused atomic.Int64
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() {
			x := c.Once(background(), create("/"))
			if x.Err != nil && x.Err.Kind == Budget && x.Seq == 0 {
				refused.Add(1)
			}
		})
	}
	all.Wait()
	if created.Load() != 5 || refused.Load() != 25 || len(c.Created()) != 5 || c.Stats().Created != 5 {
		t.Fatalf("%d created, %d refused, %v", created.Load(), refused.Load(), c.Created())
	}
}

func TestOnlyWhatMayHaveBeenCreatedCounts(t *testing.T) {
	c := clientOf(t, Options{MaxCreates: 4}, func(w http.ResponseWriter, r *http.Request) {
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
		c.Once(background(), create(step.path))
		if spent() != step.want {
			t.Fatalf("after %s %d are spent, expected %d", step.path, spent(), step.want)
		}
	}
	if c.budget.reserved != 0 {
		t.Fatalf("%d reservations were never settled", c.budget.reserved)
	}
	unexpected := create("/new")
	unexpected.Creates = false
	c.Once(background(), unexpected)
	if spent() != 3 || len(c.Created()) != 1 {
		t.Fatal(spent(), c.Created())
	}
}

func TestARaceTakesWhatTheBudgetLeaves(t *testing.T) {
	c := clientOf(t, Options{MaxCreates: 3}, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, `{"id":"the same"}`)
	})
	rs := func() []*Request { return []*Request{create("/"), create("/"), create("/"), create("/"), create("/")} }
	if xs := c.Together(background(), rs()); len(xs) != 3 || xs[0].Status != 201 {
		t.Fatalf("%d exchanges", len(xs))
	}
	if xs := c.Together(background(), rs()); len(xs) != 2 { // one record exists, two are left
		t.Fatalf("%d exchanges", len(xs))
	}
	c.budget.settle(0, 1)
	if xs := c.Together(background(), rs()); len(xs) != 5 || xs[0].Err == nil || xs[0].Err.Kind != Budget {
		t.Fatalf("%d exchanges, %v", len(xs), xs[0].Err)
	}
}
