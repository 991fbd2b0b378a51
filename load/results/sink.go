package results

import (
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
)

// Record makes a Recorder the sink of an engine: it counts the result, keeps the exchange of a bad one, hands the file
// of a sampled export to the tracker, and writes vegeta's encoding where that was asked for. The run must begin at the
// moment given to Start.
func (r *Recorder) Record(worker int, x *engine.Result) {
	result := Result{
		K: x.K, Worker: worker, Class: x.Verdict.Class, Failure: x.Verdict.Failure, Rule: x.Verdict.Rule,
		Service: x.Service, Response: x.Response, Lag: x.Lag, Begun: x.Intended + x.Lag, Queued: x.Queued,
	}
	if x.Exchange != nil {
		result.Status = x.Exchange.Status
	}
	r.add(&result, x)
	switch {
	case result.Class == judge.Accepted:
		if r.o.Files.Wants(x.K) {
			if id, ok := judge.FileID(x.Exchange.Answer); ok {
				r.o.Files.Accepted(id, r.start.Add(x.Exchange.Done))
			}
		}
	case result.Failure != judge.Canceled && r.kept.wants(result.Class):
		r.kept.keep(r.exchange(x))
	}
	if r.raw != nil {
		v := engine.AsVegeta(x, r.start, r.o.Info.ID, r.o.URL, r.o.Info.Shard, r.o.Info.Shards)
		if v.Error != "" && r.o.Redactor != nil {
			bare := *v
			bare.Error = r.o.Redactor.Text(v.Error)
			v = &bare
		}
		r.raw.write(v)
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
			of := q.Of
			e.RepeatOf = &of
		}
		e.RequestBody = string(q.Body)
		add := func(name, value string) { e.RequestHeader = append(e.RequestHeader, Header{name, value}) }
		q.EachHeader(add)
		if trace := traceOf(x); trace != "" {
			add("traceparent", trace)
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
