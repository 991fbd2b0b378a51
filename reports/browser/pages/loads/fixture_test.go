package loads_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/browser/browsertest"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

// recorded records a run of two stages with answers of several classes into a folder. text stands wherever a text can.
func recorded(t *testing.T, dir, text string, slo ...string) results.Run {
	t.Helper()
	s, err := schedule.New(schedule.Stage{Name: "climb", Kind: schedule.Ramp, From: 50, To: 200, For: time.Second},
		schedule.Stage{Name: "hold", Kind: schedule.Constant, Rate: 200, For: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	thresholds := make([]threshold.Threshold, len(slo))
	for i, expr := range slo {
		if thresholds[i], err = threshold.Parse(expr); err != nil {
			t.Fatal(err)
		}
	}
	rec, err := results.Open(results.Options{
		Dir: dir, Schedule: s, StageNames: []string{"climb " + text, "hold"},
		Interval: 20 * time.Millisecond, FailOnMisblock: true, Thresholds: thresholds,
		Info: results.Info{
			ID: "5d2c-" + text, Deployment: "staging" + text, BaseURL: "https://gateway.example/" + text,
			Command: "gateassay load run " + text, Engine: "direct", File: "staging.yaml",
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	rec.Start(time.Now())
	for k := range s.K() {
		r := engine.Result{
			K: k, Service: time.Duration(2+k%7) * time.Millisecond, Response: time.Duration(3+k%9) * time.Millisecond,
			Lag: 50 * time.Microsecond, Intended: s.At(k),
		}
		switch {
		case k%50 == 49:
			r.Verdict.Class = judge.Blocked
		case k%90 == 89:
			r.Verdict.Class, r.Service, r.Response = judge.ServerError, 40*time.Millisecond, 40*time.Millisecond
		}
		rec.Record(0, &r)
	}
	run, err := rec.Finish(results.Ending{Elapsed: 2 * time.Second, Notes: []string{"a note " + text}})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// searched writes a search for the capacity with its probes into a folder; text stands wherever a text can.
func searched(t *testing.T, dir, text string) capacity.File {
	t.Helper()
	of := func(number int, rate float64, holds bool, p99 time.Duration) capacity.Trial {
		o := capacity.Outcome{Holds: holds, Answering: true, Achieved: rate, P50: p99 / 5, P99: p99}
		if !holds {
			o.Reason = "p99<20ms missed " + text
		}
		return capacity.Trial{
			Run:    capacity.Run{Number: number, Rate: rate, Outcome: o},
			Folder: "../../elsewhere/" + text,
		}
	}
	f := capacity.File{
		Schema: capacity.Schema, Run: results.Info{
			ID: "9f-" + text, Deployment: "staging" + text,
			BaseURL: text, Command: text, File: "staging.yaml", StartedAt: recordtest.Start,
			FinishedAt: recordtest.Start.Add(time.Minute),
		},
		Plan: &plan.Plan{Name: text, SLO: []string{"p99<20ms"}}, Verdict: results.Pass, Reason: "260/s fails " + text,
		SLO: []string{"p99<20ms"}, From: 100, To: 800, StepMS: 2000, Notes: []string{text},
		Probes: []capacity.Trial{
			of(1, 100, true, 5*time.Millisecond), of(2, 200, true, 6*time.Millisecond),
			of(3, 400, false, 300*time.Millisecond), of(4, 400, false, 250*time.Millisecond), of(5, 260,
				false, 30*time.Millisecond), of(6, 260, false, 28*time.Millisecond),
			of(7, 200, true, 7*time.Millisecond),
		},
	}
	f.Capacity = capacity.Summarise([]capacity.Run{
		f.Probes[0].Run, f.Probes[1].Run,
		f.Probes[2].Run, f.Probes[3].Run, f.Probes[4].Run, f.Probes[5].Run, f.Probes[6].Run,
	}, text)
	f.Capacity.Unstable = []string{text}
	f.Confidence = capacity.Confidence{Held: f.Capacity.Confirmations, Low: f.Capacity.Low, High: f.Capacity.High}
	data, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{runfolder.RunName: data} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	probe := filepath.Join(dir, "probes", "001")
	if err := os.MkdirAll(probe, 0o755); err != nil {
		t.Fatal(err)
	}
	recorded(t, probe, text, "p99<20ms")
	if err := os.WriteFile(filepath.Join(probe, "report.html"), []byte("<!DOCTYPE html><title>probe</title>"),
		0o600); err != nil {
		t.Fatal(err)
	}
	return f
}

// pages are the reports that the tests look at: a run, one that recorded nothing, and a search, each from its folder.
func pages(t *testing.T, text string) map[string]string {
	t.Helper()
	run, search := t.TempDir(), t.TempDir()
	recorded(t, run, text, "p99<30ms", "service.p50<20ms for 2", "errors<0.1%", "achieved>=99%")
	x := results.Exchange{
		K: 7, Class: "server_error", Rule: text, Method: "POST", URL: text, Status: 503,
		RequestHeader: []results.Header{{Name: text, Value: text}}, RequestBody: text, ResponseBody: text, Detail: text,
	}
	line, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(run, results.ExchangesName), append(line, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	loaded, err := page(run)
	all := map[string]string{"run": browsertest.Written(t, loaded, err)}
	empty, err := view.WritePage(loadreport.Run(results.Run{
		Verdict: results.Inconclusive,
		Reason:  "no request was sent" + text, Notes: []string{text},
	}, loadreport.Data{}))
	all["empty run"] = browsertest.Written(t, empty, err)
	searched(t, search, text)
	found, err := searchPage(search)
	all["search"] = browsertest.Written(t, found, err)
	none, err := view.WritePage(loadreport.Search(capacity.File{
		Verdict: results.Inconclusive,
		Reason:  text, Run: results.Info{Partial: true},
	}))
	all["empty search"] = browsertest.Written(t, none, err)
	return all
}

// page is that of a load run from what is in its folder.
func page(dir string) ([]byte, error) {
	run, err := results.Load(dir)
	if err != nil {
		return nil, err
	}
	return view.WritePage(loadreport.Opened(dir, run))
}

// searchPage is the page of a search from what is in its folder.
func searchPage(dir string) ([]byte, error) {
	found, err := capacity.Load(dir)
	if err != nil {
		return nil, err
	}
	return view.WritePage(loadreport.Search(found))
}
