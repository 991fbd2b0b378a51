package bench

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/gateassay/gateassay/bench/peers"
	"github.com/gateassay/gateassay/bench/sink"
)

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
