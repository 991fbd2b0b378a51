package main

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	otlp "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	"google.golang.org/protobuf/proto"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/metrics"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
)

// source is a run with 1,000 answers after 10 ms.
type source struct{ times results.Distribution }

func newSource() *source {
	s := &source{}
	for range 1000 {
		s.times.Record(10 * time.Millisecond)
	}
	return s
}

func (s *source) Status() results.Status {
	status := results.Status{Progress: results.Progress{Stage: 2, Sent: 1000, InFlight: 3}}
	status.Classes[judge.ClassAccepted] = 1000
	return status
}

func (s *source) EachDistribution(
	f func(time threshold.TimeKind, class string, d *results.Distribution),
) {
	f(threshold.TimeService, judge.ClassAccepted.String(), &s.times)
	f(threshold.TimeResponse, judge.ClassAccepted.String(), &s.times)
}

// TestMetricsReachACollector decodes the metrics as a collector does.
func TestMetricsReachACollector(t *testing.T) {
	got := make(chan *otlp.ExportMetricsServiceRequest, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in := io.Reader(r.Body)
		if r.Header.Get("Content-Encoding") == "gzip" {
			in, _ = gzip.NewReader(r.Body)
		}
		data, _ := io.ReadAll(in)
		var m otlp.ExportMetricsServiceRequest
		if r.URL.Path != "/v1/metrics" || proto.Unmarshal(data, &m) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		got <- &m
	}))
	defer server.Close()
	x := testmust.Get(metrics.Open("127.0.0.1:0", server.URL, newExporter))(t)
	served := testmust.Get(x.Start(
		t.Context(),
		newSource(),
		metrics.RunLabels{
			Run:        "run-1",
			Deployment: "staging",
			StartedAt:  time.Now().Add(-time.Minute),
		},
	))(t)
	scraped := testmust.Get(http.Get(served))(t)
	text := testmust.Get(io.ReadAll(scraped.Body))(t)
	testmust.Contain(t, string(text), "gateassay_load_stage 2", "what is served")
	scraped.Body.Close()
	testmust.Succeed(t, x.Close())
	found := map[string]int64{}
	for _, r := range (<-got).GetResourceMetrics() {
		if text := r.GetResource().String(); !strings.Contains(text, "run-1") ||
			!strings.Contains(text, "staging") {
			t.Errorf("the run is not named: %s", text)
		}
		for _, s := range r.GetScopeMetrics() {
			for _, m := range s.GetMetrics() {
				found[m.GetName()]++
				for _, p := range m.GetExponentialHistogram().GetDataPoints() {
					found[m.GetName()+" count"] += int64(p.GetCount())
				}
			}
		}
	}
	for name, want := range map[string]int64{
		"gateassay_load_requests_total": 1, "gateassay_load_in_flight": 1,
		"gateassay_load_service_seconds count": 1000, "gateassay_load_response_seconds count": 1000,
	} {
		testmust.Equal(t, found[name], want, name)
	}
}

func TestACollectorThatIsAwayIsToldAtTheEnd(t *testing.T) {
	x := testmust.Get(metrics.Open("", "http://127.0.0.1:1", newExporter))(t)
	testmust.Get(x.Start(t.Context(), newSource(), metrics.RunLabels{StartedAt: time.Now()}))(t)
	testmust.FailWith(t, x.Close(), "--otlp")
	for _, endpoint := range []string{"collector:4318", "ftp://x"} {
		if _, err := metrics.Open("", endpoint, newExporter); err == nil ||
			!strings.Contains(err.Error(), "http://collector:4318") {
			t.Errorf("%q: %v", endpoint, err)
		}
	}
}
