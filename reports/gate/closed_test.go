package gate_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/gate"
	"github.com/gateassay/gateassay/suites/record"
)

// closed is a decision that must not let a release pass, with the finding that must say why: its subject, its check and
// what was expected and found.
type closed struct {
	policy  string // empty: strict
	runs    []string
	subject string // as a regular expression, so are the next two; empty: any
	check   string // empty: run
	reason  string
}

const (
	forLoad     = "max_age: 24h\nload: {}\n"
	forCapacity = "max_age: 24h\ncapacity: {}\n"
)

func (c closed) prove(t *testing.T) {
	t.Helper()
	d := decide(t, cmp.Or(c.policy, strict), c.runs...)
	if d.Verdict == gate.Held || d.ExitCode() != 3 {
		t.Errorf("%s, exit code %d, want 3", d.Verdict, d.ExitCode())
	}
	whole := func(pattern string) *regexp.Regexp { return regexp.MustCompile("^(?s:" + pattern + ")$") }
	for _, f := range d.Findings {
		text := strings.Join(append([]string{f.Message}, f.Details...), "\n")
		if f.State != gate.Held && whole(cmp.Or(c.subject, ".*")).MatchString(f.Subject) &&
			whole(cmp.Or(c.check, "run")).MatchString(f.Check) && regexp.MustCompile(c.reason).MatchString(text) {
			if !strings.Contains(text, "expected") || !strings.Contains(text, "found") {
				t.Errorf("it does not say what was expected and found: %s", text)
			}
			return
		}
	}
	t.Errorf("no finding of %s about %s says %s:\n%+v", c.check, c.subject, c.reason, d.Findings)
}

