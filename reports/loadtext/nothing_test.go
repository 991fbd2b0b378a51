package loadtext_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/loadtext"
)

// A run without a request has no figures: no table of zeros, no p99 of 0 ms, and a threshold was neither held nor
// missed.
func TestARunWithoutARequestShowsNoZeros(t *testing.T) {
	run := results.Run{
		Verdict: results.Inconclusive, Reason: "no request was sent",
		Run:      results.Info{Deployment: "staging", Partial: true},
		Requests: results.Requests{Scheduled: 160}, Rate: results.Rate{Target: 40},
		Generator:  results.Generator{Reliable: true},
		Thresholds: []threshold.Result{{Expr: "p99<300ms", Observed: threshold.NoData, Reason: "no request was sent"}},
	}
	var console strings.Builder
	if err := (loadtext.Table{}).Print(&console, run); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"console":    console.String(),
		"summary.md": string(loadtext.Markdown(run)),
	} {
		if !strings.Contains(text, "none of 160") || !strings.Contains(text, "open") {
			t.Errorf("%s lacks what there is to say:\n%s", name, text)
		}
		for _, empty := range []string{"missed", "| 0 |", "0/s", "0 ms", "<0.01ms", "times ", "Send lag"} {
			if strings.Contains(text, empty) {
				t.Errorf("%s holds %q:\n%s", name, empty, text)
			}
		}
	}
}

// Console and summary.md say the same of what happened.
func TestWhatHappenedIsSaidAlike(t *testing.T) {
	start := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	run := results.Run{
		Verdict: results.Fail, Reason: "the threshold p99<300ms was missed",
		Run:      results.Info{Deployment: "staging", StartedAt: start, FinishedAt: start.Add(15 * time.Second)},
		Requests: results.Requests{Scheduled: 1000, Sent: 1000, MissedBlocks: 2, ServerErrors: 6},
		Statuses: map[string]int64{"503": 6, "201": 2},
		Stalls:   []results.Stall{{FromMS: 3000, MS: 1200, Waited: 100}}, Generator: results.Generator{Reliable: true},
		Violations: []results.Violation{{Rule: "replay.nonce.same", Count: 1}},
	}
	run.Generator.Throttles, run.Generator.Periods, run.Generator.Throttled = 23, 153, 800
	var console strings.Builder
	if err := (loadtext.Table{}).Print(&console, run); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"console":    console.String(),
		"summary.md": string(loadtext.Markdown(run)),
	} {
		for _, want := range []string{
			"no answer for 1.2 s from 0:03, 100 requests waited",
			"errors: 6 × 503 Service Unavailable, 2 × repeat accepted (201)",
			"throttled the generator in 23 of 153 periods, for 0.80 s in all", "by 1 answer\n",
		} {
			if !strings.Contains(strings.ReplaceAll(text, "&#46;", "."), want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
		}
	}
}
