package engine

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/traffic"
	"github.com/gateassay/gateassay/load/transport"
)

// vegetaRun drives vegeta's Attacker over net/http: the schedule is its Pacer, the operation its Targeter's Target, and
// what became of a request is read from its Result. A Targeter is not given a sequence number, so that what varies from
// one request to the next is filled in on the way to net/http, by the X-Vegeta-Seq of the request.
type vegetaRun struct {
	e       *Engine
	sleeper *sleeper
	start   time.Time
	most    int64
	cursor  *schedule.Cursor // only Pace uses it
	ctx     context.Context  // whose end stops the run
	waits   bool             // the last request had to wait for a worker; only Pace uses it

	begun    atomic.Int64
	inFlight atomic.Int64

	scratch sync.Pool // of *variables

	mu     sync.Mutex
	due    map[uint64]int64    // the request that a hit is to be, until it is begun
	hits   map[uint64]*hit     // begun, and not yet seen by the results' loop
	queued map[uint64]struct{} // had to wait for a worker
}

// hit is a request under way. It is not used again: net/http may hold on to a request for longer than its answer takes.
type hit struct {
	v       *vegetaRun
	k       int64
	request traffic.Request
	body    io.ReadCloser // of the answer
	left    int           // of body may be read
	err     error         // the one that ended it: of its text alone, which vegeta keeps, nothing can be read
}

// Read implements io.Reader, over the body of the answer. It ends one byte beyond the limit, since the Attacker reads to
// the end whatever it keeps, and an answer may have none.
func (h *hit) Read(p []byte) (int, error) {
	if h.left <= 0 {
		return 0, io.EOF
	}
	n, err := h.body.Read(p[:min(len(p), h.left)])
	h.left -= n
	if err != nil && !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		h.err = err
	}
	return n, err
}

// Close ends the hit.
func (h *hit) Close() error {
	h.v.inFlight.Add(-1)
	return h.body.Close()
}

var errStopped = errors.New("the run has been stopped")

func (v *vegetaRun) state() (begun, inFlight int64) { return v.begun.Load(), v.inFlight.Load() }

func (v *vegetaRun) run(ctx context.Context, start time.Time) time.Duration {
	v.start, v.most, v.ctx = start, v.e.o.Share.Count(), ctx
	v.sleeper = newSleeper(start)
	defer v.sleeper.close()

	o := &v.e.o
	asItIs := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	attacker := vegeta.NewAttacker(
		vegeta.Client(&http.Client{Transport: v, CheckRedirect: asItIs}),
		vegeta.Workers(uint64(min(vegeta.DefaultWorkers, v.e.limit))),
		vegeta.MaxWorkers(uint64(v.e.limit)),
		vegeta.MaxBody(transport.MaxBody+1),
	)
	ended := make(chan struct{})
	defer close(ended)
	defer context.AfterFunc(ctx, func() {
		attacker.Stop()
		v.sleeper.interrupt()
		select {
		case <-time.After(o.Grace):
			o.HTTP.Cut()
		case <-ended:
		}
	})()
	header := o.HTTP.Header(o.Target.Fields)
	targeter := func(t *vegeta.Target) error {
		t.Method, t.URL, t.Header = http.MethodPost, o.Target.URL, header
		return nil
	}
	var last time.Duration
	c := v.e.open(start)
	for r := range attacker.Attack(targeter, v, 0, "") {
		last = max(last, v.record(c, r))
	}
	return last
}

// Pace implements vegeta.Pacer. It waits itself: more precisely than the Attacker, and so that it can be interrupted.
func (v *vegetaRun) Pace(_ time.Duration, hits uint64) (time.Duration, bool) {
	k, at, ok := v.cursor.Next()
	if !ok || int64(hits) >= v.most || v.ctx.Err() != nil {
		return 0, true
	}
	late := v.sleeper.now() > at
	v.sleeper.until(at)
	if v.ctx.Err() != nil {
		return 0, true
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.due[hits] = k
	// Late behind a request that had to wait for a worker is late for the same reason.
	v.waits = int(v.inFlight.Load()) >= v.e.limit || late && v.waits
	if v.waits {
		v.queued[hits] = struct{}{}
	}
	return 0, false
}

// Rate implements vegeta.Pacer.
func (v *vegetaRun) Rate(elapsed time.Duration) float64 {
	return v.e.o.Share.Rate(elapsed)
}

// RoundTrip implements http.RoundTripper: it fills in identifiers and body of the request that X-Vegeta-Seq numbers,
// and passes it on. The request was made by vegeta for this hit alone, so that it may be written to.
func (v *vegetaRun) RoundTrip(req *http.Request) (*http.Response, error) {
	seq, err := strconv.ParseUint(req.Header.Get(seqHeader), 10, 63)
	if err != nil {
		return nil, err
	}
	if v.ctx.Err() != nil {
		return nil, errStopped
	}
	v.begun.Add(1)
	v.inFlight.Add(1)
	h := &hit{v: v}
	v.mu.Lock()
	h.k = v.due[seq]
	delete(v.due, seq)
	v.hits[seq] = h
	v.mu.Unlock()
	v.e.fill(h.k, &h.request)
	delete(req.Header, seqHeader)
	v.headers(req.Header, &h.request)
	req.ContentLength = int64(len(h.request.Body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(h.request.Body)), nil }
	req.Body, _ = req.GetBody()
	resp, err := v.e.o.HTTP.RoundTrip(req)
	if err != nil {
		h.err = err
		v.inFlight.Add(-1)
		return nil, err
	}
	h.body, h.left, resp.Body = resp.Body, transport.MaxBody+1, h
	return resp, nil
}

// headers sets what differs from one request to the next, in two allocations for all of them.
func (v *vegetaRun) headers(h http.Header, r *traffic.Request) {
	vars, _ := v.scratch.Get().(*variables)
	if vars == nil {
		vars = &variables{}
	}
	defer v.scratch.Put(vars)
	v.e.vary(vars, r)
	text, values, from := string(vars.text), make([]string, len(vars.fields)), 0
	for i, f := range vars.fields {
		values[i] = text[from : from+len(f.Value)]
		h[f.Name] = values[i : i+1 : i+1]
		from += len(f.Value)
	}
}

const seqHeader = "X-Vegeta-Seq"

// record judges a result of vegeta's, corrected to the intended moment, and hands it on. It returns when the answer was
// whole.
func (v *vegetaRun) record(c *call, r *vegeta.Result) time.Duration {
	v.mu.Lock()
	h := v.hits[r.Seq]
	_, queued := v.queued[r.Seq]
	delete(v.hits, r.Seq)
	delete(v.queued, r.Seq)
	v.mu.Unlock()
	if h == nil {
		return 0 // it was not sent
	}
	k, began := h.k, r.Timestamp.Sub(v.start)
	at := v.e.o.Schedule.At(k)
	x := &c.exchange
	x.Began, x.Sent, x.Done, x.Body, x.Err = began, began, began+r.Latency, h.request.Body, nil
	v.e.o.HTTP.Settle(x, int(r.Code), r.Headers, r.Body, h.err)
	c.result.Request, c.result.Queued = &h.request, queued
	c.judge(k, at)
	v.e.o.Sink.Record(0, &c.result)
	return x.Done
}
