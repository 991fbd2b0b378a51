package bench

import (
	"fmt"
	"os/exec"
	"testing"
	"time"

	"github.com/gateassay/gateassay/bench/peers"
	"github.com/gateassay/gateassay/bench/sink"
	"github.com/gateassay/gateassay/load/results"
)

// hog keeps n CPUs busy until the function it returns is called.
func hog(b *testing.B, n int) (end func()) {
	b.Helper()
	var loops []*exec.Cmd
	for range n {
		loop := exec.CommandContext(b.Context(), "sh", "-c", "while :; do :; done")
		if err := loop.Start(); err != nil {
			b.Fatal(err)
		}
		loops = append(loops, loop)
	}
	return func() {
		for _, loop := range loops {
			_ = loop.Process.Kill()
			_ = loop.Wait()
		}
	}
}

// BenchmarkLoadLag has busy loops take the CPUs away while p99<8ms is asked for at 200 requests a second. A quick target
// must not fail for what its service time does not carry, and one that is slow itself must fail all the same.
func BenchmarkLoadLag(b *testing.B) {
	const limit = 8
	n, length := rounds(10, 3*time.Second)
	s, tools := newStage(b, both())
	for b.Loop() {
		fmt.Printf("\np99<%dms at 200/s beside 2 and 3 busy loops, runs of %s\n\n| target | runs | pass | fail | inconclusive | lag p99, ms | "+
			"service p99, ms |\n|---|---|---|---|---|---|---|\n", limit, length)
		accused, missed := 0, 0
		for _, c := range []struct {
			name   string
			rounds int
			target sink.Options
			slow   bool
		}{
			{"answers after 3 ms", n, sink.Options{Delay: 3 * time.Millisecond}, false},
			{"answers after 20 ms", max(1, n/4), sink.Options{Delay: 20 * time.Millisecond}, true},
			{"stalls for 400 ms", max(1, n/4), sink.Options{
				Delay: 3 * time.Millisecond, StallAt: length / 3, StallFor: 400 * time.Millisecond,
			}, true},
		} {
			f, found, runs := figures{}, map[results.Verdict]int{}, 0
			for i := range c.rounds * 2 * len(tools) {
				end := hog(b, 2+i/len(tools)%2)
				r, _ := s.alone(tools[i%len(tools)], peers.Job{
					For: length, Rate: 200, Thresholds: []string{fmt.Sprintf("p99<%dms", limit)},
				}, c.target)
				end()
				runs++
				found[r.Run.Verdict]++
				service := r.Run.Latency.Service.P99
				f.add("", "lag", r.Run.Generator.LagP99MS)
				f.add("", "service", service)
				if r.Run.Verdict == results.Fail && service < limit {
					accused++
				}
				if c.slow && r.Run.Verdict != results.Fail {
					missed++
				}
			}
			fmt.Printf("| %s | %d | %d | %d | %d | %.1f | %.1f |\n", c.name, runs, found[results.Pass], found[results.Fail],
				found[results.Inconclusive], f.median("", "lag"), f.median("", "service"))
		}
		goal("no failure that service time does not carry", float64(accused), accused == 0)
		goal("no slow target missed", float64(missed), missed == 0)
		b.ReportMetric(float64(accused), "accused")
		b.ReportMetric(float64(missed), "missed")
	}
}
