package results_test

import (
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/schedule"
)

// BenchmarkTenMillionResults records ten million results and prints the resident memory after one million and after
// all, and the CPU time that a result costs.
func BenchmarkTenMillionResults(b *testing.B) {
	const all, workers = 10_000_000, 8
	for b.Loop() {
		s, err := schedule.New(schedule.Stage{Kind: schedule.Constant, Rate: 100_000, For: 100 * time.Second})
		if err != nil {
			b.Fatal(err)
		}
		rec := open(b, results.Options{Schedule: s, Interval: 25 * time.Millisecond})
		start := time.Now()
		rec.Start(start)
		feed := func(from, to int64) {
			var wg sync.WaitGroup
			for w := range int64(workers) {
				wg.Go(func() {
					r := rand.New(rand.NewPCG(uint64(from), uint64(w)))
					for k := from + w; k < to; k += workers {
						d := time.Duration(r.Uint64()>>uint(32+r.Uint64()%16)) + time.Millisecond
						x := engine.Result{
							K: k, Service: d, Response: d + 1000, Lag: time.Duration(k & 0xffff),
							Intended: time.Duration(k) * 10_000,
						}
						if k%100 == 0 {
							x.Verdict.Class = judge.Blocked
						}
						rec.Record(int(w), &x)
					}
				})
			}
			wg.Wait()
		}
		feed(0, all/10)
		early := resident(b)
		feed(all/10, all)
		late := resident(b)
		b.ReportMetric(float64(time.Since(start).Nanoseconds())*float64(runtime.GOMAXPROCS(0))/all, "cpu-ns/result")
		b.ReportMetric(early, "MiB-after-1M")
		b.ReportMetric(late, "MiB-after-10M")
		run, err := rec.Finish(results.Ending{Elapsed: 100 * time.Second})
		if err != nil || run.Requests.Sent != all {
			b.Fatal(err, run.Requests.Sent)
		}
		if late > 64 {
			b.Errorf("%.0f MiB resident", late)
		}
	}
}

// resident memory of the process in MiB; 0 where the system does not say.
func resident(b *testing.B) float64 {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if text, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "kB")))
			if err != nil {
				b.Fatal(err)
			}
			return float64(kib) / 1024
		}
	}
	return 0
}

func TestAddingAResultAllocatesNothing(t *testing.T) {
	rec := open(t, results.Options{})
	x := engineResult(5, judge.Accepted)
	rec.Record(1, x)
	if n := testing.AllocsPerRun(200, func() { rec.Record(1, x) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	rec.Start(time.Now())
	finish(t, rec, results.Ending{})
}
