package bench

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/gateassay/gateassay/bench/peers"
	"github.com/gateassay/gateassay/bench/sink"
)

// delay is the time the target takes to answer at fixed rates.
const delay = 20 * time.Millisecond

// BenchmarkLoadFixedRate runs each generator at 2,000 and 5,000 requests per second. The
// target's log shows when requests arrived, so all generators are measured alike.
func BenchmarkLoadFixedRate(b *testing.B) {
	n, length := rounds(3, 8*time.Second)
	all := append(both(), peers.VegetaCLI(vegeta, 0))
	s, tools := newStage(b, all)
	for b.Loop() {
		for _, rate := range []float64{2000, 5000} {
			f := figures{}
			for range n {
				for _, t := range tools {
					r, log := s.alone(t, peers.Job{For: length, Rate: rate}, sink.Options{Delay: delay})
					seen, err := peers.ViewOfTarget(log, rate)
					if err != nil {
						b.Fatalf("%s: %v", t.Name, err)
					}
					f.add(t.Name, "requests", float64(seen.Requests))
					f.add(t.Name, "error", 100*seen.RateError)
					f.add(t.Name, "lag", millis(seen.LagP99))
					f.add(t.Name, "cpu", r.CPU.Seconds())
					f.add(t.Name, "mib", r.PeakMiB)
					if t.IsOurs() {
						f.add(t.Name, "own lag", r.Run.Generator.LagP99MS)
					}
				}
			}
			f.relate("cpu", vegeta)
			f.print(fmt.Sprintf("%.0f requests a second, answered after %s, %d rounds of %s",
				rate, delay, n, length), tools, []column{
				{"requests", "arrived", "%.0f"},
				{"error", "rate error, %", "%.3f"},
				{"lag", "send lag p99, ms", "%.2f"},
				{"own lag", "by its own account", "%.2f"},
				{"cpu", "CPU s", "%.2f"},
				{"cpu/" + vegeta, "of vegeta's", "%.2f"},
				{"mib", "peak MiB", "%.0f"},
			})
			lag := f.median(vegeta, "lag")
			for _, t := range both() {
				off, late := math.Abs(f.median(t.Name, "error")), f.median(t.Name, "lag")
				goal(t.Name+": rate error under 0.1 %", off, off < 0.1)
				goal(t.Name+": send lag p99 by vegeta's not above 1", late/lag, late <= lag)
			}
			cpu := f.ratio("cpu", direct, vegeta)
			goal("direct at most vegeta's CPU", cpu, cpu <= 1)
			b.ReportMetric(f.ratio("cpu", ours, vegeta), fmt.Sprintf("cpu/vegeta-at-%.0f/s", rate))
			b.ReportMetric(cpu, fmt.Sprintf("direct-cpu/vegeta-at-%.0f/s", rate))
		}
	}
}

// BenchmarkLoadStall stalls the target for a second in the middle of a run. It compares the p99
// that each generator reports with the p99 from the target's log: the time of each answer minus
// the due time of its request.
func BenchmarkLoadStall(b *testing.B) {
	n, length := rounds(3, 6*time.Second)
	length = max(length, 4*time.Second)
	const bounded, vegetaBounded = "gateassay --max-in-flight 64", "vegeta -max-workers 64"
	all := append(both(), peers.OurGenerator(bounded, "vegeta", 64), peers.VegetaCLI(vegeta, 0),
		peers.VegetaCLI(vegetaBounded, 64))
	// At 2000 per second, 2000 answers arrive at once after the stall. A small machine takes
	// longer to read them than the goal allows, so there the engines are compared with vegeta.
	rates := []float64{500, 2000}
	if testing.Short() {
		rates = rates[:1]
	}
	s, tools := newStage(b, all)
	for b.Loop() {
		for _, rate := range rates {
			f := figures{}
			for range n {
				for _, t := range tools {
					r, log := s.alone(t, peers.Job{For: length, Rate: rate},
						sink.Options{Delay: delay, StallAt: length / 3, StallFor: time.Second})
					seen, err := peers.ViewOfTarget(log, rate)
					if err != nil {
						b.Fatalf("%s: %v", t.Name, err)
					}
					if t.IsOurs() {
						f.add(t.Name, "service", r.Run.Latency.Service.P99)
					}
					f.add(t.Name, "reported", millis(r.P99))
					f.add(t.Name, "true", millis(seen.P99))
					f.add(t.Name, "off", 100*(millis(r.P99)/millis(seen.P99)-1))
					f.add(t.Name, "unsent", 100*(1-float64(seen.Requests)/(rate*length.Seconds())))
					f.add(t.Name, "mib", r.PeakMiB)
				}
			}
			f.print(fmt.Sprintf("A stall of 1 s at %.0f requests a second, %d rounds of %s", rate,
				n, length), tools,
				[]column{
					{"reported", "p99 reported, ms", "%.0f"},
					{"true", "p99 true, ms", "%.0f"},
					{"off", "off by, %", "%+.1f"},
					{"service", "service p99, ms", "%.0f"},
					{"unsent", "never sent, %", "%.1f"},
					{"mib", "peak MiB", "%.0f"},
				})
			for _, name := range []string{ours, direct, bounded} {
				if f[name] == nil {
					continue
				}
				off := f.median(name, "off")
				if most := f.median(vegeta, "off"); rate > 500 && f[vegeta] != nil {
					goal(name+": response p99 no farther off the truth than vegeta's", off,
						math.Abs(off) <= math.Abs(most))
				} else {
					goal(name+": response p99 off the truth by 3 % at most", off, math.Abs(off) <= 3)
				}
				if name == ours {
					b.ReportMetric(off, fmt.Sprintf("%%off-at-%.0f/s", rate))
				}
			}
		}
	}
}
