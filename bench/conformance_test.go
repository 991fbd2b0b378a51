// Package bench compares gateassay with its alternatives. Absolute figures depend on the
// machine; the ratios matter.
package bench

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

// latency is the time the tested deployment takes for every answer.
const latency = 100 * time.Millisecond

// late is the minimum age of a request that replay.late repeats. A run with that rule takes at
// least as long.
const late = 2 * time.Second

// BenchmarkFullRun runs every suite against a deployment that answers after 100 ms: at the
// default of 16 requests in flight, and at 64. It prints the requests sent, the most in flight,
// the wall time, and its lower bounds: the late repeat, and requests × latency / in flight.
func BenchmarkFullRun(b *testing.B) {
	for _, inFlight := range []int{16, 64} {
		b.Run(fmt.Sprintf("%d in flight", inFlight), func(b *testing.B) {
			for b.Loop() {
				r, wall := fullRun(b, inFlight)
				spread := time.Duration(r.Run.Run.Requests) * latency / time.Duration(inFlight)
				bound := max(spread, late)
				b.Logf("%d requests, peak %d in flight, wall %.1fs; the late repeat %.1fs, "+
					"requests×latency/in-flight %.1fs: "+
					"wall is %.2f of the larger", r.Run.Run.Requests, r.Run.Run.PeakFlight,
					wall.Seconds(), late.Seconds(), spread.Seconds(),
					wall.Seconds()/bound.Seconds())
				b.ReportMetric(float64(r.Run.Run.Requests), "requests")
				b.ReportMetric(float64(r.Run.Run.PeakFlight), "peak-in-flight")
				b.ReportMetric(wall.Seconds()/bound.Seconds(), "wall/bound")
				if most := 1.2; inFlight == 16 && wall.Seconds() > most*bound.Seconds() {
					b.Errorf("the wall time is more than %.1f of what bounds it", most)
				}
			}
		})
	}
}

func fullRun(b *testing.B, inFlight int) (suites.RunResult, time.Duration) {
	b.Helper()
	gateway := testmust.Get(suites.StartReference(b.Context(), reference.Options{
		Seed: 1, Choices: reference.Choices{Latency: latency},
	}))(b)
	defer gateway.Close()
	started := time.Now()
	result, err := suites.Run(b.Context(), suites.Options{
		Deployment: gateway.Deployment, Out: filepath.Join(b.TempDir(), "run"), InFlight: inFlight,
	})
	wall := time.Since(started)
	if err != nil {
		b.Fatal(err)
	}
	if result.Run.Verdict != record.RunConformant {
		b.Fatalf("the run came out as %s: %s", result.Run.Verdict, result.Run.Reason)
	}
	return result, wall
}
