package bench

import (
	"fmt"
	"testing"
	"time"

	"github.com/gateassay/gateassay/bench/peers"
	"github.com/gateassay/gateassay/bench/sink"
)

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
