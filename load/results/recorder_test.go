package results_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
	vegeta "github.com/tsenart/vegeta/v12/lib"
	"go.uber.org/goleak"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/load/traffic"
	"github.com/gateassay/gateassay/load/transport"
)

// twoStages has 1000 requests in one second and 3000 in the next.
func twoStages(t testing.TB) *schedule.Schedule {
	t.Helper()
	s, err := schedule.New(schedule.Stage{Kind: schedule.Constant, Rate: 1000, For: time.Second},
		schedule.Stage{Kind: schedule.Constant, Rate: 3000, For: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func slo(t testing.TB, exprs ...string) []threshold.Threshold {
	t.Helper()
	var list []threshold.Threshold
	for _, e := range exprs {
		parsed, err := threshold.Parse(e)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, parsed)
	}
	return list
}

func open(t testing.TB, o results.Options) *results.Recorder {
	t.Helper()
	if o.Schedule == nil {
		o.Schedule = twoStages(t)
	}
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	if o.Plan == nil {
		o.Plan = map[string]int{"seed": 7}
	}
	o.Info.ID, o.Info.Deployment = "run-1", "staging"
	r, err := results.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// result of request k, as a machine that does its work would see it.
func result(s *schedule.Schedule, k int64) *engine.Result {
	r := rand.New(rand.NewPCG(uint64(k), 9))
	service := time.Millisecond + time.Duration(r.ExpFloat64()*float64(20*time.Millisecond))
	lag := time.Duration(r.Int64N(int64(200 * time.Microsecond)))
	x := &engine.Result{K: k, Service: service, Lag: lag, Response: service + lag, Intended: s.At(k)}
	switch {
	case k%100 == 1:
		x.Verdict.Class = judge.Blocked
	case k%500 == 2:
		x.Verdict.Class = judge.ServerError
	case k%1000 == 3:
		x.Verdict = judge.Verdict{Class: judge.TransportError, Failure: judge.Reset}
	}
	return x
}

func TestARunIsRecordedWholeAndCanBeRebuilt(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir, s := t.TempDir(), twoStages(t)
	var seen int
	rec := open(t, results.Options{
		Dir: dir, Schedule: s, StageNames: []string{"warm up"}, Interval: 20 * time.Millisecond, FailOnMisblock: true,
		Thresholds: slo(t, "p99<1s", "errors<1%", "false_blocks==0", "achieved>=99%",
			"service.p50<100ms for \"warm up\"", "blocked==30 for stage 2"),
		OnInterval: func(results.Status) { seen++ },
	})
	rec.Start(time.Now())
	var wg sync.WaitGroup
	for w := range int64(4) {
		wg.Go(func() {
			for k := w; k < s.K(); k += 4 {
				rec.Record(int(k%7), result(s, k))
				if k%400 == 0 {
					time.Sleep(5 * time.Millisecond)
				}
			}
		})
	}
	wg.Wait()
	run, err := rec.Finish(results.Ending{Elapsed: 2 * time.Second, Notes: []string{"a note"}})
	if err != nil {
		t.Fatal(err)
	}
	if run.Verdict != results.Pass || results.ExitCode(run) != 0 || run.Run.Partial {
		t.Errorf("%s: %s; %+v", run.Verdict, run.Reason, run.Thresholds)
	}
	want := results.Requests{
		Scheduled: 4000, Sent: 4000, Accepted: 3948, Blocked: 40,
		ServerErrors: 8, TransportErrors: 4,
	}
	if run.Requests != want {
		t.Errorf("requests %+v", run.Requests)
	}
	if run.Rate.Target != 2000 || run.Rate.Achieved > 2000 || run.Rate.Achieved < 1999 {
		t.Errorf("rate %+v", run.Rate)
	}
	var service []time.Duration
	for k := range s.K() {
		service = append(service, result(s, k).Service)
	}
	slices.Sort(service)
	if exact := float64(service[len(service)*99/100-1]) / 1e6; run.Latency.Service.P99 < exact*0.999 ||
		run.Latency.Service.P99 > exact*1.002 {
		t.Errorf("p99 %v ms, exactly %v", run.Latency.Service.P99, exact)
	}
	if len(run.Stages) != 2 || run.Stages[0].Name != "warm up" ||
		run.Stages[0].Requests["accepted"]+run.Stages[1].Requests["accepted"] != 3948 ||
		run.Stages[1].Rate.Target != 3000 {
		t.Errorf("stages %+v", run.Stages)
	}
	if seen < 2 || run.Failures["reset"] != 4 || run.Generator.Intervals < 2 || !run.Generator.Reliable {
		t.Errorf("%d intervals, failures %v, generator %+v", seen, run.Failures, run.Generator)
	}
	written := read(t, dir, runfolder.RunName)
	again, err := results.Rebuild(dir)
	if err != nil {
		t.Fatal(err)
	}
	rebuilt, _ := again.JSON()
	if !bytes.Equal(rebuilt, written) || !bytes.Equal(read(t, dir, runfolder.RunName), written) {
		t.Errorf("rebuilt:\n%s\nrecorded:\n%s", rebuilt, written)
	}
	holdsTheContract(t, written)
	holdsTheLog(t, dir, run)
	holdsTheSeries(t, dir, run)
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// holdsTheContract looks for every key that other programs rely on.
func holdsTheContract(t *testing.T, data []byte) {
	t.Helper()
	var run map[string]any
	if err := json.Unmarshal(data, &run); err != nil {
		t.Fatal(err)
	}
	if run["schema"] != "gateassay/load/v1" {
		t.Errorf("schema %v", run["schema"])
	}
	for _, path := range []string{
		"run.id", "plan.seed", "verdict", "requests.scheduled", "requests.sent", "requests.accepted",
		"requests.blocked", "requests.false_blocks",
		"requests.missed_blocks", "requests.throttled", "requests.server_errors", "requests.transport_errors",
		"requests.malformed", "rate.target",
		"rate.achieved", "latency_ms.service.p50", "latency_ms.service.p90", "latency_ms.service.p95",
		"latency_ms.service.p99", "latency_ms.service.p99_9",
		"latency_ms.service.max", "latency_ms.service.mean", "latency_ms.response.p99", "generator.lag_p99_ms",
		"generator.cpu", "generator.reliable",
	} {
		var at any = run
		for _, key := range strings.Split(path, ".") {
			object, _ := at.(map[string]any)
			if at = object[key]; at == nil {
				t.Errorf("run.json lacks %s", path)
				break
			}
		}
	}
	if list, _ := run["thresholds"].([]any); len(list) != 6 || list[0].(map[string]any)["expr"] != "p99<1s" ||
		list[0].(map[string]any)["ok"] != true {
		t.Errorf("thresholds %v", run["thresholds"])
	}
}

// holdsTheLog reads histograms.hlog with the HdrHistogram library.
func holdsTheLog(t *testing.T, dir string, run results.Run) {
	t.Helper()
	sums := tagged(t, dir, func(h *hdr.Histogram) {
		if off := h.StartTimeMs() - run.Run.StartedAt.UnixMilli(); off < -2 || off > 2001 {
			t.Fatalf("an interval starts %d ms after the run", off)
		}
	})
	for tag, count := range map[string]int64{
		"service:accepted": 3948, "response:accepted": 3948,
		"response:blocked": 40, "service:server_error": 8, "service:transport_error": 4, "lag": 4000,
	} {
		if sums[tag] == nil || sums[tag].TotalCount() != count {
			t.Errorf("%s holds %v of %d", tag, sums[tag], count)
		}
	}
	if got, want := float64(sums["response:accepted"].ValueAtQuantile(99))/1e6,
		run.Classes["accepted"].Latency.Response.P99; got < want-0.001 || got > want+0.001 {
		t.Errorf("p99 of the log is %v ms, of run.json %v", got, want)
	}
}

func holdsTheSeries(t *testing.T, dir string, run results.Run) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(read(t, dir, results.SeriesName))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(rows)-1) != run.Generator.Intervals || !slices.Contains(rows[0], "response_p99_9_ms") {
		t.Fatalf("%d rows for %d intervals: %v", len(rows)-1, run.Generator.Intervals, rows[0])
	}
	var accepted int
	at := slices.Index(rows[0], "accepted")
	for _, row := range rows[1:] {
		var n int
		fmt.Sscan(row[at], &n)
		accepted += n
	}
	if int64(accepted) != run.Requests.Accepted {
		t.Errorf("%d accepted in the series", accepted)
	}
}

func TestATornRecordGivesWhatItHolds(t *testing.T) {
	dir, s := t.TempDir(), twoStages(t)
	rec := open(t, results.Options{Dir: dir, Schedule: s, Interval: 5 * time.Millisecond})
	rec.Start(time.Now())
	for k := range int64(300) {
		rec.Record(int(k%7), result(s, k))
		time.Sleep(100 * time.Microsecond)
	}
	if _, err := rec.Finish(results.Ending{Elapsed: 100 * time.Millisecond, Partial: true}); err != nil {
		t.Fatal(err)
	}
	whole := read(t, dir, runfolder.IntervalsName)
	head := bytes.IndexByte(whole, '\n')
	var before int64
	for cut := 0; cut < len(whole); cut += 997 {
		for _, tail := range []string{"", "\x00\x00\n"} {
			torn := t.TempDir()
			if err := os.WriteFile(filepath.Join(torn, runfolder.IntervalsName),
				append(bytes.Clone(whole[:cut]), tail...), 0o600); err != nil {
				t.Fatal(err)
			}
			run, err := results.Read(torn)
			if cut < head {
				if err == nil {
					t.Fatalf("cut at %d, inside the header: no error", cut)
				}
				continue
			}
			if err != nil || !run.Run.Partial || results.ExitCode(run) != 130 {
				t.Fatalf("cut at %d of %d: %v, %+v", cut, len(whole), err, run.Run)
			}
			if run.Requests.Sent < before {
				t.Fatalf("cut at %d: %d sent, less than with less", cut, run.Requests.Sent)
			}
			before = run.Requests.Sent
		}
	}
	if before < 250 {
		t.Errorf("only %d of 300 before the last line", before)
	}
	lines := bytes.SplitAfter(whole, []byte{'\n'})
	lost := append(bytes.Join(lines[:2], nil), bytes.Join(lines[3:], nil)...)
	if err := os.WriteFile(filepath.Join(dir, runfolder.IntervalsName), lost, 0o600); err != nil {
		t.Fatal(err)
	}
	if run, err := results.Read(dir); err != nil || !strings.Contains(strings.Join(run.Notes, " "), "lacks lines") {
		t.Errorf("a lost line: %v, %q", err, run.Notes)
	}
}

const childFolder = "GATEASSAY_TEST_RECORD"

// TestMain lets the test binary be the process that is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv(childFolder); dir != "" {
		s, err := schedule.New(schedule.Stage{Kind: schedule.Constant, Rate: 1000, For: time.Hour})
		if err != nil {
			panic(err)
		}
		rec, err := results.Open(results.Options{Dir: dir, Schedule: s, Interval: 50 * time.Millisecond, Plan: 1})
		if err != nil {
			panic(err)
		}
		rec.Start(time.Now())
		for k := int64(0); ; k++ {
			rec.Record(int(k%7), result(s, k))
			if k%100 == 0 {
				fmt.Println(k + 1)
				time.Sleep(10 * time.Millisecond)
			}
		}
	}
	os.Exit(m.Run())
}

