package compare

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
)

var steady = service{median: 20, wander: 0.05, memory: 0.3, spread: 0.3, rate: 60}

func TestASlowerRunIsARegressionAndSaysBy(t *testing.T) {
	slower := steady
	slower.median *= 1.2
	a, b := recordRun(t, steady.run(seeded(1), 48)), recordRun(t, slower.run(seeded(2), 48))
	r := compared(t, a, b, 0.05)
	if r.ExitCode() != 1 || len(r.Worse) == 0 || !strings.Contains(r.Reason, "response p50") {
		t.Fatalf("%s: %s", r.Verdict, r.Reason)
	}
	if wide := compared(t, a, b, 0.5); wide.Verdict != VerdictSame {
		t.Errorf("20 %% are a regression at a tolerance of 50 %%: %s", wide.Reason)
	}
	if back := compared(t, b, a, 0.05); back.Verdict != VerdictImprovement || back.ExitCode() != 0 {
		t.Errorf("the other way: %s, %s", back.Verdict, back.Reason)
	}
	page := pageOf(t, r)
	testmust.Equal(t, strings.Count(page, `class="drawing"`), 4, "plots")
	if strings.Contains(page, "ZgotmplZ") || strings.Contains(page, `src=`) {
		t.Error("the page holds what no page should")
	}
	data := testmust.Get(printable.JSON(r))(t)
	var again Comparison
	if err := json.Unmarshal(data, &again); err != nil || again.Verdict != VerdictRegression ||
		again.Schema != Schema {
		t.Errorf("JSON: %v %+v", err, again.Verdict)
	}
}

func TestRunsThatCannotBeJudgedAreNoPass(t *testing.T) {
	base := recordRun(t, steady.run(seeded(1), 24))
	double := steady
	double.rate *= 2
	for name, c := range map[string]struct {
		dir, want string
	}{
		"short": {
			recordRun(t, steady.run(seeded(2), 5)),
			"recorded 5 intervals and needs 12 to be judged; send load for longer",
		},
		"silent": {recordRun(t, nil, func(r *results.Run) {
			r.Verdict, r.Reason, r.Stages = results.VerdictInconclusive, "no request was sent", nil
		}), "the second run sent nothing: no request was sent"},
		"interrupted": {
			recordRun(t, steady.run(seeded(3), 24), func(r *results.Run) { r.Run.Partial = true }),
			"let it finish",
		},
		"unreliable": {recordRun(t, steady.run(seeded(3), 24),
			func(r *results.Run) {
				r.Generator = results.GeneratorHealth{Reason: "it lagged"}
			}), "it lagged"},
		"other plan": {
			recordRun(t, double.run(seeded(4), 24)),
			"the second 120/s; compare runs of the same plan",
		},
	} {
		r := compared(t, base, c.dir, 0.05)
		if r.ExitCode() != 3 || !strings.Contains(r.Reason, c.want) {
			t.Errorf("%s: %s, %s", name, r.Verdict, r.Reason)
		}
		if page := pageOf(t, r); strings.Contains(page, significanceTest) ||
			!strings.Contains(page, "no figure is judged") {
			t.Errorf("%s: the page speaks of a test that was not made", name)
		}
	}
}

func TestWhatThePlansDifferInIsNamed(t *testing.T) {
	planned := func(text string, seconds int) string {
		return recordRun(t, steady.run(seeded(1), seconds),
			func(r *results.Run) { r.Plan = json.RawMessage(text) })
	}
	base := planned(
		`{"seed": 1, "run_id": "a", "name": "x", "http": "1.1", "traffic": {"modes": {"none": 1}}, "stages": [{"rate": 60, "for_ns": 30}]}`,
		15,
	)
	for _, c := range []struct{ after, want string }{
		{planned(
			`{"seed": 2, "run_id": "b", "name": "y", "http": "1.1", "traffic": {"modes": {"none": 1}}, "stages": [{"rate": 60, "for_ns": 60, "name": "z"}]}`,
			15), ""},
		{
			planned(`{"http": "2", "traffic": {"modes": {"none": 1}}, "stages": [{"rate": 60}]}`, 15),
			"http is 1.1 and 2; compare runs of the same plan",
		},
		{
			planned(
				`{"http": "1.1", "traffic": {"modes": {"nonce": 1}}, "keep_alive": true, "stages": [{"rate": 60}]}`,
				15),
			"keep_alive is " +
				"nothing and true, traffic.modes.nonce is nothing and 1, traffic.modes.none is 1 and nothing",
		},
		// the same load for longer
		{planned(
			`{"seed": 1, "http": "1.1", "traffic": {"modes": {"none": 1}}, "stages": [{"rate": 60}]}`,
			30), ""},
		{planned(`{"http": "1.1", "traffic": {"modes": {"none": 1}}, "stages": [{"rate": 61}]}`,
			30), "stages[0].rate is 60 and 61"},
	} {
		r := compared(t, base, c.after, 0.05)
		if (r.Verdict == VerdictInconclusive) != (c.want != "") || !strings.Contains(r.Reason, c.want) {
			t.Errorf("%s: %s", r.Verdict, r.Reason)
		}
	}
}

