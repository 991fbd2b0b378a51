package browser_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/har"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/browse"
	"github.com/gateassay/gateassay/reports/compare"
	"github.com/gateassay/gateassay/reports/conformance"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/recordtest"
)

// rules returns a page of a conformance run with exchanges and a text in every possible place.
func rules(t *testing.T, run record.Run, exchanges int, text string) string {
	t.Helper()
	dir := t.TempDir()
	h := testmust.Get(har.Create(filepath.Join(dir, conformance.HARName), "gateassay", "1"))(t)
	for i := range exchanges {
		x := &client.Exchange{
			Seq: i + 1, Attempt: 1, Label: fmt.Sprintf("request %d %s", i%50, text),
			Operation: client.OperationExport,
			StartedAt: recordtest.StartTime.Add(time.Duration(i/8) * 20 * time.Millisecond),
			Service:   time.Duration(5+i%30) * time.Millisecond,
			FirstByte: time.Duration(5+i%30) * time.Millisecond,
			Recorded: client.Record{
				Method: "POST", URL: "https://gateway.staging.example/v1/exports?x=" + text,
				RequestHeader: map[string][]string{"X-Text": {text}},
				RequestBody:   []byte(`{"amount": 9007199254740993, "name": "José"}`),
				ResponseBody:  []byte(text),
			},
		}
		if x.Status = []int{201, 400, 503, 0}[i%4]; x.Status == 0 {
			x.Err = &client.Trouble{Kind: client.TroubleReset}
		}
		x.Recorded.Status = x.Status
		testmust.Succeed(t, h.Append(x))
	}
	testmust.Succeed(t, h.Close())
	html, err := conformance.Page(dir, run)
	return written(t, html, err)
}

// ruled returns a conformance run with a text in every possible place.
func ruled(text string) record.Run {
	run := recordtest.SampleRun()
	run.Run.Deployment += text
	run.Run.BaseURL, run.Run.Command, run.Reason = text, text, text
	run.Rules[0].Section = text
	return run
}

// load returns a load run of a hundred seconds with two stages.
func load(text string) (results.Run, loadreport.RunData) {
	times := results.DurationStats{P50: 10, P90: 20, P95: 25, P99: 200, P999: 250, Max: 300, Mean: 12}
	both := results.ServiceAndResponse{Service: times, Response: times}
	run := results.Run{
		Schema: results.Schema, Plan: json.RawMessage("{}"), Verdict: results.VerdictPass,
		Reason: "all thresholds held" + text,
		Run: results.RunInfo{
			ID: "load", Deployment: "staging" + text, StartedAt: recordtest.StartTime,
			FinishedAt: recordtest.StartTime.Add(100 * time.Second),
		},
		Thresholds: []threshold.Result{
			{Expr: "p99<300ms", Observed: "212ms", OK: true},
			{Expr: text, Observed: text},
		},
		Requests: results.RequestCounts{Scheduled: 6000, Sent: 6000, Accepted: 5900, ServerErrors: 100},
		Classes: map[string]results.ClassResult{
			"accepted":     {Count: 5900, Latency: both},
			"server_error": {Count: 100, Latency: both},
		},
		Rate: results.Rate{Target: 60, Achieved: 60}, Latency: both,
		Generator: results.GeneratorHealth{Reliable: true, Reason: text, LagLimit: 50},
		Stages: []results.StageResult{
			{Number: 1, Name: "climb" + text, EndMS: 40_000},
			{Number: 2, StartMS: 40_000, EndMS: 100_000},
		},
		Violations: []results.Violation{{Rule: text, Count: 3}}, Notes: []string{text},
	}
	data := loadreport.RunData{
		Exchanges: []results.Exchange{
			{Class: "server_error", Rule: text, Method: "POST", URL: text, Status: 503, RequestBody: text},
		},
	}
	for i := range 100 {
		d := new(results.Distribution)
		for n := range 60 {
			d.Record(time.Duration(10+n+i%7) * time.Millisecond)
		}
		p := loadreport.IntervalPoint{
			From: float64(i), To: float64(i + 1), Stage: 1 + i/40, Due: 60, Sent: 60, InFlight: 3, CPU: 0.2,
		}
		p.Classes[judge.ClassAccepted], p.Classes[judge.ClassServerError] = 59, 1
		p.Times = map[threshold.TimeKind]*results.Distribution{
			threshold.TimeService: d, threshold.TimeResponse: d, threshold.TimeLag: d,
		}
		data.Points = append(data.Points, p)
	}
	return run, data
}

