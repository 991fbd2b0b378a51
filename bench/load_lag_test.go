package bench

import (
	"fmt"
	"testing"
	"time"

	"github.com/gateassay/gateassay/bench/peers"
	"github.com/gateassay/gateassay/bench/sink"
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
				end, err := peers.BusyCPUs(b.Context(), 2+i/len(tools)%2)
				if err != nil {
					b.Fatal(err)
				}
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
