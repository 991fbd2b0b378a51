package compare

import (
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
)

// search returns the run.json of a search that found a capacity between low and high; high 0: the
// highest rate held.
func search(t testing.TB, low, high float64, changes ...func(*capacity.SearchRun)) string {
	t.Helper()
	found := capacity.Estimate{
		Rate: low, Confirmations: 2, Low: low, High: high,
		Limit: capacity.LimitedByThresholds, Reason: "it fails: p99", Curve: []capacity.CurvePoint{},
	}
	if high == 0 {
		found.Limit = capacity.LimitedBySearchRange
	}
	for _, rate := range []float64{50, 100, 200, low} {
		if rate <= low && (len(found.Curve) == 0 || found.Curve[len(found.Curve)-1].Rate < rate) {
			found.Curve = append(found.Curve, capacity.CurvePoint{
				Rate: rate, Achieved: rate, P50MS: 10 + rate/100, P99MS: 20 + rate/10, Held: 2,
			})
		}
	}
	if high > 0 {
		found.Curve = append(found.Curve, capacity.CurvePoint{
			Rate: high, Achieved: high,
			P50MS: 80, P99MS: 900, Errors: 0.1, Failed: 2, Reason: "p99<300ms: observed 900ms",
		})
	}
	run := capacity.SearchRun{
		Schema: capacity.Schema, Verdict: results.VerdictPass, Reason: found.Reason,
		SLO: []string{"p99<300ms", "errors<1%"}, From: 50, To: 1000, StepMS: 10_000,
		Run: results.RunInfo{
			ID: "search", Deployment: "staging", StartedAt: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
		},
		Plan: &plan.Plan{HTTP: "1.1", Seed: 1}, Capacity: found,
	}
	for _, change := range changes {
		change(&run)
	}
	return put(t, t.TempDir(), runfolder.RunName, run)
}

// missedAt returns a search whose lowest rate missed its thresholds.
func missedAt(t testing.TB, lowest float64) string {
	t.Helper()
	return search(t, 0, lowest, func(s *capacity.SearchRun) {
		s.Capacity.Confirmations, s.Capacity.Limit = 0, capacity.LimitedByLowestRate
	})
}

// If the lowest rate missed once, the search gives no lower bound of the capacity, whatever held
// above.
func TestASearchWhoseLowestRateMissedOnceCannotBeHeldAgainstAnother(t *testing.T) {
	unsure := func(high float64) string {
		return search(t, 400, high, func(s *capacity.SearchRun) { s.Capacity.Low = 0 })
	}
	none := missedAt(t, 50)
	for name, c := range map[string]struct{ before, after, says string }{
		"unknown, none held": {
			unsure(0), none, "not known before and below 50/s after, as runs of the lowest rate disagree",
		},
		"none held, unknown": {none, unsure(0), "below 50/s before and not known after"},
		"both unknown":       {unsure(0), unsure(0), "not known before and not known after"},
	} {
		r := compared(t, c.before, c.after, 0.05)
		if r.Verdict != VerdictInconclusive || r.Capacity.Judged != "" ||
			!strings.Contains(r.Reason, c.says) || strings.Contains(r.Reason, "--from") {
			t.Errorf("%s: %s, judged %q, %s", name, r.Verdict, r.Capacity.Judged, r.Reason)
		}
	}
	if got := compared(t,
		unsure(420), unsure(420), 0.05).Capacity.Searches[0].Interval(); got != "below 420/s" {
		t.Errorf("it lies %s", got)
	}
}

