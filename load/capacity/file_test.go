package capacity_test

import (
	"testing"

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
)

// What a probe missed is told by the thresholds of its run, not by its sentence.
func TestTheOutcomeOfARunNamesTheThresholdItMissed(t *testing.T) {
	run := results.Run{
		Verdict: results.Fail, Reason: "2 of 4 thresholds missed", Requests: results.Requests{Sent: 100, Accepted: 90},
		Statuses: map[string]int64{"429": 10}, Thresholds: []threshold.Result{
			{Expr: "p99<20ms", Observed: "9ms", OK: true},
			{Expr: "file_p95<1s", Observed: threshold.NoData},
			{Expr: "errors<1%", Observed: "10%"},
			{Expr: "achieved>=99%", Observed: "50%"},
		},
	}
	o := capacity.OutcomeOf(run)
	if o.Holds || !o.Answering || o.Reason != "errors<1%: observed 10%" || o.Trouble != "429 Too Many Requests" || o.Errors != 0.1 {
		t.Errorf("%+v", o)
	}
	run.Verdict = results.Inconclusive
	if o := capacity.OutcomeOf(run); o.Reason != run.Reason || o.Word() != capacity.Missed {
		t.Errorf("%+v", o)
	}
	run.Thresholds[2].Late, run.Thresholds[2].Reason, run.Generator.Next = true, "it was late", "use two machines"
	if o := capacity.OutcomeOf(run); o.Reason != "errors<1%: observed 10%; it was late" || o.Next != "use two machines" || o.Word() != capacity.NotJudged {
		t.Errorf("%+v", o)
	}
}

func TestASearchThatGoesOnKeepsWhatItFound(t *testing.T) {
	f := capacity.File{Schema: capacity.Schema, Plan: &plan.Plan{}, Probes: []capacity.Run{{
		Number: 1, Rate: 50, Outcome: capacity.Outcome{Holds: true, Answering: true},
	}}}
	if kept := f.Unended(); kept.Capacity.Rate != 50 || !kept.Run.Partial || kept.ExitCode() != 130 ||
		kept.Verdict != results.Inconclusive {
		t.Errorf("%+v", kept)
	}
}
