package compare

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/recordtest"
)

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