func TestACapacityIsWorseOnlyWhereTheIntervalsLieApart(t *testing.T) {
	in := func(low, high float64) string { return search(t, low, high) }
	for name, c := range map[string]struct {
		before, after string
		want          Verdict
		says          string
	}{
		"the same": {
			in(300, 315), in(300, 315), VerdictSame,
			"between 300/s and 315/s before and between 300/s and 315/s after",
		},
		"overlapping":                  {in(300, 315), in(285, 301), VerdictSame, ""},
		"apart by less than tolerance": {in(300, 315), in(280, 290), VerdictSame, ""},
		"apart": {
			in(300, 315), in(250, 260), VerdictRegression,
			"every run at 260/s or more missed its thresholds, and before every run up to 300/s held",
		},
		"better":                   {in(250, 260), in(300, 315), VerdictImprovement, "300/s instead of 250/s"},
		"wide intervals hide it":   {in(300, 600), in(150, 310), VerdictSame, ""},
		"both held all rates":      {in(1000, 0), in(1000, 0), VerdictSame, "at least 1,000/s"},
		"below what held before":   {in(1000, 0), in(300, 315), VerdictRegression, ""},
		"above what missed before": {in(300, 315), in(1000, 0), VerdictImprovement, ""},
	} {
		r := compared(t, c.before, c.after, 0.05)
		testmust.Equal(t, r.Capacity.Judged, c.want, name, "the rate is judged")
		testmust.Equal(t, r.Verdict, c.want, name)
		testmust.Contain(t, r.Reason, c.says, name)
		if (len(r.Worse) > 0) != (c.want == VerdictRegression) {
			t.Errorf("%s: %q", name, r.Worse)
		}
	}
	if r := compared(t, in(300, 315), in(250, 260), 0.2); r.Verdict != VerdictSame {
		t.Errorf("within a tolerance of 20 %%: %s, %s", r.Verdict, r.Reason)
	}
}

func TestSearchesThatFoundNothingAreNoPass(t *testing.T) {
	base := search(t, 300, 315)
	ended := func(limit capacity.LimitReason) string {
		return search(t, 300, 315,
			func(s *capacity.SearchRun) { s.Capacity.Limit, s.Reason = limit, "because of it" })
	}
	for name, c := range map[string]struct{ dir, want string }{
		"interrupted": {ended(capacity.LimitedByInterrupt), "interrupted; let it run"},
		"silent":      {ended(capacity.LimitedBySilence), "found no capacity: because of it"},
		"out of runs": {ended(capacity.LimitedByProbeCount), "found no capacity"},
		"generator":   {ended(capacity.LimitedByGenerator), "the limit of its generator"},
		"nothing":     {search(t, 0, 0), "found no capacity"},
		"other thresholds": {
			search(t, 300, 315,
				func(s *capacity.SearchRun) { s.SLO = []string{"p99<200ms"} }),
			"the thresholds differ: errors<1%, p99<300ms and p99<200ms",
		},
		"other traffic": {
			search(t, 300, 315,
				func(s *capacity.SearchRun) { s.Plan = &plan.Plan{HTTP: "2", Seed: 9} }),
			"http is 1.1 and 2",
		},
	} {
		for i, pair := range [][2]string{{base, c.dir}, {c.dir, base}} {
			r := compared(t, pair[0], pair[1], 0.05)
			if r.ExitCode() != 3 || !strings.Contains(strings.ReplaceAll(r.Reason,
				"p99<200ms and errors<1%, p99<300ms", "errors<1%, p99<300ms and p99<200ms"), c.want) && i == 0 {
				t.Errorf("%s: %s, %s", name, r.Verdict, r.Reason)
			}
		}
	}
}

func TestALowestRateThatMissesSaysThatTheCapacityIsLower(t *testing.T) {
	base, lowest := search(t, 300, 315), missedAt(t, 100)
	for _, c := range []struct {
		before, after string
		want          Verdict
		says          string
	}{
		{base, lowest, VerdictRegression, "below 100/s instead of 300/s"},
		{lowest, base, VerdictImprovement, ""},
		{lowest, lowest, VerdictInconclusive, "--from"},
	} {
		if r := compared(t, c.before, c.after, 0.05); r.Verdict != c.want ||
			!strings.Contains(r.Reason, c.says) {
			t.Errorf("%s, %s", r.Verdict, r.Reason)
		}
	}
}

func TestACapacityWithNewViolationsIsARegression(t *testing.T) {
	base := search(t, 300, 315)
	broken := search(t, 300, 315, func(s *capacity.SearchRun) { s.Violations = 3 })
	if r := compared(t, base, broken, 0.05); r.ExitCode() != 1 ||
		!strings.Contains(r.Reason, "3 answers broke a documented rule") {
		t.Errorf("%s, %s", r.Verdict, r.Reason)
	}
	blocked := search(t, 300, 315, func(s *capacity.SearchRun) {
		s.Verdict, s.Reason = results.VerdictFail, "replay protection was violated by 3 answers"
	})
	if r := compared(t, base, blocked, 0.05); r.ExitCode() != 1 ||
		!strings.Contains(r.Reason, "replay protection") {
		t.Errorf("%s, %s", r.Verdict, r.Reason)
	}
}
