package gate_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	load "github.com/gateassay/gateassay/load/record"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/gate"
	"github.com/gateassay/gateassay/reports/record"
)

func TestAWholeFreshRunPasses(t *testing.T) {
	dir := folder(t, conformance(nil))
	for _, path := range []string{dir, filepath.Join(dir, record.RunName)} {
		d := decide(t, strict, path)
		expect(t, path, d, 0, "required rules verified")
		if d.Verdict != gate.Held || len(d.Runs) != 1 {
			t.Errorf("%+v", d)
		}
	}
}

func TestARunThatCannotBeTrustedIsNoPass(t *testing.T) {
	whole, err := conformance(nil).JSON()
	if err != nil {
		t.Fatal(err)
	}
	text := string(whole)
	edited := func(change func(*record.Run)) record.Run {
		run := conformance(nil)
		change(&run)
		return run
	}
	partial := conformance(func(f *record.Found) { f.Info.Partial = true })
	for name, c := range map[string]struct {
		content any
		reason  string
	}{
		"cut off":                     {text[:len(text)/2], "damaged"},
		"empty":                       {"", "damaged"},
		"followed by more":            {text + "{}", "damaged"},
		"a list":                      {"[]", "damaged"},
		"without a schema":            {"{}", "names no schema"},
		"of an unknown schema":        {strings.Replace(text, record.Schema, "gateassay/conformance/v2", 1), `schema "gateassay/conformance/v2"`},
		"of a hostile schema":         {`{"schema":"\u001b[31m"}`, "<U+001B>"},
		"of a schema that is no text": {`{"schema":1}`, "damaged"},
		"with a wrong type":           {strings.Replace(text, `"rules": [`, `"rules": {}, "x": [`, 1), "damaged"},
		"interrupted":                 {partial, "interrupted"},
		"without rules":               {edited(func(r *record.Run) { r.Rules = nil }), "holds no rule"},
		"with a changed verdict": {edited(func(r *record.Run) {
			*r = conformance(set("auth.bearer", record.Fail))
			r.Verdict = record.Conformant
		}), "its rules come to violations"},
		"with a verdict of its own": {edited(func(r *record.Run) { r.Verdict = "fine" }), "its rules come to conformant"},
		"with changed counts":       {edited(func(r *record.Run) { r.Counts.Pass++ }), "counts"},
		"with a changed rule": {edited(func(r *record.Run) {
			*r = conformance(set("auth.bearer", record.Fail))
			for i := range r.Rules {
				if r.Rules[i].Verdict == record.Fail {
					r.Rules[i].Verdict = record.Pass
					r.Counts.Pass, r.Counts.Fail, r.Verdict = r.Counts.Pass+1, 0, record.Conformant
				}
			}
		}), "a check of it does not"},
		"with a pass without a check": {edited(func(r *record.Run) { r.Rules[0].Checks = nil }), "no check of it did"},
		"with an unknown verdict":     {edited(func(r *record.Run) { r.Rules[0].Verdict = "great" }), "unknown verdict"},
		"with a rule twice":           {edited(func(r *record.Run) { r.Rules[1].ID = r.Rules[0].ID }), "twice"},
		"waived without a waiver": {edited(func(r *record.Run) {
			r.Rules[0].Verdict = record.Waived
			r.Counts.Pass, r.Counts.Waived = r.Counts.Pass-1, 1
		}), "no waiver is named"},
		"of no deployment":        {edited(func(r *record.Run) { r.Run.Deployment = "" }), "names no deployment"},
		"without an end":          {edited(func(r *record.Run) { r.Run.FinishedAt = time.Time{} }), "started and finished"},
		"that ends before it was": {edited(func(r *record.Run) { r.Run.FinishedAt = r.Run.StartedAt.Add(-1) }), "before it started"},
		"too old": {conformance(func(f *record.Found) {
			f.Info.StartedAt, f.Info.FinishedAt = now.Add(-26*time.Hour), now.Add(-25*time.Hour)
		}), "too old: it finished 1d1h ago, 1d are allowed"},
		"of tomorrow": {conformance(func(f *record.Found) { f.Info.FinishedAt = now.Add(time.Hour) }), "in the future"},
		"that found nothing out": {conformance(func(f *record.Found) {
			for i := range f.Checks {
				f.Checks[i].Verdict = record.Inconclusive
			}
		}), "gives no verdict"},
	} {
		expect(t, "a run "+name, decide(t, strict, folder(t, c.content)), 3, c.reason)
	}
}

