package results_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
	"go.uber.org/goleak"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/traffic"
)

// twoStages has 1000 requests in one second and 3000 in the next.
func twoStages(t testing.TB) *schedule.Schedule {
	t.Helper()
	warm := schedule.Stage{Name: "warm up", From: 1000, To: 1000, For: time.Second}
	return testmust.Get(schedule.New(warm, schedule.ConstantStage(3000, time.Second)))(t)
}

func open(t testing.TB, o results.Config) *results.Recorder {
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
	return testmust.Get(results.OpenRecorder(o))(t)
}

// result returns a plausible result of request k on a machine that keeps up.
func result(s *schedule.Schedule, k int64) *engine.RequestResult {
	r := rand.New(rand.NewPCG(uint64(k), 9))
	service := time.Millisecond + time.Duration(r.ExpFloat64()*float64(20*time.Millisecond))
	lag := time.Duration(r.Int64N(int64(200 * time.Microsecond)))
	x := &engine.RequestResult{
		K: k, Service: service, Lag: lag, Response: service + lag, Intended: s.DueAt(k), Status: 201,
		Body: []byte("0123456789"), Request: &traffic.Request{Body: []byte("01234")},
	}
	switch {
	case k%100 == 1:
		x.Judgement.Class, x.Status = judge.ClassBlocked, 409
	case k%500 == 2:
		x.Judgement.Class, x.Status = judge.ClassServerError, 503
	case k%1000 == 3:
		x.Judgement = judge.Judgement{Class: judge.ClassTransportError, Failure: judge.FailureReset}
		x.Status, x.Body = 0, nil
	}
	return x
}

func TestARunIsRecordedWholeAndCanBeRebuilt(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir, s := t.TempDir(), twoStages(t)
	var seen int
	rec := open(t, results.Config{
		Dir: dir, Schedule: s, Interval: 20 * time.Millisecond, FailOnMisblock: true,
		Thresholds: []string{
			"p99<1s", "errors<1%", "false_blocks==0", "achieved>=99%",
			"service.p50<100ms for \"warm up\"", "blocked==30 for stage 2",
		},
		OnInterval: func(results.Status) { seen++ },
	})
	rec.Start(time.Now(), nil)
	var wg sync.WaitGroup
	for w := range int64(4) {
		wg.Go(func() {
			for k := w; k < s.RequestCount(); k += 4 {
				rec.Record(result(s, k))
				if k%400 == 0 {
					time.Sleep(5 * time.Millisecond)
				}
			}
		})
	}
	wg.Wait()
	run := finish(t, rec, results.RunEnd{Elapsed: 2 * time.Second, Notes: []string{"a note"}})
	if run.Verdict != results.VerdictPass || results.ExitCode(run) != 0 || run.Run.Partial {
		t.Errorf("%s: %s; %+v", run.Verdict, run.Reason, run.Thresholds)
	}
	want := results.RequestCounts{
		Scheduled: 4000, Sent: 4000, Accepted: 3948, Blocked: 40, ServerErrors: 8, TransportErrors: 4,
	}
	testmust.Equal(t, run.Requests, want, "requests")
	if text := fmt.Sprint(run.Codes, run.Statuses,
		run.Bytes); text != "map[201:3948 409:40 503:8] map[503:8] {39960 20000}" {
		t.Errorf("statuses and bytes %s", text)
	}
	if run.Rate.Target != 2000 || run.Rate.Achieved > 2000 || run.Rate.Achieved < 1999 {
		t.Errorf("rate %+v", run.Rate)
	}
	var service []time.Duration
	for k := range s.RequestCount() {
		service = append(service, result(s, k).Service)
	}
	slices.Sort(service)
	if exact := float64(service[len(service)*99/100-1]) / 1e6; run.Latency.Service.P99 < exact*0.999 ||
		run.Latency.Service.P99 > exact*1.002 {
		t.Errorf("p99 %v ms, exactly %v", run.Latency.Service.P99, exact)
	}
	if len(run.Stages) != 2 || run.Stages[0].Name != "warm up" ||
		run.Stages[0].Requests["accepted"] != 987 || run.Stages[1].Requests["accepted"] != 2961 ||
		run.Stages[1].Rate.Target != 3000 {
		t.Errorf("stages %+v", run.Stages)
	}
	if seen < 2 || run.Failures["reset"] != 4 || run.Generator.Intervals < 2 ||
		!run.Generator.Reliable && run.Generator.Saturated == 0 { // the machine may be busy
		t.Errorf("%d intervals, failures %v, generator %+v", seen, run.Failures, run.Generator)
	}
	written := read(t, dir, runfolder.RunName)
	again := testmust.Get(results.ReadRun(dir))(t)
	if rebuilt, _ := again.JSON(); !bytes.Equal(rebuilt, written) {
		t.Errorf("rebuilt:\n%s\nrecorded:\n%s", rebuilt, written)
	}
	holdsTheLog(t, dir, run)
	holdsTheSeries(t, dir, run)
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	return testmust.Get(os.ReadFile(filepath.Join(dir, name)))(t)
}

