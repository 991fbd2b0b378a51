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
	at := func(change func(*record.UnjudgedRun)) string { return folder(t, conformance(change)) }
	edited := func(change func(*record.Run)) string {
		run := conformance(nil)
		change(&run)
		return folder(t, run)
	}
	load := func(change func(*results.Run)) string { return folder(t, loaded(change)) }
	against := func(kind, baseline string) string {
		return fmt.Sprintf("max_age: 24h\n%s: {baseline: %q}", kind, baseline)
	}
	judging := func(level rules.Level, v record.Verdict) string {
		return against("conformance", at(func(f *record.UnjudgedRun) {
			f.Info.ID = "others"
			f.Catalogue, f.Checks = []rules.Rule{
				{ID: "other.rule", Level: level},
			}, []record.CheckResult{
				{Rule: "other.rule", Verdict: v},
			}
		}))
	}
	good := at(nil)
	copied := at(nil)
	fast := load(nil)
	found := folder(t, searched(200, "pass", "thresholds"))
	killed, other, empty := t.TempDir(), t.TempDir(), t.TempDir()
	testmust.Get(record.OpenJournal(killed, record.RunInfo{ID: "killed", Deployment: "staging"},
		catalogue(), nil))(t)
	testmust.WriteFile(t, filepath.Join(other, "other.txt"), "x")
	production := at(
		func(f *record.UnjudgedRun) { f.Info.ID, f.Info.Deployment = "production", "production" })
	superb := searched(200, "pass", "thresholds")
	superb.Verdict = "superb"
	text := string(testmust.Get(conformance(nil).JSON())(t))
	const unread, damaged = "expected a recorded run, found none: ", "expected a run, found a " +
		"damaged run.json: "
	for _, c := range []struct {
		policy string
		runs   []string
		reason string
	}{
		{strict, nil, "runs: expected a run, found none"},
		{strict, []string{filepath.Join(empty, "nowhere")}, unread + "no recorded run: "},
		{strict, []string{empty}, empty + " holds no recorded run"},
		{strict, []string{filepath.Join(other, "other.txt")}, "holds no run that can be read"},
		{
			strict,
			[]string{killed},
			"expected run.json, found what the run recorded as it went alone: it did not end",
		},
		{strict, []string{at(func(f *record.UnjudgedRun) {
			f.Info.Partial = true
		})}, "expected a complete run, found an interrupted one"},
		{
			strict,
			[]string{at(func(f *record.UnjudgedRun) {
				f.Info.StartedAt, f.Info.FinishedAt = now.Add(-26*time.Hour), now.Add(-25*time.Hour)
			})},
			"expected a run that finished at most 24 h ago, found one that finished 25 h ago, at " +
				"2026-11-20T11:00:00Z",
		},
		{strict, []string{at(func(f *record.UnjudgedRun) {
			f.Info.FinishedAt = now.Add(time.Hour)
		})}, "found one that finishes in the future, at 2026-11-21T13"},
		{strict, []string{good, copied}, "run of " + copied +
			`: expected each run once, found the run "run-a" again, which is ` + good},
		{
			strict +
				"deployments: [staging]\n",
			[]string{good, production},
			`expected a run of "staging", found one of "production"`,
		},
		{strict + "deployments: [staging, canary]\n", []string{good}, "conformance of canary: expected " +
			"a conformance run of this deployment, found none"},
		{strict + "load: {}\n", []string{good, fast, production}, "load of production: expected a load " +
			"run of this deployment, found none"},
		{strict, []string{fast}, "conformance of staging: expected a conformance run of this " +
			"deployment, found none that can be used: make one with gateassay conform"},
		{forLoad, []string{load(func(r *results.Run) {
			r.Thresholds = []threshold.ThresholdResult{}
		})}, "load.thresholds of staging: expected a threshold, found none"},
		{strict, []string{edited(func(r *record.Run) {
			r.Rules = slices.DeleteFunc(r.Rules,
				func(r record.RuleResult) bool { return r.ID == "auth.bearer" })
		})}, "not selected, make a run"},
		{
			strict,
			[]string{edited(func(r *record.Run) {
				r.Rules[slices.IndexFunc(r.Rules,
					func(r record.RuleResult) bool { return r.ID == "auth.bearer" })].Level = "should"
			})},
			`auth.bearer: judged as "should" by the version that made the run, and must here: run it again`,
		},
		{against("conformance", "nowhere"), []string{good}, "the baseline nowhere cannot be used: " +
			"expected"},
		{
			against("capacity", "nowhere"),
			[]string{found},
			"expected run not to be worse than nowhere by more than 5%, found no answer",
		},
		{against("load",
			load(func(r *results.Run) { r.Run.ID = "earlier" })), []string{fast}, "inconclusive: "},
		{against("conformance", at(func(f *record.UnjudgedRun) {
			f.Info.ID = "dead"
			for i := range f.Checks {
				f.Checks[i].Verdict = record.VerdictInconclusive
			}
		})), []string{good}, "expected a run with a verdict, found none"},
		{judging(rules.Must, record.VerdictPass), []string{good}, "other.rule: passed → not selected"},
		{judging(rules.Observe, record.VerdictObserved), []string{good}, "nothing was compared"},

		{strict, []string{folder(t, text[:len(text)/2])}, unread},
		{strict, []string{folder(t, "")}, unread},
		{strict, []string{folder(t, strings.Repeat("\x00", 4096))}, unread},
		{strict, []string{folder(t, text+"{}")}, unread},
		{strict, []string{folder(t, "{}")}, "it names no schema"},
		{strict, []string{folder(t, strings.Replace(text,
			record.Schema, "gateassay/conformance/v2", 1))}, `of schema "gateassay/conformance/v2"`},
		{strict, []string{folder(t, `{"schema":"\u001b[31m"}`)}, `of schema "<U+001B>`},
		{strict, []string{edited(func(r *record.Run) { r.Verdict = "fine" })}, damaged +
			"verdict: expected conformant or passed or violations or "},
		{strict, []string{edited(func(r *record.Run) { r.Run.ID = "" })}, damaged + "run.id: expected " +
			"the ID of the run, found nothing"},
		{strict, []string{edited(func(r *record.Run) { r.Run.Deployment = "" })}, damaged +
			"run.deployment: expected the name"},
		{strict, []string{edited(func(r *record.Run) {
			r.Run.FinishedAt = r.Run.StartedAt.Add(-time.Minute)
		})}, damaged + "run.finished_at: expected"},
		{forLoad, []string{load(func(r *results.Run) { r.Verdict = "superb" })}, damaged +
			`verdict: expected pass or fail or inconclusive, found "superb"`},
		{forLoad, []string{load(
			func(r *results.Run) { r.Requests = results.RequestCounts{} })}, "as requests.sent is 0"},
		{forCapacity, []string{folder(t, superb)}, damaged + "verdict"},
	} {
		d := decide(t, c.policy, c.runs...)
		expect(t, c.reason, d, 3, c.reason)
		for _, f := range d.Findings {
			said := f.Message + strings.Join(f.Details, "\n")
			if f.State == gate.StateUndecided &&
				!(strings.Contains(said, "expected") && strings.Contains(said, "found")) {
				t.Errorf("it does not say what was expected and found: %s", said)
			}
		}
	}
}