func TestAMissingRunIsNoPass(t *testing.T) {
	good := folder(t, conformance(nil))
	expect(t, "no folder", decide(t, strict, filepath.Join(t.TempDir(), "nowhere")), 3, "there is no run")
	expect(t, "an empty folder", decide(t, strict, t.TempDir()), 3, "holds no run.json")
	expect(t, "one missing beside a good one", decide(t, strict, good, t.TempDir()), 3, "holds no run.json")
	expect(t, "none", decide(t, strict), 3, "no run could be used")
	other := filepath.Join(t.TempDir(), "other.txt")
	put(t, filepath.Dir(other), "other.txt", "x")
	expect(t, "another file", decide(t, strict, other), 3, "no folder of a run")

	pipe := t.TempDir()
	if err := os.Mkdir(filepath.Join(pipe, record.RunName), 0o755); err != nil {
		t.Fatal(err)
	}
	expect(t, "run.json is a folder", decide(t, strict, pipe), 3, "no regular file")

	for _, name := range []string{record.JournalName, load.IntervalsName} {
		killed := t.TempDir()
		put(t, killed, name, "{}")
		expect(t, "killed", decide(t, strict, killed), 3, "did not end")
	}

	expect(t, "no load run", decide(t, strict+"load: {}\n", good), 3, "asks for a load run")
	expect(t, "no search", decide(t, strict+"capacity: {}\n", good), 3, "asks for a search")
	expect(t, "no conformance run", decide(t, strict, folder(t, loaded(nil))), 3, "asks for a conformance run")
	expect(t, "a deployment without runs", decide(t, strict+"deployments: [staging, canary]\n", good), 3, "canary")
	expect(t, "a deployment that is not meant", decide(t, strict+"deployments: [canary]\n", good), 3, "does not name")
	expect(t, "the deployment that is meant", decide(t, strict+"deployments: [staging]\n", good), 0, "demands held")
	unpack := gate.Decide(policy(t, strict), []string{"run.tar.zst"}, gate.Options{Now: now, Unpack: func(string) (string, error) { return "", errors.New("a hash differs") }})
	expect(t, "an archive that cannot be unpacked", unpack, 3, "a hash differs")
	archived := gate.Decide(policy(t, strict), []string{"run.tar.zst"}, gate.Options{Now: now, Unpack: func(string) (string, error) { return good, nil }})
	expect(t, "an archive", archived, 0, "run.tar.zst")
}

func TestAStaleOrInterruptedRunStillShowsViolations(t *testing.T) {
	expect(t, "interrupted", decide(t, strict, folder(t, conformance(all(set("auth.bearer", record.Fail), func(f *record.Found) { f.Info.Partial = true })))), 1, "auth.bearer (must): because")
	expect(t, "a load run", decide(t, "max_age: 30m\nload: {}\n", folder(t, loaded(func(r *load.Run) { r.Verdict, r.Reason = load.Fail, "p99" }))), 1, "failed: p99")
}

