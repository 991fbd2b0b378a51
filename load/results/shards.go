package results

import (
	"math/bits"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results/histogram"
)

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
}

func newShards(last []int64) *shards {
	n := 1 << bits.Len(uint(max(2*runtime.GOMAXPROCS(0), 2)-1))
	n = min(max(n, 2), 16)
	s := &shards{list: make([]shard, n), mask: n - 1, last: last}
	for i := range s.list {
		s.list[i].cells = make([]atomic.Pointer[cell], len(last)*columns)
		s.list[i].ends = make([]atomic.Int64, len(last))
	}
	return s
}

// stage of request k, from 0.
func (s *shards) stage(k int64) int {
	at, _ := slices.BinarySearch(s.last, k+1)
	return min(at, len(s.last)-1)
}

// record takes a result. Those of one worker share a shard.
func (s *shards) record(worker int, x *engine.Result) {
	class, failure := x.Verdict.Class, x.Verdict.Failure
	if failure == judge.Canceled && (class == judge.TransportError || class == judge.Timeout) {
		s.canceled.Add(1)
		return
	}
	at := &s.list[worker&s.mask]
	stage := s.stage(x.K)
	row := stage * columns
	c := at.cell(row + int(class))
	c.first.Record(x.Service)
	c.second.Record(x.Response)
	c.touch()
	if !x.Queued {
		lag := at.cell(row + judge.NumClasses)
		lag.first.Record(max(x.Lag, 0))
		lag.touch()
	}
	begun := int64(x.Intended + x.Lag)
	for end := &at.ends[stage]; ; {
		latest := end.Load()
		if begun <= latest || end.CompareAndSwap(latest, begun) {
			break
		}
	}
	if failure != judge.NoFailure && int(failure) < len(s.failures) {
		s.failures[failure].Add(1)
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
