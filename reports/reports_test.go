package reports_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/recordtest"
)

// runs returns a run of each kind; the search was cut off.
func runs(t *testing.T) map[recorded.Kind]string {
	t.Helper()
	dir := t.TempDir()
	testmust.WriteFile(t, filepath.Join(dir, "conform", "run.json"), recordtest.SampleRun())
	run := results.Run{
		Schema: results.Schema,
		Run:    results.RunInfo{ID: "l", Deployment: "staging", StartedAt: recordtest.StartTime},
		Plan:   json.RawMessage("{}"), Verdict: results.VerdictPass,
		Rate:      results.Rate{Target: 100, Achieved: 100},
		Requests:  results.RequestCounts{Sent: 10, Accepted: 10},
		Generator: results.GeneratorHealth{Reliable: true},
	}
	testmust.WriteFile(t, filepath.Join(dir, "load", "run.json"), run)
	testmust.WriteFile(t, filepath.Join(dir, "search", "probes", "001", "run.json"), run)
	testmust.WriteFile(t, filepath.Join(dir, "search", "run.json"), map[string]any{
		"schema": capacity.Schema, "run": map[string]any{"partial": true},
		"verdict": "inconclusive", "probes": []map[string]any{{"number": 1, "rate": 100}},
	})
	return map[recorded.Kind]string{
		recorded.KindConformance: filepath.Join(dir, "conform"),
		recorded.KindLoad:        filepath.Join(dir, "load"),
		recorded.KindCapacity:    filepath.Join(dir, "search"),
	}
}

func render(t *testing.T, path string, f reports.Format) ([]byte, error) {
	t.Helper()
	run := testmust.Get(recorded.Open(path))(t)
	return reports.Render(run, f)
}

func TestEachKindHasItsForms(t *testing.T) {
	begins := map[reports.Format]string{
		reports.FormatMarkdown: "#", reports.FormatJSON: "{",
		reports.FormatHTML: "<!DOCTYPE html>", reports.FormatJUnit: "<?xml",
	}
	for kind, dir := range runs(t) {
		for f, start := range begins {
			data, err := render(t, dir, f)
			if f == reports.FormatJUnit && kind == recorded.KindCapacity {
				if !errors.Is(err, reports.ErrFormat) {
					t.Errorf("%s has a form %s: %v", kind, f, err)
				}
				continue
			}
			if err != nil || !bytes.HasPrefix(data, []byte(start)) {
				t.Errorf("%s, %s: %v %.60s", kind, f, err, data)
			}
		}
	}
}