func TestARunIsHeldAgainstItsJournal(t *testing.T) {
	run := conformance(nil)
	journaled := func(change func(*record.Found)) string {
		dir := folder(t, run)
		f := record.Found{}
		conformance(func(found *record.Found) {
			if change != nil {
				change(found)
			}
			f = *found
		})
		j, err := record.OpenJournal(dir, f.Info, f.Catalogue, f.Waivers)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Checks {
			j.Check(c)
		}
		j.End(f.Info)
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	good := journaled(nil)
	expect(t, "the same", decide(t, strict, good), 0, "demands held")
	expect(t, "a failure in the journal", decide(t, strict, journaled(set("auth.bearer", record.Fail))), 3, "its journal comes to violations")
	expect(t, "of another run", decide(t, strict, journaled(func(f *record.Found) { f.Info.ID = "other" })), 3, "of another run")
	torn, err := os.ReadFile(filepath.Join(good, record.JournalName))
	if err != nil {
		t.Fatal(err)
	}
	put(t, good, record.JournalName, string(torn[:len(torn)*2/3]))
	expect(t, "a torn journal", decide(t, strict, good), 3, "its journal comes to partial")
	put(t, good, record.JournalName, "nothing")
	expect(t, "a destroyed journal", decide(t, strict, good), 3, "journal cannot be read")
}

func TestRequiredRulesMustBeVerified(t *testing.T) {
	open := conformance(set("export.isolation", record.NotVerified)) // a should rule
	expect(t, "a should rule is not required", decide(t, strict, folder(t, open)), 0, "demands held")
	expect(t, "by pattern", decide(t, "max_age: 1d\nconformance: {verified: [must, export.*]}", folder(t, open)), 3, "export.isolation: not verified: because")
	expect(t, "by level", decide(t, "max_age: 1d\nconformance: {verified: [should]}", folder(t, open)), 3, "export.isolation")
	expect(t, "must rules are the default", decide(t, "max_age: 1d\nconformance: {}", folder(t, conformance(set("auth.bearer", record.NotVerified)))), 3, "auth.bearer: not verified")
	expect(t, "inconclusive", decide(t, strict, folder(t, conformance(set("auth.bearer", record.Inconclusive)))), 3, "auth.bearer: inconclusive")
	expect(t, "one left open that is not required", decide(t, "max_age: 1d\nconformance: {verified: [export.range.*]}", folder(t, conformance(set("auth.bearer", record.NotVerified)))), 0, "demands held")

	only := func(prefix string) string {
		return folder(t, conformance(func(f *record.Found) {
			f.Info.ID = "only " + prefix
			var kept []rules.Rule
			for _, r := range f.Catalogue {
				if strings.HasPrefix(r.ID, prefix) {
					kept = append(kept, r)
				}
			}
			var checks []record.Check
			for _, c := range f.Checks {
				if strings.HasPrefix(c.Rule, prefix) {
					checks = append(checks, c)
				}
			}
			f.Catalogue, f.Checks = kept, checks
		}))
	}
	expect(t, "a run of one suite", decide(t, strict, only("auth.")), 3, "not among the rules of the runs")
	expect(t, "several runs together", decide(t, strict, only("auth."), only("create."), only("export."), only("replay.")), 0, "demands held")
	elsewhere := conformance(func(f *record.Found) { f.Info.Deployment = "canary" })
	expect(t, "runs of another deployment verify nothing", decide(t, strict, only("auth."), folder(t, elsewhere)), 3, "staging  conformance.verified")
}

func TestViolationsBlockWhateverIsRequired(t *testing.T) {
	for _, id := range []string{"auth.bearer", "export.isolation"} {
		expect(t, id, decide(t, "max_age: 1d\nconformance: {verified: [create.cpf.*]}", folder(t, conformance(set(id, record.Fail)))), 1, id)
	}
	expect(t, "a run of a kind that was not asked for", decide(t, "max_age: 1d\nload: {}", folder(t, loaded(nil)), folder(t, conformance(set("auth.bearer", record.Fail)))), 1, "auth.bearer")
	expect(t, "one violates, another verifies", decide(t, strict, folder(t, conformance(nil)), folder(t, conformance(set("auth.bearer", record.Fail)))), 1, "auth.bearer")
}

func TestWaiversNeedThePolicysLeave(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }
	allowing := func(rest string) string {
		return "max_age: 1d\nconformance: {waivers: {allowed: [auth.*]" + rest + "}}"
	}
	run := folder(t, conformance(waive("auth.bearer", day(30))))
	expect(t, "none allowed", decide(t, strict, run), 1, "the policy allows no waiver of it")
	expect(t, "another allowed", decide(t, "max_age: 1d\nconformance: {waivers: {allowed: [create.*]}}", run), 1, "allows no waiver")
	expect(t, "allowed", decide(t, allowing(""), run), 0, "1 waived rule, all as the policy allows")
	expect(t, "allowed until that day", decide(t, allowing(", latest: 2026-11-30"), run), 0, "")
	expect(t, "too long", decide(t, allowing(", latest: 2026-11-29"), run), 1, "no later day than 2026-11-29")
	today := folder(t, conformance(waive("auth.bearer", day(21))))
	expect(t, "on its last day", decide(t, allowing(""), today), 0, "")
	later := gate.Decide(policy(t, allowing("")), []string{today}, gate.Options{Now: day(22).Add(time.Second)})
	expect(t, "after its last day", later, 1, "its waiver ended with 2026-11-21")
	expect(t, "without a conformance part", decide(t, "max_age: 1d\nload: {}", folder(t, loaded(nil)), run), 1, "allows no waiver")
}

