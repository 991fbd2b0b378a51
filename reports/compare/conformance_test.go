package compare

import (
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/recordtest"
)

func folderOf(t testing.TB, run record.Run) string {
	t.Helper()
	return put(t, t.TempDir(), runfolder.RunName, run)
}

// edited returns a run in which every rule passed, with some verdicts replaced.
func edited(t testing.TB, verdicts map[string]record.Verdict, changes ...func(*record.Run)) string {
	run := recordtest.CleanRun()
	for i := range run.Rules {
		if v, ok := verdicts[run.Rules[i].ID]; ok {
			run.Rules[i].Verdict = v
			run.Rules[i].Checks[0].Verdict = v
			run.Rules[i].Checks[0].Message = "because of it"
		}
	}
	for _, change := range changes {
		change(&run)
	}
	return folderOf(t, run)
}

func TestARunDoesNotDifferFromItself(t *testing.T) {
	for _, dir := range []string{
		folderOf(t, recordtest.SampleRun()), folderOf(t, recordtest.CleanRun()),
		recordRun(t, steady.run(seeded(1), 60)),
	} {
		for _, tolerance := range []float64{0, 0.05} {
			r := compared(t, dir, dir, tolerance)
			if r.Verdict != VerdictSame || r.ExitCode() != 0 || len(r.Notes) == 0 ||
				!strings.Contains(r.Notes[0], "both are the same run") {
				t.Errorf("%s: %s, %q", r.Verdict, r.Reason, r.Notes)
			}
			if c := r.Conformance; c != nil && len(c.Changes)+len(c.Observations) > 0 {
				t.Errorf("%+v", c)
			}
			if l := r.Load; l != nil && slices.ContainsFunc(l.Metrics,
				func(m FigureChange) bool { return m.Change != 0 }) {
				t.Errorf("%+v", l)
			}
		}
	}
}

