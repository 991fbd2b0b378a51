package engine

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/gateassay/gateassay/load/transport"
)

// vegetaRun drives vegeta's Attacker. The schedule is its Pacer. Its Targeter names the operation only, as it is told
// no sequence number; identifiers and body are made in the RoundTripper, where X-Vegeta-Seq says which request it is.
type vegetaRun struct {
	e       *Engine
	sleeper *sleeper
	start   time.Time
	end     time.Duration // of saturation
	most    int64
	waits   bool // the last request had to wait for a worker; only Pace uses it

	began    atomic.Pointer[time.Time]
	released atomic.Int64
	begun    atomic.Int64
	inFlight atomic.Int64
	peak     atomic.Int64
	stopped  atomic.Bool

	mu     sync.Mutex
	idle   []*call
	lines  []transport.Session // that no call has
	done   map[uint64]*call    // answered, and not yet seen by the results' loop
	queued map[uint64]struct{}
}

var errStopped = errors.New("the run has been stopped")

func newVegetaRun(e *Engine) *vegetaRun {
	return &vegetaRun{e: e, done: map[uint64]*call{}, queued: map[uint64]struct{}{}}
}

func (v *vegetaRun) state() State {
	s := State{Released: v.released.Load(), Begun: v.begun.Load(), InFlight: int(v.inFlight.Load())}
	if start := v.began.Load(); start != nil && v.e.o.Schedule != nil && !v.stopped.Load() {
		// The Attacker asks for no further request while it waits for a worker: what is due tells the schedule.
		shard, shards := int64(v.e.o.Shard), int64(v.e.o.Shards)
		s.Released = max(s.Released, (v.e.o.Schedule.DueBy(time.Since(*start))-shard+shards-1)/shards)
	}
	s.Waiting = max(s.Released-s.Begun, 0)
	return s
}

func (v *vegetaRun) run(ctx context.Context, start time.Time) Summary {
	v.start, v.most = start, v.e.planned()
	v.began.Store(&start)
	if sat := v.e.o.Saturation; sat != nil {
		v.end, v.most = sat.For, sat.Requests
		if v.most <= 0 {
			v.most = math.MaxInt64
		}
	}
	v.sleeper = newSleeper(start)
	defer v.sleeper.close()

	attacker := vegeta.NewAttacker(
		vegeta.Client(&http.Client{Transport: v, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}),
		vegeta.Workers(uint64(min(vegeta.DefaultWorkers, v.e.limit))),
		vegeta.MaxWorkers(uint64(v.e.limit)),
	)
	ended := make(chan struct{})
	defer close(ended)
	defer context.AfterFunc(ctx, func() {
		v.stopped.Store(true)
		attacker.Stop()
		v.sleeper.interrupt()
		grace := time.NewTimer(v.e.o.Grace)
		defer grace.Stop()
		select {
		case <-grace.C:
			v.e.o.Transport.Cut()
		case <-ended:
		}
	})()
	targeter := func(t *vegeta.Target) error {
		t.Method, t.URL = http.MethodPost, v.e.o.Target.URL
		return nil
	}
	var last time.Duration
	for r := range attacker.Attack(targeter, v, 0, "") {
		last = max(last, v.record(r))
	}
	for _, s := range v.lines {
		s.Close()
	}
	sum := Summary{Start: start, Elapsed: last, Sent: v.begun.Load(), PeakInFlight: int(v.peak.Load())}
	sum.Planned = sum.Sent
	if v.e.o.Schedule != nil {
		sum.Planned = v.e.planned()
		sum.Unsent = sum.Planned - sum.Sent
		sum.Stopped = sum.Unsent > 0
	} else {
		sum.Stopped = ctx.Err() != nil
	}
	return sum
}

// Pace implements vegeta.Pacer. It waits itself: more precisely than the Attacker, and so that it can be interrupted.
func (v *vegetaRun) Pace(_ time.Duration, hits uint64) (time.Duration, bool) {
	if int64(hits) >= v.most || v.stopped.Load() {
		return 0, true
	}
	if v.e.o.Saturation != nil {
		now := v.sleeper.until(0)
		v.released.Add(1)
		return 0, v.stopped.Load() || v.end > 0 && now > v.end
	}
	at := v.e.o.Schedule.At(v.e.k(int64(hits)))
	now := v.sleeper.now()
	late := now > at
	v.sleeper.until(at)
	if v.stopped.Load() {
		return 0, true
	}
	v.released.Add(1)
	// Late behind a request that had to wait for a worker is late for the same reason.
	v.waits = int(v.inFlight.Load()) >= v.e.limit || late && v.waits
	if v.waits {
		v.mu.Lock()
		v.queued[hits] = struct{}{}
		v.mu.Unlock()
	}
	return 0, false
}

