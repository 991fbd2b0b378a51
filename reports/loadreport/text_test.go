package loadreport

import (
	"flag"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/recordtest"
)

// sampled returns a run with something in every part.
func sampled() results.Run {
	start := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	times := results.DurationStats{
		P50: 1.25, P90: 5.5, P95: 9, P99: 29.7, P999: 70.8, Max: 79.4, Mean: 2.7,
	}
	both := results.ServiceAndResponse{Service: times, Response: times}
	return results.Run{
		Schema: results.Schema, Verdict: results.VerdictFail, Reason: "1 of 2 thresholds missed",
		Run: results.RunInfo{
			ID: "r1", Deployment: "staging", BaseURL: "https://gateway.staging.example",
			StartedAt: start, FinishedAt: start.Add(33 * time.Second), Seed: 7, Engine: "vegeta",
			File: "staging.yaml", Command: "gateassay load run -d staging.yaml --rate 100/s",
		},
		Thresholds: []threshold.Result{
			{Expr: "p99<25ms", Observed: "29.7ms", Value: new(29.7)},
			{Expr: "errors<1%", Observed: "0.5%", Value: new(0.5), OK: true},
			{Expr: "file.p99<1s", Observed: threshold.NoData, Reason: "no file was followed"},
		},
		Requests: results.RequestCounts{
			Scheduled: 2000, Sent: 2000, Accepted: 1978, Blocked: 12, ServerErrors: 10,
		},
		Rate: results.Rate{Target: 100, Achieved: 99.9}, Latency: both,
		Classes: map[string]results.ClassResult{
			"accepted": {Count: 1978, Latency: both}, "blocked": {Count: 12, Latency: both},
			"server_error": {Count: 10, Latency: both},
		},
		Stages: []results.StageResult{
			{
				Number: 1, Name: "climb", EndMS: 10_000, Latency: both,
				Rate: results.Rate{Target: 50, Achieved: 50},
			},
			{
				Number: 2, StartMS: 10_000, EndMS: 20_000, Latency: both,
				Rate: results.Rate{Target: 150, Achieved: 149},
			},
		},
		Generator: results.GeneratorHealth{
			Reliable: true, LagP50MS: 0.2, LagP99MS: 12, LagMaxMS: 20,
			LagLimit: 50, CPUs: 2, CPUPeak: 0.044,
		},
		Violations: []results.Violation{{Rule: "export.success.status", Count: 3}},
		Merge: &results.MergeInfo{Share: 0.75, Shards: []results.ShardInfo{
			{Shard: 0, Scheduled: 1000, Sent: 1000},
			{Shard: 1, Reason: "its record is missing"},
		}},
		Notes: []string{"a note of the run"},
	}
}

func hunted() capacity.SearchRun {
	return capacity.SearchRun{
		Schema: capacity.Schema, Verdict: results.VerdictPass, Reason: "200/s holds and 210/s does not",
		From: 50, To: 400, StepMS: 3000,
		SLO: []string{"p99<300ms"},
		Run: results.RunInfo{
			Deployment: "staging", BaseURL: "https://gateway.staging.example", Requests: 4321,
		},
		Confidence: capacity.Confidence{Held: 3, Missed: 1},
		Capacity: capacity.Estimate{
			Rate: 200, Low: 200, High: 210,
			Unstable: []string{"200/s held 3 times and missed once"},
			Curve: []capacity.CurvePoint{
				{Rate: 100, Achieved: 100, P50MS: 10, P99MS: 30, Held: 1},
				{Rate: 150, Achieved: 150, P50MS: 12, P99MS: 80, Held: 2},
				{Rate: 200, Achieved: 199.5, P50MS: 15, P99MS: 250, Held: 3},
				{Rate: 210, Achieved: 205, P50MS: 90, P99MS: 900, Errors: 0.02, Failed: 2},
			},
		},
		Probes: []capacity.Probe{
			{Number: 1, Rate: 100, Outcome: capacity.ProbeOutcome{Holds: true, Achieved: 100}},
		},
	}
}

var update = flag.Bool("update", false, "write the golden files")

