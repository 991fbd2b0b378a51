package junit_test

import (
	"fmt"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/junit"
	"github.com/gateassay/gateassay/reports/junit/junittest"
)

func TestLoadRunsAsTestCases(t *testing.T) {
	violated := []results.Violation{{Rule: "replay.nonce.same", Count: 2}}
	for want, run := range map[string]results.Run{
		"p50<1s output, p99<8ms late, load.run no_verdict": {
			Verdict: results.VerdictInconclusive, Thresholds: []threshold.Result{
				{Expr: "p50<1s", Observed: "5ms", OK: true},
				{Expr: "p99<8ms", Observed: "57ms", Late: true, Reason: "send lag"},
			},
		},
		"p99<8ms missed, file.p95<1s no_data, load.run output": {
			Verdict: results.VerdictFail, Thresholds: []threshold.Result{
				{Expr: "p99<8ms", Observed: "57ms"}, {Expr: "file.p95<1s", Observed: threshold.NoData},
			},
		},
		"replay.nonce.same violated, load.run " +
			"output": {Verdict: results.VerdictFail, Violations: violated},
		"replay.nonce.same output, load.run output": {Verdict: results.VerdictPass, Violations: violated},
		"load.run aborted": {Verdict: results.VerdictFail, Run: results.RunInfo{
			Aborted: "errors>20%: observed 30%", Partial: true,
		}},
		"load.run interrupted": {
			Verdict: results.VerdictInconclusive, Run: results.RunInfo{Partial: true},
		},
		"load.run output": {Verdict: results.VerdictPass},
	} {
		got := ""
		run.Reason = "because"
		for _, s := range junittest.Read(t, testmust.Get(junit.RenderLoad(run))(t)).Suites {
			for _, c := range s.Cases {
				how := "output"
				if c.Failure != nil {
					how = c.Failure.Type
				} else if c.Error != nil {
					how = c.Error.Type
				}
				got += fmt.Sprintf(", %s %s", c.Name, how)
			}
		}
		testmust.Equal(t, got, ", "+want)
	}
}
