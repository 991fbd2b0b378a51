package results

import (
	"math/bits"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// Slow is one of the requests that took longest.
type Slow struct {
	K          int64   `json:"k"`
	AtMS       float64 `json:"at_ms"` // when it was meant to be sent, from the start of the run
	ResponseMS float64 `json:"response_ms"`
	ServiceMS  float64 `json:"service_ms"`
	Class      string  `json:"class"`
	Status     int     `json:"status,omitempty"`
	Nonce      string  `json:"nonce"`
	Trace      string  `json:"traceparent,omitempty"`
}

const (
	columns  = 2*judge.NumClasses + 1 // service and response of each class, and lag
	mostSlow = 10                     // of a run, and of an interval
)

// slotOf is what a histogram of a cell is of, without its stage.
func slotOf(i int) slot {
	switch {
	case i == columns-1:
		return slot{Time: threshold.Lag}
	case i%2 == 0:
		return slot{Class: judge.Class(i / 2).String(), Time: threshold.Service}
	}
	return slot{Class: judge.Class(i / 2).String(), Time: threshold.Response}
}

// cell counts what some of the workers see, most of it in histograms that take no search to count. Each second it is
// emptied. What belongs to an earlier stage than the newest, late answers, is rare enough to be counted elsewhere.
type cell struct {
	mu     sync.Mutex
	stage  int // from 1
	dense  [columns]*hdr.Histogram
	latest int64         // when a request of the stage last began
	least  time.Duration // what a request must take to be among the slowest
	counts
	_ [64]byte // keeps cells off each other's cache lines
}

// cells are the hot path: results in, without an allocation but for what is rare. Workers share a cell only where there
// are more of them than cells, so hardly ever wait for it.
type cells struct {
	list  []cell
	last  []int64 // of each stage: the first request of the next
	users bool    // several identities take turns
}

func newCells(last []int64, users bool) *cells {
	return &cells{make([]cell, min(1<<bits.Len(uint(2*runtime.GOMAXPROCS(0)-1)), 16)), last, users}
}

// record counts a result.
func (s *cells) record(worker int, x *engine.Result) {
	stage, _ := slices.BinarySearch(s.last, x.K+1)
	stage = min(stage, len(s.last)-1) + 1
	c := &s.list[worker&(len(s.list)-1)]
	c.mu.Lock()
	defer c.mu.Unlock()
	class, failure := x.Verdict.Class, x.Verdict.Failure
	if failure == judge.Canceled {
		c.Canceled++
		return
	}
	if stage > c.stage {
		c.pack()
		c.stage = stage
	}
	c.time(stage, 2*int(class), x.Service)
	c.time(stage, 2*int(class)+1, x.Response)
	if !x.Queued {
		c.time(stage, columns-1, x.Lag)
	}
	if began := int64(x.Intended + x.Lag); stage == c.stage {
		c.latest = max(c.latest, began)
	} else {
		c.end(stage, began)
	}
	if x.Response > longest {
		c.Clamped++
	}
	if failure != judge.NoFailure {
		count(&c.Failures, failure.String())
	}
	if x.Verdict.Rule != "" {
		count(&c.Rules, x.Verdict.Rule)
	}
	if status := statusOf(x); class.Bad() && status > 0 {
		count(&c.Statuses, strconv.Itoa(status))
	}
	if x.Request == nil {
		return
	}
	if s.users {
		u := c.user(x.Request.Identity)
		count(&u.Classes, class.String())
		u.response.Record(x.Response)
	}
	if x.Response > c.least {
		c.slow(x)
	}
}

func (c *cell) time(stage, i int, t time.Duration) {
	if stage != c.stage {
		s := slotOf(i)
		s.Stage = stage
		c.at(s).Record(t)
		return
	}
	if c.dense[i] == nil {
		c.dense[i] = hdr.New(int64(shortest), int64(longest), digits)
	}
	_ = c.dense[i].RecordValue(within(t)) // in range: cannot fail
}

// pack moves what the newest stage has counted to the distributions.
func (c *cell) pack() {
	for i, h := range c.dense {
		if h != nil && h.TotalCount() > 0 {
			s := slotOf(i)
			s.Stage = c.stage
			c.at(s).histogram().MergeFrom(h)
			h.Reset()
		}
	}
	if c.latest > 0 {
		c.end(c.stage, c.latest)
	}
	c.latest = 0
}

// slow puts a request among the slowest.
func (c *cell) slow(x *engine.Result) {
	c.Slow = slowest(append(c.Slow, Slow{
		K: x.K, AtMS: millis(x.Intended), ResponseMS: millis(x.Response), ServiceMS: millis(x.Service),
		Class: x.Verdict.Class.String(), Status: statusOf(x), Nonce: string(x.Request.Nonce[:]), Trace: traceOf(x),
	}))
	if len(c.Slow) == mostSlow {
		c.least = time.Duration(c.Slow[mostSlow-1].ResponseMS * 1e6)
	}
}

// take empties the cells.
func (s *cells) take() *counts {
	all := &counts{}
	for i := range s.list {
		c := &s.list[i]
		c.mu.Lock()
		c.pack()
		taken := c.counts
		c.counts, c.least = counts{}, 0
		c.mu.Unlock()
		all.add(&taken)
	}
	return all
}

// statusOf is that of the answer; 0: there was none.
func statusOf(x *engine.Result) int {
	if x.Exchange == nil {
		return 0
	}
	return x.Exchange.Status
}

// traceOf is the traceparent of a request that carried one.
func traceOf(x *engine.Result) string {
	if x.Request.Trace[0] == 0 {
		return ""
	}
	return string(x.Request.Trace[:])
}
