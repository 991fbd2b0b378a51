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

// vegetaRunner drives vegeta's Attacker over net/http. The schedule is its Pacer, the operation
// its Target. A Targeter gets no sequence number, so RoundTrip fills in what differs between
// requests, by the X-Vegeta-Seq of the request.
type vegetaRunner struct {
	e       *Engine
	sleeper *precisionSleeper
	start   time.Time
	cursor  *schedule.Cursor // only Pace uses it
	ctx     context.Context  // its end stops the run
	waits   bool             // the last request waited for a worker; only Pace uses it

	begun    atomic.Int64
	inFlight atomic.Int64

	mu   sync.Mutex
	hits map[uint64]*vegetaHit // due requests without a result yet
}

// A vegetaHit is a request in flight. It is not reused: net/http may hold on to a request after
// its answer.
type vegetaHit struct {
	v       *vegetaRunner
	k       int64
	queued  bool          // it waited for a worker
	sent    time.Duration // moment when it was sent; 0: it was not
	request traffic.Request
	body    io.ReadCloser // of the answer
	limited io.Reader     // body up to one byte beyond the limit
	err     error         // error that ended it; vegeta keeps only its text
}

// Read implements io.Reader. It reads the limited body, because the Attacker reads to the end and
// an answer may be endless.
func (h *vegetaHit) Read(p []byte) (int, error) {
	n, err := h.limited.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		h.err = err
	}
	return n, err
}

// Close ends the hit.
func (h *vegetaHit) Close() error {
	h.v.inFlight.Add(-1)
	return h.body.Close()
}

func (v *vegetaRunner) state() (begun, inFlight int64) { return v.begun.Load(), v.inFlight.Load() }

func (v *vegetaRunner) eachInFlight(f func(due, sent time.Duration)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, h := range v.hits {
		if h.sent > 0 {
			f(v.e.config.Schedule.DueAt(h.k), h.sent)
		}
	}
}

func (v *vegetaRunner) run(ctx context.Context, start time.Time) time.Duration {
	v.start, v.ctx, v.sleeper = start, ctx, newPrecisionSleeper(start)
	c := &v.e.config
	keepRedirects := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	attacker := vegeta.NewAttacker(
		vegeta.Client(&http.Client{Transport: v, CheckRedirect: keepRedirects}),
		vegeta.Workers(uint64(min(vegeta.DefaultWorkers, v.e.limit))),
		vegeta.MaxWorkers(uint64(v.e.limit)), vegeta.MaxBody(transport.MaxBodyBytes+1))
	defer v.e.whenStopped(ctx, func() { attacker.Stop() }, c.HTTP.CancelAll)()
	target := vegeta.NewStaticTargeter(vegeta.Target{
		Method: http.MethodPost, URL: c.Target.URL.String(), Header: c.Target.Header,
	})
	var last time.Duration
	for r := range attacker.Attack(target, v, 0, "") {
		last = max(last, v.record(r))
	}
	return last
}

// Pace implements vegeta.Pacer. It waits itself, more precisely than the Attacker does, and
// stops when ctx ends.
func (v *vegetaRunner) Pace(_ time.Duration, hits uint64) (time.Duration, bool) {
	k, at, ok := v.cursor.Next()
	if !ok || v.ctx.Err() != nil {
		return 0, true
	}
	late := v.sleeper.now() > at
	v.sleeper.until(v.ctx, at)
	if v.ctx.Err() != nil {
		return 0, true
	}
	// A request that is late behind one that waited for a worker is late for the same reason.
	v.waits = int(v.inFlight.Load()) >= v.e.limit || late && v.waits
	v.mu.Lock()
	defer v.mu.Unlock()
	v.hits[hits] = &vegetaHit{v: v, k: k, queued: v.waits}
	return 0, false
}

// Rate implements vegeta.Pacer. The Attacker does not call it.
func (v *vegetaRunner) Rate(time.Duration) float64 { return 0 }

// RoundTrip implements http.RoundTripper: it fills in the request and passes it on. It may
// change the request because vegeta made it for this hit alone.
func (v *vegetaRunner) RoundTrip(req *http.Request) (*http.Response, error) {
	seq, err := strconv.ParseUint(req.Header.Get(seqHeader), 10, 63)
	if err != nil {
		return nil, err
	}
	if v.ctx.Err() != nil {
		return nil, errors.New("the run has been stopped")
	}
	v.begun.Add(1)
	v.inFlight.Add(1)
	v.mu.Lock()
	h := v.hits[seq]
	h.sent = max(time.Since(v.start), 1)
	v.mu.Unlock()
	v.e.fillRequest(h.k, &h.request)
	delete(req.Header, seqHeader)
	v.e.eachRequestHeader(&h.request, func(name, value string) { req.Header[name] = []string{value} })
	req.ContentLength = int64(len(h.request.Body))
	req.GetBody = func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(h.request.Body)), nil
	}
	req.Body, _ = req.GetBody()
	resp, err := v.e.config.HTTP.RoundTrip(req)
	if err != nil {
		h.err = err
		v.inFlight.Add(-1)
		return nil, err
	}
	h.body, h.limited = resp.Body, io.LimitReader(resp.Body, transport.MaxBodyBytes+1)
	resp.Body = h
	return resp, nil
}

const seqHeader = "X-Vegeta-Seq"

// record judges a result of vegeta and passes it to the sink. It returns the moment of the
// complete answer.
func (v *vegetaRunner) record(r *vegeta.Result) time.Duration {
	v.mu.Lock()
	h := v.hits[r.Seq]
	delete(v.hits, r.Seq)
	v.mu.Unlock()
	if h == nil || h.sent == 0 {
		return 0 // it was not sent
	}
	if v.e.config.Raw != nil {
		raw := *r
		raw.BytesOut = uint64(len(h.request.Body)) // vegeta does not know the body
		v.e.config.Raw(raw)
	}
	result := RequestResult{
		Request: &h.request, Queued: h.queued, Status: int(r.Code), Header: r.Headers,
		RetryAfter: r.Headers.Get("Retry-After") != "",
		Err:        v.e.config.HTTP.AnswerError(int(r.Code), r.Body, r.Latency, h.err),
	}
	if result.Err == nil {
		result.Body, result.Err = transport.Decompress(r.Body, r.Headers.Get("Content-Encoding"))
	}
	began := r.Timestamp.Sub(v.start)
	v.e.judge(&result, began, began+r.Latency)
	v.e.config.Sink.Record(&result)
	return began + r.Latency
}
