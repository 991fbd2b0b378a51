package engine_test

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/sink"
)

// results is a sink that keeps what vegeta's encodings would hold.
type results struct {
	start time.Time
	all   []*vegeta.Result
}

func (r *results) Record(_ int, res *engine.Result) {
	r.all = append(r.all, engine.AsVegeta(res, r.start, "a run", "http://x/y"))
}

func TestResultsOfEitherEngineTakeTheShapeOfVegetas(t *testing.T) {
	srv := serve(t, sink.Options{Delay: 2 * time.Millisecond})
	for _, name := range both {
		o, _ := options(t, srv.URL(), constant(t, 300, 100*time.Millisecond), 0)
		sink := &results{start: time.Now().Add(50 * time.Millisecond)}
		o.Name, o.Sink, o.Share, o.StartAt, o.MaxInFlight = name, sink, o.Schedule.Share(1, 3, nil), sink.start, 1
		run(t, t.Context(), o)
		if len(sink.all) != 10 {
			t.Fatalf("%s: %d results", name, len(sink.all))
		}
		for _, v := range sink.all {
			if v.Code != 201 || v.Seq%3 != 1 || v.Method != http.MethodPost || v.Latency < 2*time.Millisecond ||
				v.BytesOut == 0 || v.BytesIn != 150 || v.Error != "" ||
				v.Attack != "a run" || v.Headers.Get("Content-Type") != "application/json" ||
				judge.Inspect(v.Body) != judge.Sound || v.Timestamp.Before(sink.start) {
				t.Errorf("%s: %+v", name, v)
			}
		}
	}
}

func TestAFailureIsInTheResult(t *testing.T) {
	o, _ := options(t, "http://127.0.0.1:1", constant(t, 100, 50*time.Millisecond), 0)
	for _, name := range both {
		sink := &memory{}
		o.Name, o.Sink = name, sink
		run(t, t.Context(), o)
		raw := &results{start: time.Now()}
		o.Sink = raw
		run(t, t.Context(), o)
		for i, r := range sink.all {
			if r.class != judge.TransportError || r.failure != judge.Refused ||
				raw.all[i].Error == "" || raw.all[i].Code != 0 {
				t.Errorf("%s: %+v, %+v", name, r, raw.all[i])
			}
		}
		if len(sink.all) != 5 {
			t.Errorf("%s: %d results", name, len(sink.all))
		}
	}
}

// An answer is read to 64 KiB, and costs no more memory than that takes to read.
func TestAnAnswerWithoutEndIsTooLong(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for piece := make([]byte, 64<<10); ; {
			if _, err := w.Write(piece); err != nil {
				return // the connection was closed
			}
		}
	}))
	defer srv.Close()
	for _, name := range both {
		o, sink := options(t, srv.URL, constant(t, 300, 200*time.Millisecond), 0)
		o.Name = name
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		run(t, t.Context(), o)
		runtime.ReadMemStats(&after)
		for _, r := range sink.all {
			if r.failure != judge.BadProtocol {
				t.Errorf("%s: %+v", name, r)
			}
		}
		if each := (after.TotalAlloc - before.TotalAlloc) / 60; len(sink.all) != 60 || each > 1<<20 {
			t.Errorf("%s: %d results, %d bytes for each", name, len(sink.all), each)
		}
	}
}
