package results_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/load/traffic"
	"github.com/gateassay/gateassay/load/transport"
)

// TestItTakesWhatAnEngineSends runs both engines against a server that refuses every tenth request.
func TestItTakesWhatAnEngineSends(t *testing.T) {
	var served atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := served.Add(1)
		w.Header().Set("Content-Type", "application/json")
		if n%10 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"file_id":"file-%d","file_state":{"state":"NEW"},"created_at":"2026-01-01T00:00:00Z"}`, n)
	}))
	defer server.Close()
	base, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []engine.Name{engine.Direct, engine.Vegeta} {
		served.Store(0)
		s, err := schedule.New(schedule.Stage{Kind: schedule.Constant, Rate: 1000, For: 300 * time.Millisecond},
			schedule.Stage{Kind: schedule.Constant, Rate: 500, For: 400 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		source, err := traffic.New(traffic.Options{Seed: 1, RunID: "run-1", Schedule: s})
		if err != nil {
			t.Fatal(err)
		}
		over, err := transport.NewHTTP(transport.Options{Base: base})
		if err != nil {
			t.Fatal(err)
		}
		fast, err := transport.NewFastHTTP(transport.Options{Base: base})
		if err != nil {
			t.Fatal(err)
		}
		tracker, err := files.New(nil, nil, files.Options{
			Share: 0.2,
			Fetch: func(context.Context, string) error { return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		rec := open(t, results.Options{
			Dir: dir, Schedule: s, Interval: 50 * time.Millisecond, Files: tracker,
			Raw: true, Redactor: plain{}, URL: server.URL, Thresholds: slo(t,
				"file_p95<10s", "file_failures==0", "p50<10s"),
		})
		start := time.Now().Add(20 * time.Millisecond)
		e, err := engine.New(engine.Options{
			Name: name, Schedule: s, Source: source, Judge: judge.New(judge.Options{}), HTTP: over,
			FastHTTP: fast, Sink: rec, StartAt: start,
			Target: engine.Target{URL: server.URL, Path: "/v1/reports/quote-statement/exports"},
		})
		if err != nil {
			t.Fatal(err)
		}
		rec.SetProgress(func() (int64, int64) { st := e.State(); return st.Begun, int64(st.InFlight) })
		rec.Start(start)
		summary, err := e.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		over.Close()
		fast.Close()
		tracker.Finish(t.Context())
		run := finish(t, rec, results.Ending{Elapsed: summary.Elapsed})
		if run.Requests.Sent != 500 || run.Requests.ServerErrors != 50 || run.Requests.Accepted != 450 ||
			run.Requests.Unknown != 0 || len(run.Stages) != 2 ||
			run.Stages[0].Requests["accepted"]+run.Stages[0].Requests["server_error"] != 300 {
			t.Errorf("%s: %+v; %+v", name, run.Requests, run.Stages)
		}
		if run.Files == nil || run.Files.Sampled < 50 || run.Files.Sampled > 140 ||
			run.Files.Ready+run.Files.Dropped != run.Files.Sampled {
			t.Errorf("%s: files %+v", name, run.Files)
		}
		for _, r := range run.Thresholds {
			if !r.OK {
				t.Errorf("%s: %+v", name, r)
			}
		}
		if run.Latency.Response.P50 <= 0 || run.Latency.Response.P50 < run.Latency.Service.P50 {
			t.Errorf("%s: %+v", name, run.Latency)
		}
		count := int64(0)
		rec.Each(func(time threshold.Time, _ string, d *results.Distribution) {
			if time == threshold.Service {
				count += d.Count()
			}
		})
		if again, err := results.Read(dir); err != nil || again.Requests != run.Requests ||
			again.Files.Ready != run.Files.Ready || count != 500 {
			t.Errorf("%s: read again: %v, %+v, %d in histograms", name, err, again.Requests, count)
		}
	}
}

// plain redacts nothing.
type plain struct{}

func (plain) Text(s string) string { return s }
