package loadreport

import (
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
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
			StartedAt: start, FinishedAt: start.Add(20 * time.Second), Seed: 7, Engine: "vegeta",
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