// search returns a search that found a capacity, in requests per second.
func search(rate float64, text string) capacity.SearchRun {
	f := capacity.SearchRun{
		Schema: capacity.Schema, Verdict: results.VerdictPass, Reason: text,
		SLO: []string{"p99<300ms", text}, From: 50, To: 400, StepMS: 3000,
		Run: results.RunInfo{
			Deployment: "staging" + text, StartedAt: recordtest.StartTime,
			FinishedAt: recordtest.StartTime.Add(time.Minute),
		},
		Capacity: capacity.Estimate{
			Rate: rate, Low: rate, High: rate * 1.05, Limit: capacity.LimitedByThresholds,
			Unstable: []string{text},
		},
	}
	for i, at := range []float64{rate / 4, rate / 2, rate, rate * 1.05} {
		f.Capacity.Curve = append(f.Capacity.Curve,
			capacity.CurvePoint{Rate: at, Achieved: at, P50MS: 10, P99MS: at, Held: 1, Reason: text})
		f.Probes = append(f.Probes, capacity.Probe{
			Number: i + 1, Rate: at,
			Outcome: capacity.ProbeOutcome{
				Holds: at <= rate, Reason: text, P99: time.Duration(at) * time.Millisecond,
			},
		})
	}
	return f
}

// pages returns a page of each kind, with a text in every possible place.
func pages(t *testing.T, text string) map[string]string {
	t.Helper()
	all := map[string]string{"conformance": rules(t, ruled(text), 300, text)}
	add := func(name string, r view.Report) {
		html, err := view.WritePage(r)
		all[name] = written(t, html, err)
	}
	run, data := load(text)
	add("load", loadreport.RunReport(run, data))
	nothing := results.Run{Verdict: results.VerdictInconclusive, Reason: text}
	add("empty load", loadreport.RunReport(nothing, loadreport.RunData{}))
	add("capacity", loadreport.SearchReport(search(200, text)))
	for name, sides := range map[string][2]recorded.Run{
		"two conformance runs": {
			{Kind: recorded.KindConformance, Conformance: recordtest.CleanRun()},
			{Kind: recorded.KindConformance, Conformance: ruled(text)},
		},
		"two load runs": {{Kind: recorded.KindLoad, Load: run}, {Kind: recorded.KindLoad, Load: run}},
		"two searches": {
			{Kind: recorded.KindCapacity, Capacity: search(200, "")},
			{Kind: recorded.KindCapacity, Capacity: search(100, text)},
		},
	} {
		sides[1].RunHead = recorded.RunHead{
			Deployment: text, BaseURL: text, Verdict: text, Reason: text,
		}
		result := testmust.Get(compare.CompareRuns(sides[0], sides[1], 0.05))(t)
		add(name, compare.Report(result))
	}
	address := served(t, text)
	all["list"], all["trends"] = address+"/", address+"/trends"
	all["served report"] = address + "/run/1-conform/report.html"
	all["served searches"] = address + "/compare?a=0-capacity&b=1-capacity"
	return all
}

// served serves runs as report serve does and returns the address.
func served(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for i := range 4 {
		run, _ := load(text)
		rules := ruled(text)
		if i%2 == 0 {
			rules = recordtest.CleanRun()
		}
		at := recordtest.StartTime.Add(time.Duration(i) * 11 * time.Hour)
		run.Run.StartedAt, rules.Run.StartedAt = at, at
		for name, content := range map[string]any{
			"conform": rules, "load": run, "capacity": search(200, text),
		} {
			folder := filepath.Join(dir, fmt.Sprintf("%d-%s", i, name))
			testmust.WriteFile(t, filepath.Join(folder, runfolder.RunName), content)
		}
	}
	server := httptest.NewUnstartedServer(nil)
	h := testmust.Get(browse.Open(dir,
		browse.Options{Hosts: []string{server.Listener.Addr().String()}, Title: "runs"}))(t)
	server.Config.Handler = h
	server.Start()
	t.Cleanup(func() {
		server.Close()
		_ = h.Close()
	})
	return server.URL
}