func TestNothingMayBeWorseThanTheBaseline(t *testing.T) {
	earlier := func(change func(*record.Found)) string {
		return folder(t, conformance(all(func(f *record.Found) {
			f.Info.ID = "earlier"
			f.Info.StartedAt, f.Info.FinishedAt = now.AddDate(-1, 0, 0), now.AddDate(-1, 0, 0)
		}, func(f *record.Found) {
			if change != nil {
				change(f)
			}
		})))
	}
	with := func(baseline, rest string) string {
		return fmt.Sprintf("max_age: 1d\nconformance: {verified: [create.cpf.*], waivers: {allowed: [auth.*]}, baseline: %q%s}", baseline, rest)
	}
	same := folder(t, conformance(nil))
	expect(t, "the same, however old", decide(t, with(earlier(nil), ""), same), 0, "no rule is worse than in run")
	expect(t, "better", decide(t, with(earlier(set("auth.bearer", record.Fail)), ""), same), 0, "")
	expect(t, "no longer verified", decide(t, with(earlier(nil), ""), folder(t, conformance(set("auth.bearer", record.NotVerified)))), 1, "auth.bearer: was passed, is not verified")
	expect(t, "waived by now", decide(t, with(earlier(nil), ""), folder(t, conformance(waive("auth.bearer", now.AddDate(0, 0, 9))))), 1, "auth.bearer: was passed, is waived")
	gone := conformance(func(f *record.Found) {
		f.Catalogue, f.Checks = f.Catalogue[:len(f.Catalogue)/2], f.Checks[:len(f.Catalogue)/2]
	})
	expect(t, "gone", decide(t, with(earlier(nil), ""), folder(t, gone)), 1, "is not in the runs")

	expect(t, "missing baseline", decide(t, with(filepath.Join(t.TempDir(), "x"), ""), same), 3, "cannot be used: there is no run")
	expect(t, "damaged baseline", decide(t, with(folder(t, "{"), ""), same), 3, "damaged")
	expect(t, "interrupted baseline", decide(t, with(earlier(func(f *record.Found) { f.Info.Partial = true }), ""), same), 3, "was interrupted")
	expect(t, "baseline of another kind", decide(t, with(folder(t, loaded(nil)), ""), same), 3, "is a load run")
	expect(t, "the run as its own baseline", decide(t, with(same, ""), same), 3, "nothing is compared")

	drifted := folder(t, conformance(func(f *record.Found) { f.Observations[0].Observed = "otherwise" }))
	id := conformance(nil).Observations[0].ID
	expect(t, "drift", decide(t, with(earlier(nil), ""), drifted), 1, id+": was as before, is otherwise")
	expect(t, "drift, refused by name", decide(t, with(earlier(nil), ", drift: refused"), drifted), 1, id)
	expect(t, "drift, allowed", decide(t, with(earlier(nil), ", drift: allowed"), drifted), 0, "as the policy allows")
	expect(t, "this drift, allowed", decide(t, with(earlier(nil), ", drift: ["+id+"]"), drifted), 0, "as the policy allows")
	expect(t, "other drift, allowed", decide(t, with(earlier(nil), ", drift: [nothing.*]"), drifted), 1, id)
	expect(t, "no longer observed", decide(t, with(earlier(nil), ""), folder(t, conformance(func(f *record.Found) { f.Observations = f.Observations[1:] }))), 1, "is not observed")
}

func TestLoadRuns(t *testing.T) {
	slo := func(exprs ...string) string {
		return "max_age: 1d\nload: {thresholds: ['" + strings.Join(exprs, "', '") + "']}"
	}
	good := folder(t, loaded(nil))
	expect(t, "held", decide(t, slo("p99<=200ms", "service.p99.9<401ms", "errors<=1%", "blocked==10", "achieved>=99%", "lag.p99<3ms", "file.p95<81ms", "file_failures<=1",
		"mean<31ms", "p99<10ms for \"warm up\"", "accepted==500 for 1", "false_blocks==0"), good), 0, "demands held")
	expect(t, "missed", decide(t, slo("p99<200ms"), good), 1, "p99<200ms: missed, observed 200ms")
	expect(t, "no such stage", decide(t, slo("p99<1s for peak"), good), 3, "no such stage")
	expect(t, "no files", decide(t, slo("file.p99<1s"), folder(t, loaded(func(r *load.Run) { r.Files = nil }))), 3, "no data")
	for name, c := range map[string]struct {
		change func(*load.Run)
		code   int
		reason string
	}{
		"failed":              {func(r *load.Run) { r.Verdict, r.Reason = load.Fail, "p99 missed" }, 1, "failed: p99 missed"},
		"inconclusive":        {func(r *load.Run) { r.Verdict, r.Reason = load.Inconclusive, "late" }, 3, "gives no verdict: late"},
		"interrupted":         {func(r *load.Run) { r.Run.Partial, r.Verdict = true, load.Inconclusive }, 3, "interrupted"},
		"passes and partial":  {func(r *load.Run) { r.Run.Partial = true }, 3, "interrupted"},
		"unknown verdict":     {func(r *load.Run) { r.Verdict = "superb" }, 3, "unknown verdict"},
		"nothing sent":        {func(r *load.Run) { r.Requests = load.Requests{} }, 3, "no request was sent"},
		"unreliable":          {func(r *load.Run) { r.Generator.Reliable = false }, 3, "describe the generator"},
		"own threshold fails": {func(r *load.Run) { r.Thresholds = []threshold.Result{{Expr: "p99<1ms"}} }, 3, "does not hold"},
		"too old":             {func(r *load.Run) { r.Run.StartedAt, r.Run.FinishedAt = now.AddDate(0, 0, -3), now.AddDate(0, 0, -2) }, 3, "too old"},
		"unknown schema":      {func(r *load.Run) { r.Schema = "gateassay/load/v9" }, 3, "does not know"},
	} {
		expect(t, name, decide(t, "max_age: 1d\nload: {}", folder(t, loaded(c.change))), c.code, c.reason)
	}
	torn := folder(t, loaded(nil))
	put(t, torn, load.IntervalsName, "{")
	expect(t, "intervals that cannot be read", decide(t, "max_age: 1d\nload: {}", torn), 3, "damaged")
}

