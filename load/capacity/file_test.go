package capacity_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

// What a probe missed is told by the thresholds of its run, not by its sentence.
func TestTheOutcomeOfARunNamesTheThresholdItMissed(t *testing.T) {
	run := results.Run{
		Verdict: results.Fail, Reason: "2 of 4 thresholds missed", Requests: results.Requests{Sent: 100, Accepted: 90},
		Statuses: map[string]int64{"429": 10}, Thresholds: []threshold.Result{
			{Expr: "p99<20ms", Observed: "9ms", OK: true},
			{Expr: "file_p95<1s", Observed: threshold.NoData},
			{Expr: "errors<1%", Observed: "10%"},
			{Expr: "achieved>=99%", Observed: "50%"},
		},
	}
	o := capacity.OutcomeOf(run)
	if o.Holds || !o.Answering || o.Reason != "errors<1%: observed 10%" || o.Trouble != "429 answers" || o.Errors != 0.1 {
		t.Errorf("%+v", o)
	}
	run.Verdict = results.Inconclusive
	if o := capacity.OutcomeOf(run); o.Reason != run.Reason {
		t.Errorf("%+v", o)
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