func TestARunThatJudgedNothingIsNoPass(t *testing.T) {
	dir := folderOf(t, recordtest.UnreachableRun(30))
	if r := compared(t, dir, dir, 0.05); r.ExitCode() != 3 ||
		r.Reason != "the second run judged no rule" {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}

func TestChangedVerdictsAreJudged(t *testing.T) {
	const rule = "create.success.status"
	for _, c := range []struct {
		before, after record.Verdict
		judged, all   Verdict
		code          int
	}{
		{record.VerdictPass, record.VerdictFail, VerdictRegression, VerdictRegression, 1},
		{record.VerdictWaived, record.VerdictFail, VerdictRegression, VerdictRegression, 1},
		{record.VerdictNotVerified, record.VerdictFail, VerdictRegression, VerdictRegression, 1},
		{record.VerdictPass, record.VerdictNotVerified, VerdictInconclusive, VerdictInconclusive, 3},
		{record.VerdictWaived, record.VerdictInconclusive, VerdictInconclusive, VerdictInconclusive, 3},
		{record.VerdictFail, record.VerdictPass, VerdictImprovement, VerdictImprovement, 0},
		{record.VerdictNotVerified, record.VerdictPass, VerdictImprovement, VerdictImprovement, 0},
		{record.VerdictFail, record.VerdictWaived, VerdictChanged, VerdictChanged, 0},
		{record.VerdictNotVerified, record.VerdictInconclusive, VerdictChanged, VerdictChanged, 0},
	} {
		r := compared(t, edited(t, map[string]record.Verdict{rule: c.before}),
			edited(t, map[string]record.Verdict{rule: c.after}), 0.05)
		if len(r.Conformance.Changes) != 1 || r.Conformance.Changes[0].ID != rule ||
			r.Conformance.Changes[0].Judged != c.judged || r.Verdict != c.all || r.ExitCode() != c.code {
			t.Errorf("%s to %s: %s, %+v", c.before, c.after, r.Verdict, r.Conformance.Changes)
		}
	}
}

func TestWarningsAreNoViolations(t *testing.T) {
	const rule = "create.email.format" // a should rule
	of := func(v record.Verdict, security bool) string {
		return edited(t, map[string]record.Verdict{rule: v}, func(r *record.Run) {
			for i := range r.Rules {
				r.Rules[i].Security = security && r.Rules[i].ID == rule
			}
		})
	}
	passed := of(record.VerdictPass, false)
	open := of(record.VerdictNotVerified, false)
	warned := of(record.VerdictFail, false)
	for _, c := range []struct {
		before, after string
		want          Verdict
		reason        string
	}{
		{passed, warned, VerdictRegression, "1 new warning: because of it (" + rule},
		{
			of(record.VerdictPass, true),
			of(record.VerdictFail, true), VerdictRegression, "1 new violation: because of it (" + rule,
		},
		{open, warned, VerdictChanged, "no rule is worse; 1 verdict changed"},
		{
			warned, of(record.VerdictFail, true), VerdictRegression,
			"1 new violation: because of it (" + rule,
		},
		{warned, warned, VerdictSame, ""},
		{warned, passed, VerdictImprovement, "1 rule passed that did not before: " + rule +
			"; none is worse"},
	} {
		r := compared(t, c.before, c.after, 0.05)
		if r.Verdict != c.want || !strings.HasPrefix(r.Reason, c.reason) {
			t.Errorf("%s: %s, want %s: %s", r.Verdict, r.Reason, c.want, c.reason)
		}
		still := slices.Contains(r.Notes, "1 warning in both runs: "+rule)
		if still != (c.want == VerdictSame) {
			t.Errorf("%s: notes %q", r.Reason, r.Notes)
		}
	}
}

// A change is shown with its headline and a link to the page of the run.
func TestAChangeShowsWhatWasFoundAndLeadsToIt(t *testing.T) {
	r := compared(t, edited(t, nil),
		edited(t, map[string]record.Verdict{"create.success.status": record.VerdictFail}), 0.05)
	r.After.Report = "after/report.html"
	for form, want := range map[string]string{
		pageOf(t, r):     `<a href="after/report.html#rule-create.success.status">`,
		printed(t, r, 0): "\nWorse\n  because of it\n",
		commented(r):     "### Worse\n\n- because of it\n",
	} {
		testmust.Contain(t, form, want)
	}
}

func TestNewAndGoneRulesAreNamed(t *testing.T) {
	whole := edited(t, nil)
	fewer := edited(t, nil, func(r *record.Run) { r.Rules = r.Rules[1:] })
	gone := compared(t, whole, fewer, 0.05)
	if len(gone.Conformance.Changes) != 1 || gone.Verdict != VerdictInconclusive {
		t.Errorf("gone: %s %+v", gone.Verdict, gone.Conformance.Changes)
	}
	fresh := compared(t, fewer, whole, 0.05)
	if len(fresh.Conformance.Changes) != 1 || fresh.Verdict != VerdictChanged ||
		fresh.ExitCode() != 0 {
		t.Errorf("new: %s %+v", fresh.Verdict, fresh.Conformance.Changes)
	}
	violated := compared(t, fewer,
		edited(t, map[string]record.Verdict{"create.success.status": record.VerdictFail}), 0.05)
	if violated.ExitCode() == 0 {
		t.Errorf("a new rule that is violated does not pass: %+v", violated)
	}
}

func TestWhatARunDidNotObserveSaysWhy(t *testing.T) {
	const rule = "create.success.status"
	seen := func(r *record.Run) { r.Observations = []record.Observation{{ID: rule, Observed: "201"}} }
	whole := edited(t, nil, seen)
	unverified := edited(t, map[string]record.Verdict{rule: record.VerdictNotVerified},
		func(r *record.Run) {
			r.Observations = nil
			for i := range r.Rules {
				if r.Rules[i].ID == rule {
					r.Rules[i].Reason = "add the key"
				}
			}
		})
	r := compared(t, whole, unverified, 0.05)
	if o := r.Conformance.Observations; len(o) != 1 ||
		o[0].Reason != "not observed in the second run: add the key" || o[0].Statement == "" {
		t.Errorf("%+v", o)
	}
	unselected := edited(t, nil, func(r *record.Run) {
		r.Observations = nil
		r.Rules = slices.DeleteFunc(r.Rules, func(x record.RuleResult) bool { return x.ID == rule })
	})
	for _, pair := range [][2]string{{whole, unselected}, {unselected, whole}} {
		testmust.Equal(t, len(compared(t, pair[0], pair[1], 0.05).Conformance.Observations),
			0, "a rule that was not selected drifts")
	}
}

func TestANegativeToleranceIsRefused(t *testing.T) {
	run := edited(t, nil)
	_, err := attempt(run, run, -1)
	testmust.FailWith(t, err, "tolerance")
}

func TestADefectOfSeveralRulesIsShownOnce(t *testing.T) {
	const what = "Names are cut, and so are cities"
	rules := recordtest.CleanRun().Rules
	broken := map[string]record.Verdict{}
	for _, r := range rules[:3] {
		broken[r.ID] = record.VerdictFail
	}
	clean, faulty := edited(t, nil), edited(t, broken, func(r *record.Run) {
		r.Defects = []record.Defect{
			{Headline: what, Rules: []string{rules[0].ID, rules[1].ID}},
			{Headline: "something else", Rules: []string{rules[2].ID}},
		}
	})
	for _, c := range []struct {
		before, after, lead string
		changes             int
	}{{clean, faulty, what, 3}, {faulty, clean, "no longer: " + what, 3}} {
		r := compared(t, c.before, c.after, 0.05)
		for form, times := range map[string]int{printed(t, r, 0): 1, pageOf(t, r): 1, commented(r): 1} {
			if r.Verdict == VerdictRegression {
				times++ // the reason of the verdict has it too
			}
			if n := strings.Count(form, c.lead); n != times {
				t.Errorf("%q %d times in\n%.3000s", c.lead, n, form)
			}
			for _, r := range rules[:3] {
				testmust.Contain(t, form, r.ID)
			}
		}
		testmust.Equal(t, len(r.Conformance.Changes), c.changes)
		if r.Verdict == VerdictRegression && !(strings.HasPrefix(r.Reason, "3 new violations: ") &&
			strings.Contains(r.Reason, what+" (2 rules)")) {
			t.Error(r.Reason)
		}
	}
}

// An early interruption leaves most rules open for one reason: a terminal shows that in a few
// lines.
func TestAnInterruptedRunFitsATerminal(t *testing.T) {
	clean := edited(t, nil)
	open := map[string]record.Verdict{}
	for _, r := range recordtest.CleanRun().Rules[2:] {
		open[r.ID] = record.VerdictNotVerified
	}
	cut := edited(t, open, func(r *record.Run) {
		for i := range r.Rules {
			if r.Rules[i].Verdict == record.VerdictNotVerified {
				r.Rules[i].Reason = "the run was interrupted"
				for j := range r.Rules[i].Checks {
					r.Rules[i].Checks[j].Message = ""
				}
			}
		}
		r.Observations = nil
	})
	r := compared(t, clean, cut, 0.05)
	text := printed(t, r, 0)
	if strings.Count(text, "\n") > 40 || !strings.Contains(text, "the run was interrupted") ||
		!strings.Contains(text, "passed → not verified auth.bearer, ") {
		t.Error(text)
	}
	if n := strings.Count(commented(r), "the run was interrupted"); n == 0 || n > 6 {
		t.Errorf("the comment gives the reason %d times", n)
	}
}

func TestShardsOfOneRunAreNotTheSameRun(t *testing.T) {
	shard := func(sent int64) string {
		return recordRun(t, steady.run(seeded(1), 20),
			func(r *results.Run) { r.Run.ID, r.Requests.Sent = "release-7", sent })
	}
	r := compared(t, shard(500), shard(501), 0.05)
	if strings.Contains(strings.Join(r.Notes, ""), "the same run") {
		t.Errorf("shards: %q", r.Notes)
	}
}