func TestLoadIsComparedWithABaseline(t *testing.T) {
	run := folder(t, loaded(nil))
	earlier := folder(t, loaded(func(r *load.Run) { r.Run.ID = "earlier" }))
	text := fmt.Sprintf("max_age: 1d\nload: {baseline: %q, tolerance: 10%%}", earlier)
	expect(t, "nothing compares", decide(t, text, run), 3, "cannot be compared")
	with := func(worse []string, err error) gate.Decision {
		return gate.Decide(policy(t, text), []string{run}, gate.Options{Now: now, Compare: func(baseline, candidate string, tolerance float64) ([]string, error) {
			if baseline != earlier || candidate != run || tolerance != 0.1 {
				t.Errorf("compared %s with %s at %g", baseline, candidate, tolerance)
			}
			return worse, err
		}})
	}
	expect(t, "as good", with(nil, nil), 0, "not worse than")
	expect(t, "worse", with([]string{"p99 rose from 200 to 300 ms"}, nil), 1, "p99 rose")
	expect(t, "cannot tell", with(nil, errors.New("too few intervals")), 3, "too few intervals")
	weak := folder(t, loaded(func(r *load.Run) { r.Run.ID, r.Verdict = "weak", load.Inconclusive }))
	expect(t, "a baseline without a verdict", decide(t, fmt.Sprintf("max_age: 1d\nload: {baseline: %q}", weak), run), 3, "")
}

func TestCapacity(t *testing.T) {
	run := folder(t, searched(200, "pass", "thresholds"))
	asks := func(rest string) string { return "max_age: 1d\ncapacity: {" + rest + "}" }
	expect(t, "enough", decide(t, asks("at_least: 200/s"), run), 0, "")
	expect(t, "too low", decide(t, asks("at_least: 201/s"), run), 1, "only 200/s")
	expect(t, "failed", decide(t, asks(""), folder(t, searched(0, "fail", "from"))), 1, "failed")
	expect(t, "no verdict", decide(t, asks(""), folder(t, searched(100, "inconclusive", "generator"))), 3, "no verdict")
	expect(t, "interrupted", decide(t, asks(""), folder(t, searched(100, "inconclusive", "interrupted"))), 3, "interrupted")
	expect(t, "passed with nothing", decide(t, asks(""), folder(t, searched(0, "pass", "thresholds"))), 3, "found no rate")
	earlier := func(rate float64) string {
		return folder(t, strings.Replace(searched(rate, "pass", "to"), `"search"`, `"earlier"`, 1))
	}
	baseline := func(rate float64, rest string) string {
		return asks(fmt.Sprintf("baseline: %q%s", earlier(rate), rest))
	}
	expect(t, "within 5 %", decide(t, baseline(210, ""), run), 0, "")
	expect(t, "worse than 5 %", decide(t, baseline(211, ""), run), 1, "at most 5% less")
	expect(t, "within 10 %", decide(t, baseline(220, ", tolerance: 10%"), run), 0, "")
	failed := folder(t, searched(0, "fail", "from"))
	expect(t, "a baseline that found nothing", decide(t, asks(fmt.Sprintf("baseline: %q", failed)), folder(t, strings.Replace(searched(9, "pass", "to"), `"search"`, `"b"`, 1))), 3, "found no capacity")
}
