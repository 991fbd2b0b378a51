package compare

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

// conformances compares two runs that differ in every way, with a text wherever a run holds one.
func conformances(t testing.TB, text string) Result {
	verdicts := map[string]record.Verdict{}
	for i, r := range recordtest.Clean().Rules {
		verdicts[r.ID] = []record.Verdict{
			record.Fail, record.NotVerified, record.Pass, record.Waived, record.Inconclusive,
		}[i%5]
	}
	before := edited(t, map[string]record.Verdict{recordtest.Clean().Rules[2].ID: record.Fail}, func(r *record.Run) {
		r.Observations = []record.Observation{
			{ID: "export.observed.success_status", Observed: "200"},
			{ID: "export.observed.file_state", Observed: "{state string}"},
			{ID: "only.before", Observed: text},
			{ID: "both", Observed: "x"},
		}
	})
	after := edited(t, verdicts, func(r *record.Run) {
		for i := range r.Rules {
			if i%8 > 0 { // so that the record with enormous ones is not too large to be read
				continue
			}
			r.Rules[i].Statement, r.Rules[i].Reason = text, text
			if len(r.Rules[i].Checks) > 0 {
				r.Rules[i].Checks[0].Message = text
			}
		}
		r.Rules = append(r.Rules, record.Rule{
			ID: "new." + text, Level: text, Statement: text, Verdict: record.Fail, Reason: text,
		})
		r.Run.Deployment, r.Run.BaseURL, r.Reason = text, text, text
		r.Observations = []record.Observation{
			{ID: "export.observed.success_status", Observed: "202"},
			{ID: "export.observed.file_state", Observed: "{status {name string, final boolean}}"},
			{ID: "both", Observed: text},
			{ID: text, Observed: text},
		}
	})
	return compared(t, before, after, 0.05)
}

func loadRuns(t testing.TB, text string) Result {
	slower := steady
	slower.median *= 1.3
	plain := func(r *results.Run) {}
	full := func(r *results.Run) {
		r.Run.Deployment, r.Run.BaseURL, r.Reason = text, text, text
		r.Violations = []results.Violation{{Rule: text, Count: 3}}
		r.Stages[0].Name = text
		r.Thresholds = []threshold.Result{{Expr: text, Observed: text}}
		r.Plan, _ = json.Marshal(map[string]any{text: text, "http": text})
	}
	return compared(t, recordRun(t, steady.run(seeded(1), 40), plain), recordRun(t, slower.run(seeded(2), 45), full),
		0.05)
}

func searches(t testing.TB, text string) Result {
	after := search(t, 200, 210, func(run map[string]any, r *capacity.Result) {
		run["reason"], run["slo"], run["verdict"] = text, []string{text}, "fail"
		run["run"] = results.Info{Deployment: text, BaseURL: text}
		run["plan"] = map[string]any{text: text}
		r.Reason, r.Unstable, r.Limit = text, []string{text}, capacity.Limit(text)
		for i := range r.Curve {
			r.Curve[i].Reason = text
		}
	})
	return compared(t, search(t, 300, 315, nil), after, 0.05)
}

// TestPagesAreWritten writes a page of each kind, with short texts and with enormous ones, into the folder that PAGES
// names. What a reader sees of them is tested in reports/browser, a module of its own, which runs this test.
func TestPagesAreWritten(t *testing.T) {
	folder := os.Getenv("PAGES")
	if folder == "" {
		folder = t.TempDir()
	}
	size := 1 << 20
	if os.Getenv("PAGES") == "" { // nobody looks at them
		size = 1 << 14
	}
	enormous := strings.Repeat(recordtest.Hostile, size/len(recordtest.Hostile)+1)
	for name, made := range map[string]func(testing.TB, string) Result{
		"conformance": conformances,
		"load":        loadRuns, "capacity": searches,
	} {
		for suffix, text := range map[string]string{"": "quite ordinary", "-hostile": enormous} {
			page, err := view.WritePage(Report(made(t, text)))
			if err == nil {
				err = os.WriteFile(filepath.Join(folder, name+suffix+".html"), page, 0o600)
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