func TestAKilledRunKeepsAllButItsLastMoments(t *testing.T) {
	dir := t.TempDir()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childFolder+"="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var sent int64
	for range 60 {
		if _, err := fmt.Fscan(out, &sent); err != nil {
			t.Fatal(err)
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(out)
	_ = child.Wait()
	for _, text := range strings.Fields(string(rest)) {
		fmt.Sscan(text, &sent)
	}
	run, err := results.Rebuild(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{runfolder.RunName, results.HistogramName, results.SeriesName} {
		read(t, dir, name)
	}
	if !run.Run.Partial || results.ExitCode(run) != 130 || run.Requests.Sent == 0 || run.Requests.Sent > sent+100 ||
		run.Verdict != results.Inconclusive {
		t.Errorf("%d recorded of about %d; %s: %s", run.Requests.Sent, sent, run.Verdict, run.Reason)
	}
}

func engineResult(k int64, class judge.Class) *engine.Result {
	x := &engine.Result{
		K: k, Verdict: judge.Verdict{Class: class}, Service: time.Millisecond, Response: 2 * time.Millisecond,
		Intended: time.Duration(k) * time.Millisecond,
		Request: &traffic.Request{
			K: k, Of: 3, Repeat: class == judge.MissedBlock, Replay: "nonce",
			Body: []byte(`{"sort":"settled_date"}`),
		},
		Exchange: &transport.Exchange{Status: 400, Answer: []byte(`{"message":"your key hunter2-hunter2 is bad"}`)},
	}
	if class == judge.FalseBlock || class == judge.MissedBlock {
		x.Verdict.Rule = "replay.nonce.first"
	}
	return x
}

func TestTheFirstBadExchangesAreKeptWithoutSecrets(t *testing.T) {
	dir := t.TempDir()
	dep := &deployment.File{
		BaseURL: "https://gateway.example",
		Credentials: deployment.Credentials{APIKey: &deployment.Credential{
			Name:   "api_key",
			Method: deployment.APIKey, Value: "hunter2-hunter2",
		}},
	}
	c, err := client.New(dep, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	rec := open(t, results.Options{
		Dir: dir, Redactor: c.Redactor(), Raw: true,
		URL: "https://gateway.example/v1?token=hunter2-hunter2", FailOnMisblock: true,
	})
	rec.Start(time.Now())
	for k := range int64(50) {
		rec.Record(int(k%3), engineResult(k, judge.FalseBlock))
		rec.Record(0, engineResult(k, judge.Accepted))
		if k < 5 {
			rec.Record(0, engineResult(k, judge.MissedBlock))
		}
	}
	run, err := rec.Finish(results.Ending{Elapsed: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if run.Verdict != results.Fail || results.ExitCode(run) != 1 ||
		!strings.Contains(run.Reason, "50 fresh requests blocked, 5 repeats accepted") ||
		len(run.Violations) != 1 || run.Violations[0].Count != 55 ||
		!strings.Contains(strings.Join(run.Notes, " "), "first 20") {
		t.Errorf("%s: %s, %v, %q", run.Verdict, run.Reason, run.Violations, run.Notes)
	}
	classes := map[string]int{}
	for l := range bytes.Lines(read(t, dir, results.ExchangesName)) {
		var x results.Exchange
		if err := json.Unmarshal(l, &x); err != nil {
			t.Fatal(err)
		}
		classes[x.Class]++
		if x.Status != 400 || !strings.Contains(x.ResponseBody, "[redacted]") ||
			len(x.RequestHeader) < 3 || x.Rule == "" {
			t.Errorf("kept %+v", x)
		}
		if x.Class == "missed_block" && (x.RepeatOf == nil || *x.RepeatOf != 3) {
			t.Errorf("a repeat of %v", x.RepeatOf)
		}
	}
	if classes["false_block"] != 20 || classes["missed_block"] != 5 || len(classes) != 2 {
		t.Errorf("kept %v", classes)
	}
	for _, name := range []string{results.ExchangesName, runfolder.IntervalsName, runfolder.RunName} {
		if bytes.Contains(read(t, dir, name), []byte("hunter2")) {
			t.Errorf("%s holds the key", name)
		}
	}
	decoder, n := vegeta.NewDecoder(bytes.NewReader(read(t, dir, results.RawName))), 0
	for {
		var r vegeta.Result
		if err := decoder.Decode(&r); err != nil {
			break
		}
		if n++; r.Code != 400 || r.Body != nil {
			t.Fatalf("vegeta reads %+v", r)
		}
	}
	if n != 105 {
		t.Errorf("vegeta reads %d results", n)
	}
}

func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		class     judge.Class
		failure   judge.Failure
		rule      string
		lag       time.Duration
		queued    bool
		exprs     []string
		ending    results.Ending
		n, good   int64 // requests, and how many of them are accepted whatever class is
		want      results.Verdict
		code      int
		says      string
		tolerated bool
	}{
		"all is well":        {n: 4000, exprs: []string{"p99<1s"}, want: results.Pass, says: "1 of 1 thresholds held"},
		"without thresholds": {n: 4000, want: results.Pass, says: "no thresholds"},
		"a missed threshold": {
			n: 4000, exprs: []string{"p99<1s", "p50<1ms"}, want: results.Fail,
			code: 1, says: "first p50<1ms: observed 5",
		},
		"a threshold without data": {
			n: 4000, exprs: []string{"missed_blocks==0"}, class: judge.Accepted,
			want: results.Fail, code: 1, says: "no data",
		},
		"nothing sent": {want: results.Inconclusive, code: 3, says: "no request was sent"},
		"nobody answers": {
			n: 4000, class: judge.TransportError, failure: judge.Refused,
			exprs: []string{"errors<1%"}, want: results.Inconclusive, code: 3, says: "answered no request",
		},
		"hardly anybody answers": {
			n: 4000, class: judge.ServerError, good: 199, exprs: []string{"errors<1%"},
			want: results.Inconclusive, code: 3, says: "199 of 4000 requests were accepted",
		},
		"everybody is throttled": {
			n: 4000, class: judge.Throttled, want: results.Inconclusive, code: 3,
			says: "0 of 4000 requests were accepted",
		},
		"some answers are usable": {
			n: 4000, class: judge.ServerError, good: 200, exprs: []string{"errors<1%"},
			want: results.Fail, code: 1, says: "first errors<1%: observed 95%",
		},
		"a false block": {
			n: 1, class: judge.FalseBlock, want: results.Fail,
			code: 1, says: "1 fresh requests blocked",
		},
		"a false block, tolerated": {n: 1, class: judge.FalseBlock, tolerated: true, want: results.Pass},
		"a broken answer": {
			n: 4000, class: judge.Malformed, rule: "export.response.file_id",
			want: results.Fail, code: 1, says: "break a documented rule",
		},
		"a late generator": {
			n: 4000, lag: time.Second, exprs: []string{"p50<1ms"},
			want: results.Inconclusive, code: 3, says: "sent late",
		},
		"late, for the limit": {
			n: 4000, lag: time.Second, queued: true,
			exprs: []string{"p50<1s"}, want: results.Pass,
		},
		"a late one, but violating": {n: 4000, lag: time.Second, class: judge.MissedBlock, want: results.Fail, code: 1},
		"no ports": {
			n: 4000, class: judge.TransportError, failure: judge.NoPorts,
			want: results.Inconclusive, code: 3,
		},
		"interrupted": {
			n: 400, exprs: []string{"p99<1s"}, ending: results.Ending{Partial: true},
			want: results.Inconclusive, code: 130, says: "interrupted",
		},
		"too slow to send all": {
			n: 2000, exprs: []string{"achieved>=99%"},
			want: results.Fail, code: 1, says: "observed 50%",
		},
	} {
		s := twoStages(t)
		rec := open(t, results.Options{Schedule: s, Thresholds: slo(t, c.exprs...), FailOnMisblock: !c.tolerated})
		rec.Start(time.Now())
		for k := range c.n {
			class := c.class
			if k < c.good {
				class = judge.Accepted
			}
			rec.Record(0, &engine.Result{
				K: k, Verdict: judge.Verdict{Class: class, Failure: c.failure, Rule: c.rule}, Lag: c.lag, Queued: c.queued,
				Service: 5 * time.Millisecond, Response: 5 * time.Millisecond, Intended: s.At(k),
			})
		}
		if c.ending.Elapsed = 2 * time.Second; c.ending.Partial {
			c.ending.Elapsed = time.Second
		}
		run, err := rec.Finish(c.ending)
		if err != nil {
			t.Fatal(err)
		}
		if run.Verdict != c.want || results.ExitCode(run) != c.code || !strings.Contains(run.Reason, c.says) {
			t.Errorf("%s: %s (%d): %s", name, run.Verdict, results.ExitCode(run), run.Reason)
		}
	}
}

func TestAnAbortRuleEndsTheRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	rule, err := threshold.ParseRule("server_errors>50% for 40ms")
	if err != nil {
		t.Fatal(err)
	}
	s, ended := twoStages(t), make(chan string, 10)
	rec := open(t, results.Options{
		Schedule: s, Interval: 10 * time.Millisecond, AbortOn: []threshold.Rule{rule},
		OnAbort: func(why string) { ended <- why },
	})
	start := time.Now()
	rec.Start(start)
	why := ""
	for k := int64(0); why == "" && k < s.K(); k++ {
		rec.Record(0, &engine.Result{
			K: k, Verdict: judge.Verdict{Class: judge.ServerError}, Service: time.Millisecond,
			Response: time.Millisecond, Intended: s.At(k),
		})
		select {
		case why = <-ended:
		case <-time.After(time.Millisecond):
		}
	}
	run, err := rec.Finish(results.Ending{Elapsed: time.Since(start), Partial: true})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(why, "observed 100%") || run.Run.Aborted != why || run.Verdict != results.Fail ||
		results.ExitCode(run) != 1 || len(ended) != 0 {
		t.Errorf("%q; %s: %s", why, run.Verdict, run.Reason)
	}
}

func TestLoad(t *testing.T) {
	dir, s := t.TempDir(), twoStages(t)
	if _, err := results.Load(filepath.Join(dir, "missing")); err == nil {
		t.Error("a missing folder was read")
	}
	if _, err := results.Load(dir); err == nil {
		t.Error("an empty folder was read")
	}
	rec := open(t, results.Options{Dir: dir, Schedule: s})
	rec.Start(time.Now())
	for k := range s.K() {
		rec.Record(int(k%7), result(s, k))
	}
	// the last answer came before the schedule's end
	want, err := rec.Finish(results.Ending{Elapsed: 1999_800 * time.Microsecond})
	if err != nil {
		t.Fatal(err)
	}
	if want.Rate.Target != 2000 || want.Rate.Achieved != 2000 || want.Stages[1].Rate.Target != 3000 {
		t.Errorf("rates %+v, %+v", want.Rate, want.Stages)
	}
	path := filepath.Join(dir, runfolder.RunName)
	for _, broken := range []string{"", "{\"schema\": \"gateassay/lo", "{}"} {
		if broken != "" {
			if err := os.WriteFile(path, []byte(broken), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, at := range []string{dir, path} {
			got, err := results.Load(at)
			if err != nil || got.Requests != want.Requests || got.Verdict != want.Verdict {
				t.Errorf("%q: %v, %+v", broken, err, got.Requests)
			}
		}
	}
	if err := os.WriteFile(path, []byte("{\"schema\": \"gateassay/conformance/v1\"}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := results.Load(dir); err == nil || !strings.Contains(err.Error(), "gateassay/conformance/v1") {
		t.Errorf("another schema: %v", err)
	}
}

func TestARunThatNeverStartedIsRecorded(t *testing.T) {
	run, err := open(t, results.Options{}).Finish(results.Ending{Partial: true})
	if err != nil || run.Verdict != results.Inconclusive || run.Requests.Sent != 0 {
		t.Errorf("%v, %+v", err, run)
	}
}

func TestAFolderWithARecordIsNotOverwritten(t *testing.T) {
	dir := t.TempDir()
	rec := open(t, results.Options{Dir: dir})
	if _, err := results.Open(results.Options{Dir: dir, Schedule: twoStages(t)}); err == nil ||
		!strings.Contains(err.Error(), "--out") {
		t.Errorf("opened twice: %v", err)
	}
	rec.Start(time.Now())
	if _, err := rec.Finish(results.Ending{}); err != nil {
		t.Error(err)
	}
}
