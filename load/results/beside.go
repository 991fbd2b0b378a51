package results

import (
	"cmp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results/histogram"
)

// Stall is a stretch without any answer, though requests waited for one.
type Stall struct {
	FromMS float64 `json:"from_ms"` // the last answer before, from the start of the run
	MS     float64 `json:"ms"`
	Waited int64   `json:"waited"`           // requests that were due by its end and had no answer
	Failed int64   `json:"failed,omitempty"` // requests that ended within it without an answer
	Open   bool    `json:"open,omitempty"`   // it lasted until the end of the run
}

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

// user is what was recorded of one identity in one interval.
type user struct {
	Identity int              `json:"identity"`
	Classes  map[string]int64 `json:"classes"`
	HDR      string           `json:"hdr"` // response times
}

const (
	shortestStall = 500 * time.Millisecond
	mostStalls    = 200 // of a run
	mostSlow      = 10  // of a run, and of an interval
	mostStatus    = 600
)

// beside holds what is recorded beside the histograms. Results write to it without a lock but for what is rare.
type beside struct {
	due      func(at time.Duration) int64   // requests that were meant to be sent by then
	spacing  func(at time.Duration) float64 // seconds between two of them
	statuses [mostStatus]atomic.Int64       // of answers that were not as they should be
	users    []userCounts

	settled  atomic.Int64 // requests that ended
	failed   atomic.Int64 // of these, without an answer
	answered atomic.Int64 // when the latest answer was whole, in nanoseconds of the run; 0: there was none
	before   atomic.Int64 // failed, as it was then
	least    atomic.Int64 // a response time that a request must exceed to be among the slowest

	mu     sync.Mutex
	stalls []Stall // since the last interval
	slow   []Slow  // since the last interval, slowest first
	count  int     // of stalls
}

type userCounts struct {
	classes  [judge.NumClasses]atomic.Int64
	response histogram.Live
}

// result takes what became of one request.
func (b *beside) result(x *engine.Result) {
	class, failure := x.Verdict.Class, x.Verdict.Failure
	if failure == judge.Canceled {
		return
	}
	b.settled.Add(1)
	if failure != judge.NoFailure {
		b.failed.Add(1)
	} else {
		b.answer(x.Intended + x.Response)
	}
	if status := statusOf(x); class.Bad() && status > 0 && status < mostStatus {
		b.statuses[status].Add(1)
	}
	if x.Request == nil {
		return
	}
	if i := x.Request.Identity; len(b.users) > 1 && i < len(b.users) {
		b.users[i].classes[class].Add(1)
		b.users[i].response.Record(x.Response)
	}
	if int64(x.Response) > b.least.Load() {
		b.keep(x)
	}
}

// statusOf is that of the answer; 0: there was none.
func statusOf(x *engine.Result) int {
	if x.Exchange == nil {
		return 0
	}
	return x.Exchange.Status
}

// answer moves the moment of the latest answer, and notes a stall that it ended.
func (b *beside) answer(done time.Duration) {
	for {
		last := b.answered.Load()
		if int64(done) <= last {
			return
		}
		if !b.answered.CompareAndSwap(last, int64(done)) {
			continue
		}
		failed := b.failed.Load()
		if before := b.before.Swap(failed); last > 0 {
			b.stall(time.Duration(last), done, failed-before, false)
		}
		return
	}
}

// stall notes a stretch without an answer, where it was long for the rate and something waited.
func (b *beside) stall(from, to time.Duration, failed int64, open bool) {
	gap := to - from
	if gap < shortestStall || gap.Seconds() < 10*b.spacing(from) {
		return
	}
	settled := b.settled.Load()
	if !open {
		settled-- // the one that ended it had waited, too
	}
	if b.due(to-shortestStall/2) <= settled-failed {
		return // whatever was due had its answer
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.count++; b.count <= mostStalls {
		b.stalls = append(b.stalls, Stall{
			FromMS: millis(from), MS: millis(gap),
			Waited: max(b.due(to)-settled, 0), Failed: failed, Open: open,
		})
	}
}

// silent is for how long there has been no answer, where that is a stall; 0 else.
func (b *beside) silent(now time.Duration) time.Duration {
	last := time.Duration(b.answered.Load())
	if gap := now - last; last > 0 && gap >= shortestStall && gap.Seconds() >= 10*b.spacing(last) &&
		b.due(now-shortestStall/2) > b.settled.Load() {
		return gap
	}
	return 0
}

// keep puts a request among the slowest.
func (b *beside) keep(x *engine.Result) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.slow = slowest(append(b.slow, Slow{
		K: x.K, AtMS: millis(x.Intended), ResponseMS: millis(x.Response), ServiceMS: millis(x.Service),
		Class: x.Verdict.Class.String(), Status: statusOf(x), Nonce: string(x.Request.Nonce[:]), Trace: traceOf(x),
	}))
	if len(b.slow) == mostSlow {
		b.least.Store(int64(b.slow[mostSlow-1].ResponseMS * 1e6))
	}
}

// traceOf is the traceparent of a request that carried one.
func traceOf(x *engine.Result) string {
	if x.Request.Trace[0] == 0 {
		return ""
	}
	return string(x.Request.Trace[:])
}

func slowest(list []Slow) []Slow {
	slices.SortStableFunc(list, func(a, b Slow) int { return cmp.Compare(b.ResponseMS, a.ResponseMS) })
	return list[:min(len(list), mostSlow)]
}

// drain moves what came since the last time into an interval.
func (b *beside) drain(i *interval, encoder *histogram.Encoder) {
	for status := range b.statuses {
		if b.statuses[status].Load() > 0 {
			if i.Statuses == nil {
				i.Statuses = map[string]int64{}
			}
			i.Statuses[strconv.Itoa(status)] = b.statuses[status].Swap(0)
		}
	}
	for n := range b.users {
		var h histogram.Histogram
		if b.users[n].response.Drain(&h); h.Count() == 0 {
			continue
		}
		u := user{Identity: n, Classes: map[string]int64{}, HDR: encoder.Encode(&h)}
		for c := range b.users[n].classes {
			if count := b.users[n].classes[c].Swap(0); count > 0 {
				u.Classes[judge.Class(c).String()] = count
			}
		}
		i.Users = append(i.Users, u)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	i.Stalls, i.Slow = b.stalls, b.slow
	b.stalls, b.slow = nil, nil
	b.least.Store(0)
}
