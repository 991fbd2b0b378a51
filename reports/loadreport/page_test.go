package loadreport

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/view"
)

// folder records a small run with two stages, a hostile text, and answers of several classes.
func folder(t *testing.T) (string, results.Run) {
	t.Helper()
	dir := t.TempDir()
	s := testmust.Get(schedule.New(
		schedule.Stage{
			Name: "</script><script>alert(1)</script>", From: 100, To: 100, For: time.Second,
		},
		schedule.Stage{Name: "late", From: 200, To: 200, For: time.Second}))(t)
	rec := testmust.Get(results.OpenRecorder(results.Config{
		Dir: dir, Schedule: s, Interval: 20 * time.Millisecond, FailOnMisblock: true,
		Info: results.RunInfo{Deployment: "<b>staging</b>"},
	}))(t)
	rec.Start(time.Now(), nil)
	for k := range int64(300) {
		var verdict judge.Judgement
		if k%50 == 49 {
			verdict = judge.Judgement{Class: judge.ClassMissedBlock, Rule: "replay.none.same"}
		}
		rec.Record(&engine.RequestResult{
			K: k, Judgement: verdict, Service: time.Duration(k+1) * time.Millisecond,
			Response: time.Duration(k+2) * time.Millisecond, Lag: time.Millisecond,
			Intended: s.DueAt(k),
		})
	}
	run := testmust.Get(rec.Finish(results.RunEnd{
		Elapsed: 2 * time.Second, Notes: []string{"<img src=x onerror=alert(2)>"},
	}))(t)
	line := testmust.Get(json.Marshal(results.Exchange{
		K: 7, Class: "missed_block", Rule: "replay.none.same", Method: "POST", URL: "http://x/<i>",
		Status: 201, RequestBody: `{"a":"</pre><script>alert(3)</script>"}`,
	}))(t)
	text := strings.Repeat(string(line)+"\n", 7)
	testmust.WriteFile(t, filepath.Join(dir, results.ExchangesName), text+`{"k": 8, "torn`)
	return dir, run
}

func TestThePageHoldsTheRun(t *testing.T) {
	dir, run := folder(t)
	page := written(t, run, testmust.Get(ReadRunData(dir))(t))
	for _, want := range []string{
		"FAIL", "replay.none.same", "missed block",
		"&lt;b&gt;staging", "late", "uPlot 1.6.32", "Permission is hereby granted", "2 more are in",
	} {
		testmust.Contain(t, page, want)
	}
	for _, bad := range []string{"<script>alert", "<img src=x", "<b>staging"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q unescaped", bad)
		}
	}
	if found := regexp.MustCompile(`(?i)(src|href)\s*=\s*["']?(https?:)?//|@import|url\(`).FindString(
		page); found != "" {
		t.Errorf("the page loads something: %q", found)
	}
	_, after, _ := strings.Cut(page, `id="plotted">`)
	text, _, _ := strings.Cut(after, "</script>")
	var drawn []struct {
		ID     string    `json:"id"`
		At     []float64 `json:"at"`
		Series []struct {
			Label      string
			At, Values []*float64
		}
		Marks []plot.Mark
	}
	testmust.Succeed(t, json.Unmarshal([]byte(text), &drawn))
	for _, f := range drawn {
		switch {
		case f.ID == "distribution":
			at, q := f.Series[0].At, f.Series[0].Values
			if last := *q[len(q)-1]; last < 300 || last > 303 {
				t.Errorf("the distribution ends at %g ms", last)
			}
			for i := 1; i < len(q); i++ {
				if *at[i] <= *at[i-1] || *q[i] < *q[i-1] {
					t.Errorf("the distribution falls at %g", *at[i])
				}
			}
		case len(f.At) == 0 || len(f.Marks) != 2 || f.Marks[0].To != 1 || f.Marks[1].From != 1:
			t.Errorf("%s has %d points and stages %v", f.ID, len(f.At), f.Marks)
		case f.ID == "answers" && len(f.Series) != 2:
			t.Errorf("answers of %d classes are drawn, not of 2", len(f.Series))
		}
		for _, s := range f.Series {
			if s.At == nil && len(s.Values) != len(f.At) {
				t.Errorf("%s %s has %d values at %d points", f.ID, s.Label, len(s.Values),
					len(f.At))
			}
		}
	}
	if len(drawn) < 7 {
		t.Errorf("%d plots", len(drawn))
	}
	if _, err := ReadRunData(t.TempDir()); err == nil {
		t.Error("an empty folder was read")
	}
}

// A run without requests has no plots, and no verdict on the generator.
func TestARunWithoutARequestDrawsNothing(t *testing.T) {
	run := results.Run{
		Verdict: results.VerdictInconclusive, Reason: "no request was sent",
		Run:      results.RunInfo{Partial: true},
		Requests: results.RequestCounts{Scheduled: 160},
		Rate:     results.Rate{Target: 40}, Generator: results.GeneratorHealth{Reliable: true, CPUs: 2},
		Thresholds: []threshold.Result{
			{Expr: "p99<300ms", Observed: threshold.NoData, Reason: "no request was sent"},
		},
	}
	page := written(t, run, RunData{Points: []IntervalPoint{{To: 0.5}}})
	for _, want := range []string{
		"INCONCLUSIVE", "None of 160 requests sent", "no request was sent.</p>",
		">open</span>",
	} {
		testmust.Contain(t, page, want)
	}
	for _, empty := range []string{
		`id="plot-rate"`, `id="generator"`, ">reliable<",
		"0 ms", ">0/s", " 0/s", ">missed<", "describe the deployment",
	} {
		if strings.Contains(page, empty) {
			t.Errorf("the page holds %q", empty)
		}
	}
}

func written(t *testing.T, run results.Run, data RunData) string {
	t.Helper()
	return string(testmust.Get(view.WritePage(RunReport(run, data)))(t))
}
