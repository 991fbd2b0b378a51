package engine_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
)

// histograms is a sink with a shard of HDR histograms for each worker.
type histograms struct{ shards []*measured }

type measured struct {
	service, response, lag *hdrhistogram.Histogram
	classes                [judge.NumClasses]int64
	_                      [64]byte
}

func newHistograms(workers int) *histograms {
	h := &histograms{}
	for range workers {
		h.shards = append(h.shards, &measured{service: newHistogram(), response: newHistogram(), lag: newHistogram()})
	}
	return h
}

func newHistogram() *hdrhistogram.Histogram { return hdrhistogram.New(1, int64(time.Minute), 2) }

func (h *histograms) Record(shard int, r *engine.Result) {
	m := h.shards[shard]
	m.service.RecordValue(int64(r.Service))
	m.response.RecordValue(int64(r.Response))
	m.lag.RecordValue(int64(max(r.Lag, 0)))
	m.classes[r.Verdict.Class]++
}

func (h *histograms) accepted() (n int64) {
	for _, m := range h.shards {
		n += m.classes[judge.Accepted]
	}
	return n
}

// elsewhere starts the target in a process of its own, so that CPU time here is the generator's alone.
func elsewhere(b *testing.B, how ...string) string {
	b.Helper()
	self := must.Get(os.Executable())(b)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), serveVariable+"="+strings.Join(append(how, "on"), " "))
	cmd.Stderr = os.Stderr
	in := must.Get(cmd.StdinPipe())(b)
	out := must.Get(cmd.StdoutPipe())(b)
	must.Succeed(b, cmd.Start())
	b.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	line := must.Get(bufio.NewReader(out).ReadString('\n'))(b)
	return strings.TrimSpace(line)
}

func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// perRequest runs n requests and reports rate and CPU time of each.
func perRequest(b *testing.B, requests func(n int64)) {
	b.Helper()
	b.ReportAllocs()
	b.ResetTimer()
	used, began := cpu(), time.Now()
	requests(int64(b.N))
	took := time.Since(began)
	b.ReportMetric(float64(b.N)/took.Seconds(), "requests/s")
	b.ReportMetric(float64((cpu()-used).Nanoseconds())/1e3/float64(b.N), "cpu-µs/request")
}

const connections = 64

func BenchmarkDirect(b *testing.B) { saturated(b, engine.Direct) }

func BenchmarkDirectTLS(b *testing.B) { saturated(b, engine.Direct, "tls") }

func BenchmarkVegetaEngine(b *testing.B) { saturated(b, engine.Vegeta) }

func BenchmarkVegetaEngineTLS(b *testing.B) { saturated(b, engine.Vegeta, "tls") }

func saturated(b *testing.B, name engine.Name, how ...string) {
	origin := elsewhere(b, how...)
	sink := newHistograms(connections)
	perRequest(b, func(n int64) {
		o, _ := options(b, origin, constant(b, 500_000, time.Duration(n)*2*time.Microsecond), 0)
		o.Name, o.Sink, o.MaxInFlight = name, sink, connections
		run(b, context.Background(), o)
	})
	if got := sink.accepted(); got != int64(b.N) {
		b.Errorf("%d of %d accepted", got, b.N)
	}
}

// BenchmarkFixedRate shows how late requests begin at a rate far from the limit; one iteration is one request.
func BenchmarkFixedRate(b *testing.B) {
	for _, c := range []struct {
		name string
		eng  engine.Name
		rate float64
	}{
		{"direct-2000", engine.Direct, 2000},
		{"direct-5000", engine.Direct, 5000},
		{"vegeta-5000", engine.Vegeta, 5000},
	} {
		b.Run(c.name, func(b *testing.B) {
			origin := elsewhere(b)
			s := constant(b, c.rate, 2*time.Second)
			o, _ := options(b, origin, s, 0)
			o.Name = c.eng
			used := cpu()
			var sum engine.Summary
			lags := newHistogram()
			for b.Loop() {
				sink := newHistograms(64)
				o.Sink, o.MaxWorkers = sink, 64
				sum = run(b, context.Background(), o)
				for _, m := range sink.shards {
					lags.Merge(m.lag)
				}
			}
			b.ReportMetric(float64(lags.ValueAtQuantile(50))/1e3, "lag-p50-µs")
			b.ReportMetric(float64(lags.ValueAtQuantile(99))/1e3, "lag-p99-µs")
			b.ReportMetric(float64((cpu()-used).Nanoseconds())/1e3/float64(int64(b.N)*sum.Sent), "cpu-µs/request")
		})
	}
}