// Rate implements vegeta.Pacer.
func (v *vegetaRun) Rate(elapsed time.Duration) float64 {
	if v.e.o.Schedule == nil {
		return math.Inf(1)
	}
	return v.e.o.Schedule.Rate(elapsed) / float64(v.e.o.Shards)
}

// RoundTrip implements http.RoundTripper. Of the request it only takes the sequence number.
func (v *vegetaRun) RoundTrip(req *http.Request) (*http.Response, error) {
	seq, err := strconv.ParseUint(req.Header.Get("X-Vegeta-Seq"), 10, 63)
	if err != nil {
		return nil, err
	}
	if v.stopped.Load() {
		return nil, errStopped
	}
	v.begun.Add(1)
	flying := v.inFlight.Add(1)
	for peak := v.peak.Load(); flying > peak && !v.peak.CompareAndSwap(peak, flying); peak = v.peak.Load() {
	}
	c := v.take()
	k := v.e.k(int64(seq))
	at := time.Since(v.start)
	if v.e.o.Schedule != nil {
		at = v.e.o.Schedule.At(k)
	}
	c.perform(k, at)
	c.exchange.Detach() // the session goes to the next request, before vegeta has handed on this one's result
	v.inFlight.Add(-1)
	v.mu.Lock()
	v.done[seq] = c
	v.lines = append(v.lines, c.session)
	c.session = nil
	v.mu.Unlock()
	x := &c.exchange
	if x.Err != nil {
		return nil, x.Err
	}
	resp := &http.Response{
		Status: strconv.Itoa(x.Status) + " " + http.StatusText(x.Status), StatusCode: x.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: make(http.Header, 8), Request: req,
		ContentLength: int64(len(x.Answer)), Body: io.NopCloser(bytes.NewReader(x.Answer)),
	}
	x.EachHeader(func(name, value []byte) bool {
		resp.Header.Add(string(name), string(value))
		return true
	})
	return resp, nil
}

// record corrects a result of vegeta's to the intended moment and hands it on. It returns when the answer was whole.
func (v *vegetaRun) record(r *vegeta.Result) time.Duration {
	v.mu.Lock()
	c := v.done[r.Seq]
	_, queued := v.queued[r.Seq]
	delete(v.done, r.Seq)
	delete(v.queued, r.Seq)
	v.mu.Unlock()
	if c == nil {
		return 0 // it was not sent
	}
	began := r.Timestamp.Sub(v.start)
	res := &c.result
	if v.e.o.Schedule == nil {
		res.Intended = began
	}
	res.Queued, res.Vegeta = queued, r
	res.Lag, res.Service = began-res.Intended, r.Latency
	res.Response = res.Lag + res.Service
	r.BytesOut = uint64(len(c.exchange.Body)) // vegeta saw a request without
	v.e.o.Sink.Record(0, res)
	done := c.exchange.Done
	v.give(c)
	return done
}

// take makes a call ready, with the session that was used last.
func (v *vegetaRun) take() *call {
	v.mu.Lock()
	defer v.mu.Unlock()
	var c *call
	if n := len(v.idle); n > 0 {
		c = v.idle[n-1]
		v.idle = v.idle[:n-1]
	} else {
		c = v.e.open(v.start)
	}
	if n := len(v.lines); n > 0 {
		c.session = v.lines[n-1]
		v.lines = v.lines[:n-1]
	} else {
		c.session = v.e.o.Transport.Open()
	}
	return c
}

func (v *vegetaRun) give(c *call) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.idle = append(v.idle, c)
}

// AsVegeta gives a result of either engine the shape of vegeta's, for its encodings. Timestamps are of the sending,
// and so is the latency: vegeta knows no intended moment. start is that of the run, url the operation's.
func AsVegeta(r *Result, start time.Time, attack, url string, shard, shards int) *vegeta.Result {
	if r.Vegeta != nil {
		r.Vegeta.Attack = attack
		return r.Vegeta
	}
	x := r.Exchange
	v := &vegeta.Result{
		Attack: attack, Seq: uint64((r.K - int64(shard)) / int64(max(shards, 1))), Timestamp: start.Add(x.Began), Latency: x.Done - x.Began,
		BytesOut: uint64(len(x.Body)), BytesIn: uint64(len(x.Answer)), Method: http.MethodPost, URL: url,
		Code: uint16(x.Status), Body: bytes.Clone(x.Answer), Headers: http.Header{},
	}
	x.EachHeader(func(name, value []byte) bool {
		v.Headers.Add(string(name), string(value))
		return true
	})
	switch {
	case x.Err != nil:
		v.Error = x.Err.Error()
	case x.Status < 200 || x.Status >= 400:
		v.Error = strconv.Itoa(x.Status) + " " + http.StatusText(x.Status)
	}
	return v
}