func TestReportsAsTextAndMarkdown(t *testing.T) {
	for name, report := range map[string]view.Report{
		"run":    RunReport(sampled(), RunData{}),
		"search": SearchReport(hunted()),
	} {
		var text strings.Builder
		testmust.Succeed(t, view.WriteText(&text, report,
			view.Style{Columns: 100, Folder: "runs/x", Exit: "exit code 1"}))
		recordtest.Golden(t, *update, name+".txt", []byte(text.String()))
		recordtest.Golden(t, *update, name+".md", view.WriteMarkdown(report))
	}
}

func TestThresholdsOfTimesAreLinesWhereTheyHold(t *testing.T) {
	run := results.Run{Stages: []results.StageResult{
		{Number: 1, Name: "climb", EndMS: 6000},
		{Number: 2, Name: "hold", StartMS: 6000, EndMS: 16000},
	}}
	for _, expr := range []string{
		"p99<300ms", "service.max<2s", "p90<100ms for hold",
		"errors<1%", "mean<1s", "file.p95<30s", "lag.p99<5ms", "</script>", "p99<1s for nowhere",
	} {
		run.Thresholds = append(run.Thresholds, threshold.Result{Expr: expr})
	}
	f := Charts(run, RunData{})
	for name, want := range map[string]string{
		"response": "p99<300ms 300 0-0, p90<100ms for hold 100 6-16",
		"service":  "service.max<2s 2000 0-0", "files": "file.p95<30s 30000 0-0", "answers": "",
		"distribution": "p99<300ms 300 1-100, service.max<2s 2000 1-1e+09",
	} {
		var got []string
		for _, l := range f[name].Limits {
			got = append(got,
				l.Label+" "+digits(l.Value)+" "+digits(l.From)+"-"+digits(l.To))
		}
		testmust.Equal(t, strings.Join(got, ", "), want, name)
	}
	if l := f["lag"].Limits; len(l) != 2 || l[1].Value != 5 {
		t.Errorf("send lag: %v", l)
	}
}

func digits(v float64) string {
	text := strings.TrimSuffix(plot.UnitCount.FormatValue(math.Round(v)), "/s")
	if v >= 1e9-2 {
		return "1e+09"
	}
	return text
}

// Joined points have the sums of their intervals, and the worst of their worst times.
func TestJoiningKeepsWhatWasCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []IntervalPoint
		var sent int64
		worst := time.Duration(0)
		for i := range rapid.IntRange(1, 50).Draw(t, "intervals") {
			took := time.Duration(rapid.IntRange(1, 1000).Draw(t, "ms")) * time.Millisecond
			d := new(results.Distribution)
			d.Record(took)
			p := IntervalPoint{
				From: float64(i), To: float64(i + 1), Stage: 1 + i/20, Sent: int64(i),
				CPU: 0.5,
			}
			p.Times = map[threshold.TimeKind]*results.Distribution{threshold.TimeResponse: d}
			list, sent, worst = append(list, p), sent+p.Sent, max(worst, took)
		}
		all, to, got, most := Downsample(list, rapid.IntRange(1, 60).Draw(t, "n")), 0.0, int64(0), 0.0
		for _, p := range all {
			if p.From != to || math.Abs(p.CPU-0.5) > 1e-9 {
				t.Fatalf("from %g after %g, CPU %g", p.From, to, p.CPU)
			}
			to, got, most = p.To, got+p.Sent, max(most, p.PercentileMS(threshold.TimeResponse, 100))
		}
		if got != sent || to != float64(len(list)) || math.Abs(most-milliseconds(worst)) > most/100 {
			t.Fatalf("%d of %d sent until %g, at most %g ms of %s", got, sent, to, most, worst)
		}
	})
}

func TestTheCurveMarksWhereTheCapacityLies(t *testing.T) {
	for want, found := range map[string]capacity.Estimate{
		"capacity within 200-260; capacity 200/s 200-0":           {Rate: 200, Low: 200, High: 260},
		"capacity within 250-400; capacity 300/s 300-0":           {Rate: 300, Low: 250, High: 400},
		"capacity here or above 800-800000; capacity 800/s 800-0": {Rate: 800, Low: 800},
		"capacity below 0-50":                                     {High: 50},
		"":                                                        {},
	} {
		var got []string
		for _, m := range capacityMarks(found) {
			got = append(got, m.Label+" "+digits(m.From)+"-"+digits(m.To))
		}
		testmust.Equal(t, strings.Join(got, "; "), want, found)
	}
}
