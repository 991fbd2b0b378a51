package results

import (
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
)

// Record makes a Recorder the sink of an engine: it counts the result, keeps the exchange of a bad one, hands the file
// of a sampled export to the tracker, and writes vegeta's encoding where that was asked for. The run must begin at the
// moment given to Start. It takes no lock and allocates nothing, but for the first of their kind and for what is rare.
func (r *Recorder) Record(worker int, x *engine.Result) {
	r.shards.record(worker, x)
	r.beside.result(x)
	if rule := x.Verdict.Rule; rule != "" {
		r.violated.Lock()
		if _, known := r.rules[rule]; known || len(r.rules) < 1000 {
			r.rules[rule]++
		}
		r.violated.Unlock()
	}
	switch {
	case x.Verdict.Class == judge.Accepted:
		if r.o.Files.Wants(x.K) {
			if id, ok := judge.FileID(x.Exchange.Answer); ok {
				r.o.Files.Accepted(id, r.start.Add(x.Exchange.Done))
			}
		}
	case x.Verdict.Failure != judge.Canceled && r.kept.wants(x.Verdict.Class):
		r.kept.keep(r.exchange(x))
	}
	if r.raw != nil {
		r.raw.write(engine.AsVegeta(x, r.start, r.o.Info.ID, r.o.URL))
	}
}

// exchange copies what is kept of a result. Header fields of the target are left out: they are the same for all.
func (r *Recorder) exchange(x *engine.Result) Exchange {
	e := Exchange{
		K: x.K, Class: x.Verdict.Class.String(), Rule: x.Verdict.Rule, Failure: x.Verdict.Failure.String(),
		At: r.start.Add(x.Intended + x.Lag).UTC(), Method: "POST", URL: r.o.URL,
		ServiceMS: millis(x.Service), ResponseMS: millis(x.Response), LagMS: millis(x.Lag),
	}
	if q := x.Request; q != nil {
		if q.Repeat {
			e.RepeatOf = new(q.Of)
		}
		e.RequestBody = string(q.Body)
		q.EachHeader(func(name, value string) { e.RequestHeader = append(e.RequestHeader, Header{name, value}) })
		if trace := traceOf(x); trace != "" {
			e.RequestHeader = append(e.RequestHeader, Header{"traceparent", trace})
		}
	}
	if a := x.Exchange; a != nil {
		if a.Err != nil {
			e.Detail = a.Err.Error()
		}
		e.Status, e.ResponseBody = a.Status, string(a.Answer)
		a.EachHeader(func(name, value []byte) bool {
			e.ResponseHeader = append(e.ResponseHeader, Header{string(name), string(value)})
			return len(e.ResponseHeader) <= keptHeaders
		})
	}
	return e
}

var _ engine.Sink = (*Recorder)(nil)
