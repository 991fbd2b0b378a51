package compare

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/recordtest"
)

// Comparisons of runs with hostile texts in every place show them as text in every form.
func TestHostileTextsStayText(t *testing.T) {
	const text = recordtest.HostileText
	verdicts := map[string]record.Verdict{}
	for i, r := range recordtest.CleanRun().Rules {
		verdicts[r.ID] = []record.Verdict{
			record.VerdictFail,
			record.VerdictNotVerified, record.VerdictPass, record.VerdictWaived, record.VerdictInconclusive,
		}[i%5]
	}
	judged := edited(t, verdicts, func(r *record.Run) {
		for i := range r.Rules {
			r.Rules[i].ID += text
			r.Rules[i].Statement, r.Rules[i].Reason = text, text
		}
		r.Rules = append(
			r.Rules,
			record.RuleResult{
				ID:        "new." + text,
				Level:     text,
				Statement: text,
				Verdict:   record.VerdictFail,
				Reason:    text,
			},
		)
		r.Run.Deployment, r.Run.BaseURL, r.Reason = text, text, text
		r.Observations = append(r.Observations, record.Observation{ID: text, Observed: text})
	})
	loaded := recordRun(t, steady.run(seeded(2), 15), func(r *results.Run) {
		r.Run.Deployment, r.Run.BaseURL, r.Reason = text, text, text
		r.Violations = []results.Violation{{Rule: text, Count: 3}}
		r.Stages[0].Name = text
		r.Thresholds = []threshold.ThresholdResult{{Expr: text, Observed: text}}
		r.Plan, _ = json.Marshal(map[string]any{text: text, "http": text})
	})
	searched := search(t, 200, 210, func(run map[string]any, r *capacity.Estimate) {
		run["reason"], run["slo"], run["verdict"] = text, []string{text}, "fail"
		run["run"] = results.RunInfo{Deployment: text, BaseURL: text}
		run["plan"] = map[string]any{text: text}
		r.Reason, r.Unstable, r.Limit = text, []string{text}, capacity.LimitReason(text)
		for i := range r.Curve {
			r.Curve[i].Reason = text
		}
	})
	for _, r := range []Comparison{
		compared(t, edited(t, nil), judged, 0.05),
		compared(t, recordRun(t, steady.run(seeded(1), 15)), loaded, 0.05),
		compared(t, search(t, 300, 315), searched, 0.05),
	} {
		page, comment := pageOf(t, r), commented(r)
		for _, bad := range []string{"<script>alert", "<img", "\x1b", "\u202e", "\x00"} {
			if strings.Contains(page, bad) || strings.Contains(comment, bad) {
				t.Errorf("%s: the page or the Markdown holds %q", r.Kind, bad)
			}
		}
		for line := range strings.SplitSeq(printed(t, r, 0), "\n") {
			if strings.ContainsAny(line, "\x1b\x00\r\u202e") || strings.HasPrefix(line, "::error") {
				t.Errorf("%s: the terminal gets %q", r.Kind, line)
			}
		}
		testmust.Get(printable.JSON(r))(t)
	}
}
