package results

import (
	"math/bits"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results/histogram"
)

// Result is what became of one request. Times are from the run's schedule and a monotonic clock.
type Result struct {
	K        int64
	Worker   int // who records: results of one worker share a shard
	Class    judge.Class
	Failure  judge.Failure // of a transport error or a timeout
	Rule     string        // ID of the violated rule; empty: none
	Service  time.Duration // from sending to the end of the answer, or to giving up
	Response time.Duration // from T(k) to the same
	Lag      time.Duration // from T(k) until a worker began with it
	Begun    time.Duration // the same moment, from the start of the run
	Status   int           // of the answer; 0: none
	Queued   bool          // it waited for the limit of requests in flight: Lag is then not the generator's fault
}

const columns = judge.NumClasses + 1 // the last one holds send lag

// cell counts what one shard saw of one class in one stage.
type cell struct {
	first, second histogram.Live // service and response; lag uses the first only
	touched       atomic.Bool
}

// shard is written by some of the workers. Its cells are drained by the recorder.
type shard struct {
	cells []atomic.Pointer[cell] // stage*columns + class
	ends  []atomic.Int64         // of each stage: when its last request began
	_     [64]byte               // keeps shards off each other's cache lines
}

// shards is the hot path: results in, without a lock and without an allocation.
type shards struct {
	list []shard
	mask int
	last []int64 // of each stage: the first request of the next

	failures [judge.NumFailures]atomic.Int64
	canceled atomic.Int64
	first    atomic.Int64 // how late the first request began, in nanoseconds and at least 1; 0: it did not yet
	lowest   int64        // that request
}

func newShards(last []int64, lowest int64) *shards {
	n := 1 << bits.Len(uint(max(2*runtime.GOMAXPROCS(0), 2)-1))
	n = min(max(n, 2), 16)
	s := &shards{list: make([]shard, n), mask: n - 1, last: last, lowest: lowest}
	for i := range s.list {
		s.list[i].cells = make([]atomic.Pointer[cell], len(last)*columns)
		s.list[i].ends = make([]atomic.Int64, len(last))
	}
	return s
}

// stage of request k, by bisection.
func (s *shards) stage(k int64) int {
	low, high := 0, len(s.last)-1
	for low < high {
		middle := int(uint(low+high) >> 1)
		if s.last[middle] <= k {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

func (s *shards) record(r *Result) {
	if r.Failure == judge.Canceled && (r.Class == judge.TransportError || r.Class == judge.Timeout) {
		s.canceled.Add(1)
		return
	}
	at := &s.list[r.Worker&s.mask]
	stage := s.stage(r.K)
	row := stage * columns
	c := at.cell(row + int(r.Class))
	c.first.Record(r.Service)
	c.second.Record(r.Response)
	c.touch()
	if !r.Queued {
		lag := at.cell(row + judge.NumClasses)
		lag.first.Record(max(r.Lag, 0))
		lag.touch()
	}
	for end := &at.ends[stage]; ; {
		latest := end.Load()
		if int64(r.Begun) <= latest || end.CompareAndSwap(latest, int64(r.Begun)) {
			break
		}
	}
	if r.K == s.lowest {
		s.first.Store(max(int64(r.Lag), 1))
	}
	if r.Failure != judge.NoFailure && int(r.Failure) < len(s.failures) {
		s.failures[r.Failure].Add(1)
	}
}

// touch comes after the counts: whoever sees it drains them.
func (c *cell) touch() {
	if !c.touched.Load() {
		c.touched.Store(true)
	}
}

func (s *shard) cell(i int) *cell {
	if c := s.cells[i].Load(); c != nil {
		return c
	}
	fresh := new(cell)
	if s.cells[i].CompareAndSwap(nil, fresh) {
		return fresh
	}
	return s.cell(i)
}

// end of a stage: when the last of its requests so far began.
func (s *shards) end(stage int) int64 {
	var last int64
	for i := range s.list {
		last = max(last, s.list[i].ends[stage].Load())
	}
	return last
}
