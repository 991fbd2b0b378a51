package bench

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/gateassay/gateassay/bench/peers"
	"github.com/gateassay/gateassay/bench/sink"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
)

// BenchmarkLoadLag runs busy loops on the CPUs while it tests p99<8ms at 200 requests per
// second. A fast target must not fail because of send lag, and a slow target must still fail.
func BenchmarkLoadLag(b *testing.B) {
	const limit, quick = 8, 3 * time.Millisecond
	n, length := rounds(10, 3*time.Second)
	s, tools := newStage(b, both())
	for b.Loop() {
		fmt.Printf("\n| target | runs | pass | fail | inconclusive | lag p99, ms | service p99, " +
			"ms |\n|---|---|---|---|---|---|---|\n")
		accused, missed := 0, 0
		for _, c := range []struct {
			name   string
			rounds int
			target sink.Options
		}{
			{"answers after 3 ms", n, sink.Options{Delay: quick}},
			{"answers after 20 ms", max(1, n/4), sink.Options{Delay: 20 * time.Millisecond}},
			{"stalls for 400 ms", max(1, n/4), sink.Options{
				Delay: quick, StallAt: length / 3, StallFor: 400 * time.Millisecond,
			}},
		} {
			f, found, runs := figures{}, map[results.Verdict]int{}, c.rounds*2*len(tools)
			for i := range runs {
				end := testmust.Get(peers.BusyCPUs(b.Context(), 2+i/len(tools)%2))(b)
				r, _ := s.alone(tools[i%len(tools)],
					peers.Job{
						For: length, Rate: 200, Thresholds: []string{fmt.Sprintf("p99<%dms", limit)},
					}, c.target)
				end()
				verdict, service := r.Run.Verdict, r.Run.Latency.Service.P99
				found[verdict]++
				f.add("", "lag", r.Run.Generator.LagP99MS)
				f.add("", "service", service)
				if verdict == results.VerdictFail && service < limit {
					accused++
				} else if verdict != results.VerdictFail && c.target != (sink.Options{Delay: quick}) {
					missed++
				}
			}
			fmt.Printf("| %s | %d | %d | %d | %d | %.1f | %.1f |\n", c.name, runs,
				found[results.VerdictPass], found[results.VerdictFail],
				found[results.VerdictInconclusive], f.median("", "lag"), f.median("", "service"))
		}
		goal("no failure that service time does not carry", float64(accused), accused == 0)
		goal("no slow target missed", float64(missed), missed == 0)
	}
}

// BenchmarkLoadMemory measures the peak memory of our generator with each engine over a million
// requests, or ten million with -ten-million. One in a hundred is a deliberate repeat.
func BenchmarkLoadMemory(b *testing.B) {
	s, tools := newStage(b, both())
	srv := s.start(sink.Options{})
	defer srv.Close()
	millions := []int{1}
	if *tenMillion {
		millions = append(millions, 10)
	}
	for b.Loop() {
		f := figures{}
		var columns []column
		for _, n := range millions {
			title := fmt.Sprintf("MiB at most, %d million requests", n)
			columns = append(columns, column{title, title, "%.1f"})
			for _, t := range tools { // an unreachable rate
				r := s.run(t, peers.Job{
					Rate: 200_000, For: time.Duration(n) * 5 * time.Second, InFlight: connections,
					Repeats: 0.01,
				}, srv)
				f.add(t.Name, title, r.PeakMiB)
				goal(fmt.Sprintf("%s: under 64 MiB over %d million requests", t.Name, n), r.PeakMiB,
					r.PeakMiB < 64)
				b.ReportMetric(r.PeakMiB, fmt.Sprintf("MiB-%dM", n))
			}
		}
		f.print("Memory, one in a hundred a repeat", tools, columns)
	}
}

// Names of the tools that goals compare.
const (
	ours   = "gateassay"
	direct = "gateassay --engine direct"
	vegeta = "vegeta"
	wrk    = "wrk"
)

// both returns our generator with each engine.
func both() []peers.Tool {
	return []peers.Tool{peers.OurGenerator(ours, "vegeta", 0), peers.OurGenerator(direct, "direct", 0)}
}

// BenchmarkLoadMaximum lets each generator send as fast as it can over 64 connections to a
// target that answers at once, over HTTP and HTTPS. Our engines make a new request each time,
// judge every answer and record every result.
func BenchmarkLoadMaximum(b *testing.B) {
	for _, c := range []struct {
		name   string
		target sink.Options
	}{{"HTTP", sink.Options{}}, {"HTTPS", sink.Options{TLS: true}}} {
		b.Run(c.name, func(b *testing.B) {
			n, length := rounds(5, 3*time.Second)
			s, tools := newStage(b,
				append(both(), peers.VegetaCLI(vegeta, 0), peers.WrkWithFreshIDs(), peers.Wrk(wrk)))
			srv := s.start(c.target)
			defer srv.Close()
			for b.Loop() {
				f := figures{}
				for range n {
					for _, t := range tools {
						r := s.run(t, peers.Job{For: length, InFlight: connections}, srv)
						f.add(t.Name, "rate", float64(r.requests)/length.Seconds())
						f.add(t.Name, "cpu", r.CPU.Seconds()/float64(r.requests)*100_000)
						f.add(t.Name, "mib", r.PeakMiB)
					}
				}
				f.relate("rate", vegeta)
				f.relate("cpu", vegeta)
				f.relate("rate", wrk)
				f.relate("cpu", wrk)
				f.print(fmt.Sprintf("Maximum rate over %s, %d connections, %d rounds of %s", c.name,
					connections, n, length), tools, []column{
					{"rate", "requests/s", "%.0f"},
					{"rate/" + vegeta, "of vegeta's", "%.2f"},
					{"rate/" + wrk, "of wrk's", "%.2f"},
					{"cpu", "CPU s for 100,000", "%.2f"},
					{"cpu/" + vegeta, "of vegeta's", "%.2f"},
					{"cpu/" + wrk, "of wrk's", "%.2f"},
					{"mib", "peak MiB", "%.0f"},
				})
				static := f.ratio("rate", ours, vegeta)
				rate, cpu := f.ratio("rate", direct, vegeta), f.ratio("cpu", direct, vegeta)
				goal("vegeta engine level with vegeta and a static target", static, static >= 0.95)
				goal("direct at least 2 times the rate of vegeta with a static target", rate, rate >= 2)
				goal("direct at most 0.4 of vegeta's CPU for a request", cpu, cpu <= 0.4)
				b.ReportMetric(rate, "direct/vegeta")
				b.ReportMetric(cpu, "direct-cpu/vegeta")
				// wrk may not be installed
				if floor := f.ratio("rate", direct, wrk); !math.IsNaN(floor) {
					goal("direct at least 0.7 of wrk's rate", floor, floor >= 0.7)
					b.ReportMetric(floor, "direct/wrk")
					b.ReportMetric(f.ratio("cpu", direct, wrk), "direct-cpu/wrk")
				}
			}
		})
	}
}
