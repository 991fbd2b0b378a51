package gate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
)

func TestLoadRuns(t *testing.T) {
	slo := func(exprs ...string) string {
		return "max_age: 1d\nload: {thresholds: ['" + strings.Join(exprs, "', '") + "']}"
	}
	judged := func(observed string, ok bool) string {
		return folder(t, loaded(func(r *results.Run) {
			r.Thresholds = append(r.Thresholds,
				threshold.Result{Expr: "errors < 1%", Observed: observed, OK: ok})
		}))
	}
	expect(t, "held", slo("p99<300ms", "errors<1%"), 0, "observed 0.2% in run",
		judged("0.2%", true))
	expect(t, "missed", slo("errors<1%"), 1,
		"load.threshold errors<1% of staging: expected errors<1%, found 2% in run",
		judged("2%", false))
	expect(t, "no data", slo("errors<1%"), 3, "no data", judged(threshold.NoData, false))
	expect(t, "not asked for", slo("p99<200ms"), 3,
		`expected a run with --slo 'p99<200ms', found run with "p99<300ms" or "errors < 1%"`,
		judged("0.2%", true))
	for name, c := range map[string]struct {
		change func(*results.Run)
		code   int
		reason string
	}{
		"failed": {
			func(r *results.Run) { r.Verdict, r.Reason = results.VerdictFail, "p99 missed" },
			1, "expected run to pass, found that it failed: p99 missed",
		},
		"inconclusive": {
			func(r *results.Run) { r.Verdict, r.Reason = results.VerdictInconclusive, "late" },
			3, "expected a verdict on run, found none: late",
		},
		"one shard": {
			func(r *results.Run) { r.Run.Shard, r.Run.Shards = 1, 4 },
			3, "found shard 1 of 4: name the run that gateassay load merge makes",
		},
		"all shards":         {func(r *results.Run) { r.Run.Shards, r.Run.Merged = 4, true }, 0, ""},
		"passes and partial": {func(r *results.Run) { r.Run.Partial = true }, 3, "interrupted"},
	} {
		expect(t, name, loadOnly, c.code, c.reason, folder(t, loaded(c.change)))
	}
}

func TestLoadIsComparedWithABaseline(t *testing.T) {
	earlier := folder(t, loaded(func(r *results.Run) { r.Run.ID = "earlier" }))
	text := fmt.Sprintf("max_age: 1d\nload: {baseline: %q, tolerance: 10%%}", earlier)
	expect(t, "cannot tell", text, 3, "inconclusive: ", folder(t, loaded()))
	worse := loaded(
		func(r *results.Run) { r.Violations = []results.Violation{{Rule: "replay.nonce", Count: 2}} })
	expect(t, "worse", text, 1, "replay.nonce violated by 2 answers, by none before",
		folder(t, worse))
}

func TestCapacity(t *testing.T) {
	run := folder(t, searched(200, "pass", "thresholds"))
	asks := func(rest string) string { return "max_age: 1d\ncapacity: {" + rest + "}" }
	expect(t, "enough", asks("at_least: 200/s"), 0, "expected at least 200/s, found 200/s in run",
		run)
	expect(t, "too low", asks("at_least: 201/s"), 1,
		"capacity.at_least of staging: expected at least 201/s, found 200/s in run", run)
	expect(t, "for the thresholds that are meant", asks("thresholds: [p99 < 300ms]"), 0,
		"searched with this threshold", run)
	expect(t, "for other thresholds", asks("thresholds: [p99<200ms]"), 3,
		`expected a search with --slo 'p99<200ms', found run with "p99<300ms"`, run)
	expect(t, "failed", asks(""), 1, "failed", folder(t, searched(0, "fail", "from")))
	expect(t, "no verdict", asks(""), 3, "expected a verdict on run, found none",
		folder(t, searched(100, "inconclusive", "generator")))
	expect(t, "interrupted", asks(""), 3, "interrupted",
		folder(t, searched(100, "inconclusive", "interrupted")))

	against := func(rate float64, verdict, slo string) string {
		search := searched(rate, verdict, "thresholds")
		search.Run.ID, search.SLO = "earlier", []string{slo}
		return asks(fmt.Sprintf("baseline: %q, tolerance: 10%%", folder(t, search)))
	}
	const slo = "p99<300ms"
	expect(t, "as good", against(220, "pass", slo), 0, "not worse than run by more than 10%", run)
	expect(t, "worse", against(300, "pass", slo), 1, "capacity 200/s instead of 300/s (-33.3%)", run)
	expect(t, "cannot tell", against(220, "pass", "p99<1s"), 3, "inconclusive: the thresholds differ",
		run)
	expect(t, "lower, which may be noise", against(230, "pass", slo), 3,
		"expected at least 207/s, found 200/s", run)
	expect(t, "a baseline that found nothing", against(0, "fail", slo), 3,
		"expected a search that found a rate", run)
}
