package engine

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/traffic"
	"github.com/gateassay/gateassay/load/transport"
)

// directRunner is the direct engine. One goroutine, the scheduler, sleeps until a request is due
// and hands it to an idle worker. If no worker is idle and no more may be started, due requests
// wait. They are only counted: released - taken wait.
type directRunner struct {
	e *Engine

	mu       sync.Mutex
	released int64            // number of requests that are due
	taken    int64            // number of requests that workers took
	waiting  *schedule.Cursor // at the first request that no worker took
	idle     []*directWorker
	workers  int
	started  []*directWorker
	ended    bool // no more requests will be released
	stopped  bool // waiting requests will not be sent

	last time.Duration // moment of the last answer

	start time.Time
	head  fasthttp.RequestHeader // the same for all requests
	alive sync.WaitGroup
}

type directWorker struct {
	d       *directRunner
	wake    chan int64 // the number of a request; closed: the worker must end
	request traffic.Request
	out     fasthttp.Request
	in      fasthttp.Response
	result  RequestResult
	last    time.Duration // moment of its last answer

	sending   atomic.Int64 // the number of the request in flight
	sentSince atomic.Int64 // moment when it was sent, in ns from the start; 0: none is in flight
}

func (d *directRunner) state() (begun, inFlight int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.taken, int64(d.workers - len(d.idle))
}

func (d *directRunner) eachInFlight(f func(due, sent time.Duration)) {
	d.mu.Lock()
	started := slices.Clone(d.started)
	d.mu.Unlock()
	for _, w := range started {
		if sent := w.sentSince.Load(); sent > 0 {
			f(d.e.config.Schedule.DueAt(w.sending.Load()), time.Duration(sent))
		}
	}
}

func (d *directRunner) run(ctx context.Context, start time.Time) time.Duration {
	d.start = start
	d.head.DisableNormalizing()
	d.head.SetMethod(fasthttp.MethodPost)
	d.head.SetRequestURI(d.e.config.Target.URL.RequestURI())
	d.head.SetHost(d.e.config.Target.URL.Host)
	for name, values := range d.e.config.Target.Header {
		d.head.Set(name, values[0])
	}
	defer d.e.whenStopped(ctx, d.stop, d.e.config.FastHTTP.CancelAll)()
	d.schedule(ctx, newPrecisionSleeper(start))
	d.finish()
	return d.last
}

func (d *directRunner) schedule(ctx context.Context, s *precisionSleeper) {
	cursor := d.e.config.Share.NewCursor()
	now := s.now()
	for {
		_, at, ok := cursor.Next()
		if !ok {
			return
		}
		if at > now {
			now = s.until(ctx, at)
		}
		if ctx.Err() != nil {
			return
		}
		d.release()
	}
}

// release hands the next request to a worker: the one that became idle last, or a new one. If no
// more workers may be started, the request waits for the next worker that is done.
func (d *directRunner) release() {
	d.mu.Lock()
	d.released++
	if len(d.idle) == 0 && d.workers >= d.e.limit {
		d.mu.Unlock()
		return
	}
	k := d.takeWaiting() // no other request waits while a worker is idle
	if last := len(d.idle) - 1; last >= 0 {
		w := d.idle[last]
		d.idle = d.idle[:last]
		d.mu.Unlock()
		w.wake <- k
		return
	}
	d.workers++
	w := &directWorker{d: d, wake: make(chan int64, 1)}
	d.started = append(d.started, w)
	d.mu.Unlock()
	d.alive.Go(func() { w.work(k) })
}

// takeWaiting returns the first waiting request. The caller holds the lock.
func (d *directRunner) takeWaiting() int64 {
	d.taken++
	k, _, _ := d.waiting.Next()
	return k
}

// nextFor returns the first waiting request, or parks the worker until a request is due. ok is
// false if the worker must end.
func (d *directRunner) nextFor(w *directWorker) (k int64, queued, ok bool) {
	d.mu.Lock()
	switch {
	case d.stopped || d.ended && d.taken == d.released:
		d.mu.Unlock()
		return 0, false, false
	case d.taken < d.released:
		k = d.takeWaiting()
		d.mu.Unlock()
		return k, true, true
	}
	d.idle = append(d.idle, w)
	d.mu.Unlock()
	k, ok = <-w.wake
	return k, false, ok
}

// stop keeps waiting requests from being sent.
func (d *directRunner) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopped = true
}

// finish lets the workers send the waiting requests, unless the run was stopped, and waits for
// them to end.
func (d *directRunner) finish() {
	d.mu.Lock()
	d.ended = true
	for _, w := range d.idle {
		close(w.wake)
	}
	d.idle = nil
	d.mu.Unlock()
	d.alive.Wait()
}

func (w *directWorker) work(k int64) {
	d := w.d
	defer func() {
		d.mu.Lock()
		d.workers--
		d.last = max(d.last, w.last)
		d.mu.Unlock()
	}()
	for queued, ok := false, true; ok; k, queued, ok = d.nextFor(w) {
		w.send(k, queued)
	}
}

func (w *directWorker) send(k int64, queued bool) {
	e := w.d.e
	e.fillRequest(k, &w.request)
	w.d.head.CopyTo(&w.out.Header)
	e.eachRequestHeader(&w.request, w.out.Header.Add)
	w.out.SetBodyRaw(w.request.Body)
	began := time.Since(w.d.start)
	w.sending.Store(k)
	w.sentSince.Store(int64(began))
	err := e.config.FastHTTP.Do(&w.out, &w.in)
	w.sentSince.Store(0)
	w.last = time.Since(w.d.start)
	w.result = RequestResult{
		Request: &w.request, Queued: queued, Status: w.in.StatusCode(), Err: err,
	}
	if err == nil {
		w.result.RetryAfter = len(w.in.Header.Peek("Retry-After")) > 0
		coding := string(w.in.Header.ContentEncoding())
		w.result.Body, w.result.Err = transport.Decompress(w.in.Body(), coding)
	}
	e.judge(&w.result, began, w.last)
	if w.result.Err == nil && w.result.Judgement.Class.IsBad() {
		w.result.Header = w.answerHeader()
	}
	e.config.Sink.Record(&w.result)
}

func (w *directWorker) answerHeader() http.Header {
	h := http.Header{}
	for name, value := range w.in.Header.All() {
		h.Add(string(name), string(value))
	}
	return h
}