// A rule that is broken only under another load is told, but is no regression.
func TestAnotherLoadIsNoRegression(t *testing.T) {
	under := func(plan string, broken int64) string {
		return recordRun(t, steady.run(seeded(1), 15), func(r *results.Run) {
			r.Plan = json.RawMessage(plan)
			r.Violations = []results.Violation{{Rule: "replay.nonce.same", Count: broken}}
		})
	}
	base := under(`{"repeats": 0.01}`, 0)
	r := compared(t, base, under(`{"repeats": 0.5}`, 9), 0.05)
	if r.Verdict != VerdictInconclusive || len(r.Worse) > 0 ||
		!strings.Contains(r.Reason, "the plans send different loads: repeats is 0.01 and 0.5") ||
		!strings.Contains(strings.Join(r.Notes, "\n"), "replay.nonce.same violated by 9 answers") {
		t.Errorf("%s: %s; %q", r.Verdict, r.Reason, r.Notes)
	}
	r = compared(t, base, under(`{"repeats": 0.01}`, 9), 0.05)
	testmust.Equal(t, r.Verdict, VerdictRegression, "under the same load")
}

// What noise cannot explain is worse even if the noise cannot be estimated; between dissimilar
// runs it is not judged.
func TestAThresholdNewlyMissedOrNewErrorsAreWorseWhateverTheNoise(t *testing.T) {
	held := func(r *results.Run) {
		r.Thresholds = []threshold.Result{{Expr: "p99<300ms", Observed: "99ms", OK: true}}
	}
	missed := func(r *results.Run) {
		r.Thresholds = []threshold.Result{{Expr: "p99<300ms", Observed: "301ms"}}
	}
	broken := func(n int64) func(*results.Run) {
		return func(r *results.Run) {
			r.Classes = map[string]results.ClassResult{"server_error": {Count: n}}
		}
	}
	late := func(r *results.Run) {
		r.Generator.Reliable, r.Generator.Reason = false, "it was late"
	}
	base := recordRun(t, steady.run(seeded(1), 5), held)
	for name, c := range map[string]struct {
		change func(*results.Run)
		code   int
		reason string
	}{
		"missed":        {missed, 1, "threshold p99<300ms: held before, missed now (301ms)"},
		"held":          {held, 3, "the second run recorded 5 intervals"},
		"new errors":    {broken(30), 1, "30 server errors in 300 requests, none before"},
		"a stray error": {broken(1), 3, "the second run recorded 5 intervals"},
		"missed, whatever the generator did": {func(r *results.Run) {
			missed(r)
			late(r)
		}, 1, "threshold p99<300ms: held before, missed now (301ms)"},
		"the generator may be why": {func(r *results.Run) {
			missed(r)
			late(r)
			r.Thresholds[0].Late = true
		}, 3, "describes its generator"},
		"errors while the generator was late": {func(r *results.Run) {
			broken(30)(r)
			late(r)
		}, 3, "describes its generator"},
	} {
		r := compared(t, base, recordRun(t, steady.run(seeded(1), 5), c.change), 0.05)
		if r.ExitCode() != c.code || !strings.Contains(r.Reason, c.reason) {
			t.Errorf("%s: %s: %s", name, r.Verdict, r.Reason)
		}
		if c.code == 1 && !strings.Contains(strings.Join(r.Notes, "\n"),
			"the figures are not judged: the first run recorded 5 intervals") {
			t.Errorf("%s: nothing says that the noise could not be told: %q", name, r.Notes)
		}
	}
}
