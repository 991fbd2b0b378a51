//go:build !unix

package results

import (
	"runtime/metrics"
	"time"
)

// cpuTime is what Go code of this process used of all CPUs so far, as far as the runtime knows.
func cpuTime() time.Duration {
	sample := []metrics.Sample{{Name: "/cpu/classes/total:cpu-seconds"}, {Name: "/cpu/classes/idle:cpu-seconds"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindFloat64 || sample[1].Value.Kind() != metrics.KindFloat64 {
		return 0
	}
	return time.Duration((sample[0].Value.Float64() - sample[1].Value.Float64()) * 1e9)
}
