package gate_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/gate"
	"github.com/gateassay/gateassay/suites/record"
)

// What cannot be shown to hold is undecided, and the finding says what was expected and found.
func TestWhatIsNotThereIsNoPass(t *testing.T) {
	const forLoad, forCapacity = "max_age: 24h\nload: {}\n", "max_age: 24h\ncapacity: {}\n"
	at := func(changes ...func(*record.UnjudgedRun)) string { return ran(t, changes...) }
	edited := func(change func(*record.Run)) string {
		run := conformance()
		change(&run)
		return folder(t, run)
	}
	load := func(changes ...func(*results.Run)) string { return folder(t, loaded(changes...)) }
	against := func(kind, baseline string) string {
		return fmt.Sprintf("max_age: 24h\n%s: {baseline: %q}", kind, baseline)
	}
	judging := func(level rules.Level, v record.Verdict) string {
		return against("conformance", at(func(f *record.UnjudgedRun) {
			f.Info.ID = "others"
			f.Catalogue = []rules.Rule{{ID: "other.rule", Level: level}}
			f.Checks = []record.CheckResult{{Rule: "other.rule", Verdict: v}}
		}))
	}
	good, copied, fast := at(), at(), load()
	found := folder(t, searched(200, "pass", "thresholds"))
	killed, other, empty := t.TempDir(), t.TempDir(), t.TempDir()
	testmust.Get(record.OpenJournal(killed, record.RunInfo{ID: "killed", Deployment: "staging"},
		catalogue(), nil))(t)
	testmust.WriteFile(t, filepath.Join(other, "other.txt"), "x")
	production := at(
		func(f *record.UnjudgedRun) { f.Info.ID, f.Info.Deployment = "production", "production" })
	superb := searched(200, "pass", "thresholds")
	superb.Verdict = "superb"
	text := string(testmust.Get(conformance().JSON())(t))
	const unread, damaged = "expected a recorded run, found none: ", "expected a run, found a " +
		"damaged run.json: "
	undecided := func(policy, reason string, runs ...string) {
		t.Helper()
		d := decide(t, policy, runs...)
		expectDecision(t, reason, d, 3, reason)
		for _, f := range d.Findings {
			said := f.Message + strings.Join(f.Details, "\n")
			if f.State == gate.StateUndecided &&
				!(strings.Contains(said, "expected") && strings.Contains(said, "found")) {
				t.Errorf("it does not say what was expected and found: %s", said)
			}
		}
	}
	undecided(strict, "runs: expected a run, found none")
	undecided(strict, unread+"no recorded run: ", filepath.Join(empty, "nowhere"))
	undecided(strict, empty+" holds no recorded run", empty)
	undecided(strict, "holds no run that can be read", filepath.Join(other, "other.txt"))
	undecided(strict,
		"expected run.json, found only the records written during the run: it did not end", killed)
	undecided(strict, "expected a complete run, found an interrupted one",
		at(func(f *record.UnjudgedRun) { f.Info.Partial = true }))
	undecided(strict, "expected a run that finished at most 24 h ago, found one that finished "+
		"25 h ago, at 2026-11-20T11:00:00Z", at(func(f *record.UnjudgedRun) {
		f.Info.StartedAt, f.Info.FinishedAt = now.Add(-26*time.Hour), now.Add(-25*time.Hour)
	}))
	undecided(strict, "found one that finishes in the future, at 2026-11-21T13",
		at(func(f *record.UnjudgedRun) { f.Info.FinishedAt = now.Add(time.Hour) }))
	undecided(strict,
		"run of "+copied+`: expected each run once, found the run "run-a" again, after `+good,
		good, copied)
	undecided(strict+"deployments: [staging]\n",
		`expected a run of "staging", found one of "production"`, good, production)
	undecided(strict+"deployments: [staging, canary]\n",
		"conformance of canary: expected a conformance run of this deployment, found none", good)
	undecided(strict+"load: {}\n",
		"load of production: expected a load run of this deployment, found none", good, fast,
		production)
	undecided(strict,
		"conformance of staging: expected a conformance run of this deployment, found none that "+
			"can be used: make one with gateassay conform", fast)
	undecided(forLoad, "load.thresholds of staging: expected a threshold, found none",
		load(func(r *results.Run) { r.Thresholds = []threshold.Result{} }))
	undecided(strict, "not selected: make a run", edited(func(r *record.Run) {
		r.Rules = slices.DeleteFunc(r.Rules,
			func(r record.RuleResult) bool { return r.ID == "auth.bearer" })
	}))
	undecided(strict, `auth.bearer: judged as "should" by the version that made the run, as must `+
		"by this one: run it again", edited(func(r *record.Run) {
		r.Rules[slices.IndexFunc(r.Rules,
			func(r record.RuleResult) bool { return r.ID == "auth.bearer" })].Level = "should"
	}))
	undecided(against("conformance", "nowhere"), "the baseline nowhere cannot be used: expected",
		good)
	undecided(against("capacity", "nowhere"),
		"expected run not to be worse than nowhere by more than 5%, found no answer", found)
	undecided(against("load", load(func(r *results.Run) { r.Run.ID = "earlier" })),
		"inconclusive: ", fast)
	undecided(against("conformance", at(func(f *record.UnjudgedRun) {
		f.Info.ID = "dead"
		for i := range f.Checks {
			f.Checks[i].Verdict = record.VerdictInconclusive
		}
	})), "expected a run with a verdict, found none", good)
	undecided(judging(rules.Must, record.VerdictPass), "other.rule: passed → not selected", good)
	undecided(judging(rules.Observe, record.VerdictObserved), "nothing was compared", good)
	undecided(strict, unread, folder(t, text[:len(text)/2]))
	undecided(strict, unread, folder(t, ""))
	undecided(strict, unread, folder(t, strings.Repeat("\x00", 4096)))
	undecided(strict, unread, folder(t, text+"{}"))
	undecided(strict, "it names no schema", folder(t, "{}"))
	undecided(strict, `of schema "gateassay/conformance/v2"`, folder(t, strings.Replace(text,
		record.Schema, "gateassay/conformance/v2", 1)))
	undecided(strict, `of schema "<U+001B>`, folder(t, `{"schema":"\u001b[31m"}`))
	undecided(strict, damaged+"verdict: expected conformant or passed or violations or ",
		edited(func(r *record.Run) { r.Verdict = "fine" }))
	undecided(strict, damaged+"run.id: expected the ID of the run, found nothing",
		edited(func(r *record.Run) { r.Run.ID = "" }))
	undecided(strict, damaged+"run.deployment: expected the name",
		edited(func(r *record.Run) { r.Run.Deployment = "" }))
	undecided(strict, damaged+"run.finished_at: expected", edited(func(r *record.Run) {
		r.Run.FinishedAt = r.Run.StartedAt.Add(-time.Minute)
	}))
	undecided(forLoad, damaged+`verdict: expected pass or fail or inconclusive, found "superb"`,
		load(func(r *results.Run) { r.Verdict = "superb" }))
	undecided(forLoad, "as requests.sent is 0",
		load(func(r *results.Run) { r.Requests = results.RequestCounts{} }))
	undecided(forCapacity, damaged+"verdict", folder(t, superb))
}