func TestWhatIsNotThereIsNoPass(t *testing.T) {
	good, fast, found := folder(t, conformance(nil)), folder(t, loaded(nil)),
		folder(t, searched(200, "pass", "thresholds"))
	empty, nowhere := t.TempDir(), filepath.Join(t.TempDir(), "nowhere")
	other := t.TempDir()
	put(t, other, "other.txt", "x")
	killed := t.TempDir()
	must.Get(record.OpenJournal(killed, record.Info{ID: "killed", Deployment: "staging"}, catalogue(), nil))(t)
	at := func(change func(*record.Found)) string { return folder(t, conformance(change)) }
	old := at(func(f *record.Found) {
		f.Info.StartedAt, f.Info.FinishedAt = now.Add(-26*time.Hour), now.Add(-25*time.Hour)
	})
	tomorrow := at(func(f *record.Found) { f.Info.FinishedAt = now.Add(time.Hour) })
	interrupted := at(func(f *record.Found) { f.Info.Partial = true })
	copied := folder(t, conformance(nil))
	production := at(func(f *record.Found) { f.Info.ID, f.Info.Deployment = "production", "production" })
	silent := folder(t, loaded(func(r *results.Run) { r.Thresholds = []threshold.Result{} }))
	older := edited(func(r *record.Run) {
		r.Rules = slices.DeleteFunc(r.Rules, func(r record.Rule) bool { return r.ID == "auth.bearer" })
	})
	relabelled := edited(func(r *record.Run) {
		r.Rules[slices.IndexFunc(r.Rules, func(r record.Rule) bool { return r.ID == "auth.bearer" })].Level = "should"
	})
	with := func(text string) string { return "max_age: 24h\n" + text }
	put(t, other, "run.zip", "no archive")
	for name, c := range map[string]closed{
		"no run at all": {subject: "runs", check: "runs", reason: "expected a usable run, found none"},
		"no folder": {
			runs: []string{nowhere}, subject: ".*nowhere",
			reason: "expected a recorded run, found none: no recorded run: .*no such file",
		},
		"an empty folder": {runs: []string{empty}, reason: "expected a recorded run, found none: .* holds no recorded run"},
		"another file": {
			runs:    []string{filepath.Join(other, "other.txt")},
			subject: ".*other.txt", reason: "holds no run that can be read",
		},
		"a killed conformance run": {
			runs: []string{killed}, reason: "expected run.json, found what the run recorded as it went alone: it did not end",
		},
		"an interrupted run": {
			runs: []string{interrupted}, reason: "expected a complete run, found an interrupted one .*run it again",
		},
		"an old run": {
			runs: []string{old}, check: "max_age",
			reason: "at most 24h0m0s ago, found one that finished 25h0m0s ago, at 2026-11-20T11:00:00Z",
		},
		"a run of tomorrow": {
			runs:  []string{tomorrow},
			check: "max_age", reason: "expected a run that finished before now, 2026-11-21T12:00:00Z, " +
				"found one that finishes in the future, at 2026-11-21T13:00:00Z",
		},
		"a run and its copy": {
			runs: []string{good, copied}, subject: regexp.QuoteMeta(copied),
			reason: `expected each run once, found the run "run-a" again, which is ` + regexp.QuoteMeta(good),
		},
		"of another deployment": {
			policy: strict + "deployments: [staging]\n",
			runs:   []string{good, production}, subject: regexp.QuoteMeta(production),
			check: "deployments", reason: `expected a run of "staging", found one of "production"`,
		},
		"a deployment without runs": {
			policy: strict + "deployments: [staging, canary]\n", runs: []string{good}, subject: "canary",
			check: "conformance", reason: "expected a conformance run of this deployment, found none",
		},
		"a second deployment half tested": {
			policy: strict + "load: {}\n", runs: []string{good, fast, production},
			subject: "production", check: "load", reason: "expected a load run of this deployment, found none",
		},
		"no load run": {
			policy: strict + "load: {}\n",
			runs:   []string{good}, subject: "staging", check: "load", reason: "make one with gateassay load run",
		},
		"no conformance run": {
			runs:    []string{fast},
			subject: "staging", check: "conformance", reason: "make one with gateassay conform",
		},
		"a load run without any threshold": {
			policy: forLoad, runs: []string{silent}, subject: "staging",
			check: "load.thresholds", reason: "expected a threshold, found none in the policy and none in the plan",
		},
		"a catalogue older than the gate's": {
			runs:    []string{folder(t, older)},
			subject: "staging", check: "conformance.verified", reason: "selected by none of the runs",
		},
		"a rule that was another's level": {
			runs: []string{folder(t, relabelled)}, subject: "staging", check: "conformance.verified",
			reason: `judged as "should" by the version that made the run, and must here: run it again: auth.bearer`,
		},
		"a baseline that is not there": {
			policy: with("conformance: {baseline: nowhere}"),
			runs:   []string{good}, subject: "staging", check: "conformance.baseline",
			reason: "the baseline nowhere cannot be used: expected .*found none: .*no such file",
		},
		"a baseline of capacity, either": {
			policy: with("capacity: {baseline: nowhere}"), runs: []string{found}, subject: "staging",
			check: "capacity.regression", reason: "the baseline nowhere cannot be used: expected .*no such file",
		},
		"an inconclusive difference": {
			policy: with(fmt.Sprintf("load: {baseline: %q}",
				folder(t, loaded(func(r *results.Run) { r.Run.ID = "earlier" })))),
			runs: []string{fast}, subject: "staging", check: "load.regression",
			reason: "expected run not to be worse than run, found no answer: inconclusive: .* has no intervals.ndjson",
		},
		"a baseline without a verdict": {
			policy: with(fmt.Sprintf("conformance: {baseline: %q}",
				at(func(f *record.Found) {
					f.Info.ID = "dead"
					for i := range f.Checks {
						f.Checks[i].Verdict = record.Inconclusive
					}
				}))), runs: []string{good}, subject: "staging", check: "conformance.baseline",
			reason: "expected a run with a verdict, found none",
		},
		"a baseline of other rules": {
			policy: with(fmt.Sprintf("conformance: {baseline: %q}", at(func(f *record.Found) {
				f.Info.ID = "others"
				f.Catalogue, f.Checks = []rules.Rule{{ID: "other.rule", Level: rules.Must}},
					[]record.Check{{Rule: "other.rule", Verdict: record.Pass}}
			}))), runs: []string{good}, subject: "staging", check: "conformance.regression",
			reason: "expected no rule worse",
		},
		"a baseline that judged nothing": {
			policy: with(fmt.Sprintf("conformance: {baseline: %q, drift: allowed}",
				at(func(f *record.Found) {
					f.Info.ID = "observed"
					f.Catalogue, f.Checks = []rules.Rule{{ID: "other.rule", Level: rules.Observe}},
						[]record.Check{{Rule: "other.rule", Verdict: record.Observed}}
				}))), runs: []string{good}, subject: "staging", check: "conformance.regression",
			reason: "expected rules that the runs and run both judge, found none",
		},
	} {
		t.Run(name, c.prove)
	}
	expect(t, "an archive that cannot be read", decide(t, strict, filepath.Join(other, "run.zip")),
		3, "run.zip cannot be trusted: ")
}

func TestAPolicyThatAsksForNothingIsNoPass(t *testing.T) {
	d := gate.Decide(&gate.Policy{MaxAge: 24 * time.Hour, Conformance: &gate.Conformance{}},
		[]string{folder(t, conformance(nil))}, now)
	expect(t, "no rule", d, 3,
		"conformance.verified: expected rules that are judged, found none that the policy asks for")
	d = gate.Decide(&gate.Policy{}, []string{folder(t, conformance(nil))}, now)
	expect(t, "nothing, of no age", d, 3, "max_age: expected a run that finished at most 0s ago")
}