func TestAPolicyThatAsksForNothingIsNoPass(t *testing.T) {
	d := gate.Decide(&gate.Policy{MaxAge: 24 * time.Hour, Conformance: &gate.ConformancePolicy{}},
		[]string{folder(t, conformance(nil))}, now)
	expect(t, "no rule", d, 3, "conformance.verified of staging: expected rules that are judged, "+
		"found none that the policy asks for")
	d = gate.Decide(&gate.Policy{}, []string{folder(t, conformance(nil))}, now)
	expect(t, "nothing, of no age", d, 3, "expected a run that finished at most 0 ms ago")
}

func TestNothingMayBeWorseThanTheBaseline(t *testing.T) {
	earlier := func(change func(*record.UnjudgedRun)) string {
		return folder(t, conformance(all(func(f *record.UnjudgedRun) {
			f.Info.ID = "earlier"
			f.Info.StartedAt, f.Info.FinishedAt = now.AddDate(-1, 0, 0), now.AddDate(-1, 0, 0)
		}, func(f *record.UnjudgedRun) {
			if change != nil {
				change(f)
			}
		})))
	}
	with := func(baseline, rest string) string {
		return fmt.Sprintf(
			"max_age: 1d\nconformance: {verified: [create.cpf.*], waivers: {allowed: [auth.*]}, "+
				"baseline: %q%s}",
			baseline,
			rest,
		)
	}
	same := folder(t, conformance(nil))
	expect(t, "the same, however old", decide(t, with(earlier(nil), ""), same), 0,
		"conformance is not worse than run")
	expect(t,
		"better", decide(t, with(earlier(set("auth.bearer", record.VerdictFail)), ""), same), 0, "")
	expect(t, "no longer verified", decide(t, with(earlier(nil), ""),
		folder(t, conformance(set("auth.bearer", record.VerdictNotVerified)))), 3,
		"auth.bearer: passed → not verified")
	expect(t, "waived by now", decide(t, with(earlier(nil), ""),
		folder(t, conformance(waive("auth.bearer", now.AddDate(0, 0, 9))))), 0, "")
	gone := conformance(func(f *record.UnjudgedRun) {
		f.Catalogue, f.Checks = f.Catalogue[:len(f.Catalogue)/2], f.Checks[:len(f.Catalogue)/2]
	})
	expect(t, "gone", decide(t, with(earlier(nil), ""), folder(t, gone)), 3, "passed → not selected")

	expect(t, "interrupted baseline",
		decide(t, with(earlier(func(f *record.UnjudgedRun) { f.Info.Partial = true }), ""),
			same), 3, "was interrupted")
	expect(t, "baseline of another kind", decide(t, with(folder(t, loaded(nil)), ""), same),
		3, "expected a conformance run, found a load run")
	expect(t, "the run as its own baseline", decide(t, with(same, ""), same), 3,
		"nothing would be compared")
}
