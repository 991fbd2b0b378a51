package capacity_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
)

func put(t *testing.T, path string, v any) {
	t.Helper()
	data, ok := v.([]byte)
	if !ok {
		var err error
		if data, err = json.Marshal(v); err != nil {
			t.Fatal(err)
		}
	}
	must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Succeed(t, os.WriteFile(path, data, 0o600))
}

// probe is run.json of one rate.
func probe(t *testing.T, rate float64, verdict results.Verdict, partial bool) results.Run {
	t.Helper()
	p := must.Get(plan.FromFlags(plan.Setting{Flag: "slo", Values: []string{"p99<20ms"}},
		plan.Setting{Flag: "stage", Values: []string{"{rate: " +
			strconv.FormatFloat(rate, 'f', -1, 64) + "/s, for: 2s}"}}))(t)
	made := must.Get(json.Marshal(p))(t)
	at := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	return results.Run{
		Schema: results.Schema, Plan: made, Verdict: verdict, Reason: "because",
		Rate: results.Rate{Target: rate, Achieved: rate}, Requests: results.Requests{Sent: 100, Accepted: 100},
		Run: results.Info{
			ID: "x", Deployment: "staging", StartedAt: at, FinishedAt: at.Add(time.Second), Requests: 100,
			Partial: partial,
		}, Generator: results.Generator{Reliable: true},
		Thresholds: []threshold.Result{
			{Expr: "p99<20ms", Observed: "9ms", OK: true},
			{Expr: "errors<1%", Observed: "0%", OK: true},
		},
	}
}

func TestAKilledSearchIsReadFromItsProbes(t *testing.T) {
	dir := t.TempDir()
	for i, p := range []results.Run{
		probe(t, 100, results.Pass, false), probe(t, 200, results.Pass, false),
		probe(t, 400, results.Fail, false), probe(t, 400, results.Fail,
			false), probe(t, 280, results.Inconclusive, true),
	} {
		put(t, filepath.Join(dir, capacity.Name(i+1), runfolder.RunName), p)
	}
	for _, name := range []string{"missing", "torn"} {
		torn := name == "torn"
		if torn {
			put(t, filepath.Join(dir, runfolder.RunName), []byte(`{"schema": "gateassay/load-cap`))
		}
		f := must.Get(capacity.Load(dir))(t)
		if f.Capacity.Rate != 200 || f.Capacity.Low != 200 || f.Capacity.High != 400 ||
			f.Capacity.Limit != capacity.ByInterrupt || len(f.Probes) != 4 {
			t.Errorf("%s: %+v", name, f.Capacity)
		}
		if f.Verdict != results.Inconclusive || f.ExitCode() != 130 || !f.Run.Partial ||
			f.Run.Deployment != "staging" || f.Run.Requests != 500 || f.From != 100 || f.StepMS != 2000 ||
			!slices.Equal(f.SLO, []string{"p99<20ms", "errors<1%"}) {
			t.Errorf("%s: %+v", name, f)
		}
		if notes := strings.Join(f.Notes, "\n"); !strings.Contains(notes, "probe 5 was interrupted") ||
			strings.Contains(notes, "cannot be read") != torn {
			t.Errorf("%s: notes %q", name, notes)
		}
	}
}

func TestLoadRefusesWhatIsNoSearch(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":    "",
		"a load run": `{"schema": "gateassay/load/v1"}`, "garbage": "\x00\xff{",
	} {
		dir := t.TempDir()
		if text != "" {
			put(t, filepath.Join(dir, runfolder.RunName), []byte(text))
		}
		if _, err := capacity.Load(dir); err == nil || !strings.Contains(err.Error(), runfolder.RunName) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestASearchThatGoesOnKeepsWhatItFound(t *testing.T) {
	f := capacity.File{
		Schema: capacity.Schema, Plan: &plan.Plan{},
		Probes: []capacity.Trial{{Run: capacity.Run{
			Number: 1, Rate: 50,
			Outcome: capacity.Outcome{Holds: true, Answering: true},
		}}},
	}
	kept := f.Unended()
	dir := t.TempDir()
	put(t, filepath.Join(dir, runfolder.RunName), kept)
	read, err := capacity.Load(dir)
	if err != nil || read.Capacity.Rate != 50 || !read.Run.Partial || read.ExitCode() != 130 ||
		read.Verdict != results.Inconclusive {
		t.Errorf("%v, %+v", err, read)
	}
}