func finish(t *testing.T, rec *results.Recorder, e results.RunEnd) results.Run {
	t.Helper()
	return testmust.Get(rec.Finish(e))(t)
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
		"response:blocked": 40, "service:server_error": 8, "service:transport_error": 4,
		"lag": 4000,
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
	rows := testmust.Get(csv.NewReader(bytes.NewReader(read(t, dir, results.SeriesName))).ReadAll())(t)
	if int64(len(rows)-1) != run.Generator.Intervals ||
		!slices.Contains(rows[0], "response_p99_9_ms") {
		t.Fatalf("%d rows for %d intervals: %v", len(rows)-1, run.Generator.Intervals, rows[0])
	}
	var accepted int
	at := slices.Index(rows[0], "accepted")
	for _, row := range rows[1:] {
		var n int
		fmt.Sscan(row[at], &n)
		accepted += n
	}
	testmust.Equal(t, int64(accepted), run.Requests.Accepted, "accepted in the series")
}

func TestATornRecordGivesWhatItHolds(t *testing.T) {
	dir, s := t.TempDir(), twoStages(t)
	rec := open(t, results.Config{Dir: dir, Schedule: s, Interval: 5 * time.Millisecond})
	rec.Start(time.Now(), nil)
	for k := range int64(300) {
		rec.Record(result(s, k))
		time.Sleep(100 * time.Microsecond)
	}
	finish(t, rec, results.RunEnd{Elapsed: 100 * time.Millisecond, Partial: true})
	whole := read(t, dir, runfolder.IntervalsName)
	head := bytes.IndexByte(whole, '\n')
	var before int64
	for cut := 0; cut < len(whole); cut += 1 + len(whole)/12 {
		for _, tail := range []string{"", "\x00\x00\n"} {
			torn := t.TempDir()
			testmust.WriteFile(t, filepath.Join(torn, runfolder.IntervalsName), string(whole[:cut])+tail)
			run, err := results.ReadRun(torn)
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
	lastLine := bytes.LastIndexByte(bytes.TrimSuffix(whole, []byte("\n")), '\n') + 1
	torn := t.TempDir()
	testmust.WriteFile(t, filepath.Join(torn, runfolder.IntervalsName), string(whole[:lastLine]))
	if run, err := results.ReadRun(torn); err != nil || run.Requests.Sent < before || before == 0 {
		t.Errorf("%d sent by the last cut, %d before the last line: %v", before, run.Requests.Sent, err)
	}
}

// A run stopped before its first request has only the figures of its plan, also when it is read
// again. A run that never started is recorded, too.
func TestARunThatSentNothing(t *testing.T) {
	dir := t.TempDir()
	rec := open(t, results.Config{Dir: dir})
	rec.Start(time.Now().Add(time.Minute), func() (int64, int64) { return 0, 0 })
	stopped := finish(t, rec, results.RunEnd{Partial: true})
	never := finish(t, open(t, results.Config{}), results.RunEnd{Partial: true})
	for _, r := range []results.Run{stopped, testmust.Get(results.ReadRun(dir))(t), never} {
		if r.Rate.Target != 2000 || r.Rate.Achieved != 0 || len(r.Stages) != 0 ||
			r.Generator.CPU > float64(r.Generator.CPUs) || r.Run.FinishedAt.Before(r.Run.StartedAt) ||
			r.Verdict != results.VerdictInconclusive || r.Requests.Scheduled != 4000 ||
			r.Requests.Sent != 0 {
			t.Errorf("%s, %+v, %+v, %+v, %+v", r.Verdict, r.Run, r.Rate, r.Requests, r.Generator)
		}
	}
}
