package metrics

import (
	"io"
	"math"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
)

// source is a run with answers after 10 ms and a few repeats.
type source struct{ service, response, lag results.Distribution }

func sample() *source {
	s := &source{}
	for i := range 1000 {
		s.service.Record(10*time.Millisecond + time.Duration(i)*time.Microsecond)
		s.response.Record(20*time.Millisecond + time.Duration(i)*time.Microsecond)
		s.lag.Record(time.Duration(i))
	}
	return s
}

func (s *source) Status() results.Status {
	status := results.Status{
		Progress: results.Progress{
			To: time.Minute, Stage: 2, Sent: 1000, Due: 1001, InFlight: 3, CPU: 0.25,
			Files: &files.Counts{Sampled: 4, Ready: 2, Failed: 1, Pending: 1},
		},
		Duration: time.Hour, Scheduled: 5000, Rate: results.Rate{Target: 500, Achieved: 499},
		ServiceAndResponse: results.ServiceAndResponse{Response: results.DurationStats{P99: 250}},
	}
	status.Classes[judge.ClassAccepted], status.Classes[judge.ClassBlocked] = 990, 10
	return status
}

func (s *source) EachDistribution(
	f func(time threshold.TimeKind, class string, d *results.Distribution),
) {
	f(threshold.TimeService, judge.ClassAccepted.String(), &s.service)
	f(threshold.TimeResponse, judge.ClassAccepted.String(), &s.response)
	f(threshold.TimeLag, "", &s.lag)
}

func gather(t *testing.T, shard string) map[string]*dto.MetricFamily {
	t.Helper()
	r := newRegistry(sample(), RunLabels{
		Run: "run-1", Deployment: "staging", StartedAt: time.Now(), Shard: shard,
	})
	list := testmust.Get(r.Gather())(t)
	found := map[string]*dto.MetricFamily{}
	for _, f := range list {
		found[f.GetName()] = f
	}
	return found
}

// TestMetricsOfAShardNameIt checks the shard label of every series.
func TestMetricsOfAShardNameIt(t *testing.T) {
	found := gather(t, "3")
	if len(found) < 20 {
		t.Fatalf("%d metrics", len(found))
	}
	for _, f := range found {
		for _, m := range f.GetMetric() {
			named := func(l *dto.LabelPair) bool { return l.GetName()+l.GetValue() == "shard3" }
			if !slices.ContainsFunc(m.GetLabel(), named) {
				t.Errorf("%s: %v", f.GetName(), m.GetLabel())
			}
		}
	}
	if gather(t, "")["gateassay_load_stage"].GetMetric()[0].GetLabel() != nil {
		t.Error("a run without shards names one")
	}
}

func TestTimesAreNativeHistograms(t *testing.T) {
	found := gather(t, "")
	for name, at := range map[string]float64{
		"gateassay_load_service_seconds":  0.0105,
		"gateassay_load_response_seconds": 0.0205,
	} {
		m := found[name].GetMetric()[0]
		h := m.GetHistogram()
		if m.GetLabel()[0].GetValue() != "accepted" || h.GetSampleCount() != 1000 ||
			math.Abs(h.GetSampleSum()/1000/at-1) > 0.01 || h.GetSchema() != 5 {
			t.Errorf("%s: %v", name, m)
		}
		for _, b := range h.GetBucket() { // the values spread over 1 ms
			lower := b.GetUpperBound() < at-0.0005
			if n := b.GetCumulativeCount(); lower && n != 0 || b.GetUpperBound() > at+0.0006 && n != 1000 {
				t.Errorf("%s: %d values up to %v s", name, n, b.GetUpperBound())
			}
		}
		// Walk the buckets: every one must hold values between its bounds.
		index, count, total := int32(0), int64(0), int64(0)
		delta := 0
		for _, span := range h.GetPositiveSpan() {
			index += span.GetOffset()
			for range span.GetLength() {
				count += h.GetPositiveDelta()[delta]
				delta++
				upper := math.Pow(2, float64(index)/32)
				if count > 0 && (upper < at-0.0006 || math.Pow(2, float64(index-1)/32) > at+0.0006) {
					t.Errorf("%s: %d values up to %v s", name, count, upper)
				}
				total += count
				index++
			}
		}
		testmust.Equal(t, total, 1000, name, "values in its buckets")
	}
	if h := found["gateassay_load_lag_seconds"].GetMetric()[0].GetHistogram(); h.GetSampleCount() != 1000 {
		t.Errorf("lag: %v", h)
	}
	for name, want := range map[string]float64{
		"gateassay_load_target_rate": 500, "gateassay_load_achieved_rate": 499,
		"gateassay_load_in_flight": 3, "gateassay_load_cpu_ratio": 0.25,
		"gateassay_load_files_pending": 1,
	} {
		testmust.Equal(t, found[name].GetMetric()[0].GetGauge().GetValue(), want, name)
	}
	sum := 0.0
	for _, m := range found["gateassay_load_requests_total"].GetMetric() {
		sum += m.GetCounter().GetValue()
	}
	if sum != 1000 || len(found["gateassay_load_requests_total"].GetMetric()) != judge.NumClasses {
		t.Errorf("%v requests", sum)
	}
}

func TestEveryMetricOfTheDashboardIsServed(t *testing.T) {
	data := string(testmust.Get(os.ReadFile("../../docs/grafana-dashboard.json"))(t))
	found := gather(t, "")
	used := map[string]bool{}
	names := regexp.MustCompile(`\b(gateassay|process|go)_[a-z_]+\b`)
	for _, name := range names.FindAllString(data, -1) {
		name, ofBuckets := strings.CutSuffix(name, "_bucket")
		used[name] = true
		if found[name] == nil ||
			ofBuckets && len(found[name].GetMetric()[0].GetHistogram().GetBucket()) < 20 {
			t.Errorf("the dashboard shows %s, which is not served", name)
		}
	}
	for name := range found {
		if strings.HasPrefix(name, "gateassay_load_") && !used[name] {
			t.Errorf("%s is served and shown nowhere", name)
		}
	}
	// Labels that the dashboard selects by must exist too.
	selectors := regexp.MustCompile(
		`(gateassay_load_[a-z_]+?)(?:_bucket)?\{job=~\\"\$job\\",([a-z]+)=~?\\"([^"\\]+)`)
	for _, m := range selectors.FindAllStringSubmatch(data, -1) {
		values := map[string]bool{}
		for _, metric := range found[m[1]].GetMetric() {
			for _, l := range metric.GetLabel() {
				if l.GetName() == m[2] {
					values[l.GetValue()] = true
				}
			}
		}
		for _, v := range strings.Split(m[3], "|") {
			if !values[v] {
				t.Errorf("%s has no %s=%q", m[1], m[2], v)
			}
		}
	}
}

func TestMetricsAreServedWhileARunGoes(t *testing.T) {
	s := testmust.Get(Open("127.0.0.1:0", "", nil))(t)
	url := testmust.Get(s.Start(t.Context(), sample(), RunLabels{StartedAt: time.Now()}))(t)
	answer := testmust.Get(http.Get(url))(t)
	text := testmust.Get(io.ReadAll(answer.Body))(t)
	if answer.Body.Close(); !strings.Contains(string(text), "gateassay_load_target_rate 500") {
		t.Errorf("%s", text)
	}
	testmust.Succeed(t, s.Close())
	if _, err := http.Get(url); err == nil {
		t.Error("they are served when the run is over")
	}
}