func TestAPolicyThatAsksForNothingIsNoPass(t *testing.T) {
	d := gate.Decide(&gate.Policy{MaxAge: 24 * time.Hour, Conformance: &gate.ConformancePolicy{}},
		[]string{ran(t)}, now)
	expectDecision(t, "no rule", d, 3,
		"conformance.verified of staging: expected rules that are judged, found none that the "+
			"policy asks for")
	d = gate.Decide(&gate.Policy{}, []string{ran(t)}, now)
	expectDecision(t, "nothing, of no age", d, 3, "expected a run that finished at most 0 ms ago")
}

func TestNothingMayBeWorseThanTheBaseline(t *testing.T) {
	earlier := func(changes ...func(*record.UnjudgedRun)) string {
		return ran(t, append(changes, func(f *record.UnjudgedRun) {
			f.Info.ID = "earlier"
			f.Info.StartedAt, f.Info.FinishedAt = now.AddDate(-1, 0, 0), now.AddDate(-1, 0, 0)
		})...)
	}
	with := func(baseline string) string {
		return verifying(fmt.Sprintf(", waivers: {allowed: [auth.*]}, baseline: %q", baseline))
	}
	same := ran(t)
	expect(t, "the same, however old", with(earlier()), 0,
		"conformance is not worse than run", same)
	expect(t, "better", with(earlier(set("auth.bearer", record.VerdictFail))), 0, "", same)
	expect(t, "no longer verified", with(earlier()), 3,
		"auth.bearer: passed → not verified", ran(t, set("auth.bearer", record.VerdictNotVerified)))
	expect(t, "waived by now", with(earlier()), 0, "", ran(t, waive("auth.bearer",
		now.AddDate(0, 0, 9))))
	gone := ran(t, func(f *record.UnjudgedRun) {
		f.Catalogue, f.Checks = f.Catalogue[:len(f.Catalogue)/2], f.Checks[:len(f.Catalogue)/2]
	})
	expect(t, "gone", with(earlier()), 3, "passed → not selected", gone)

	expect(t, "interrupted baseline",
		with(earlier(func(f *record.UnjudgedRun) { f.Info.Partial = true })), 3,
		"was interrupted", same)
	expect(t, "baseline of another kind", with(folder(t, loaded())), 3,
		"expected a conformance run, found a load run", same)
	expect(t, "the run as its own baseline", with(same), 3, "nothing would be compared", same)
}
