package results

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// usage is what this process had of the CPUs, and for how long the CPU limit of its container kept it from them.
type usage struct{ cpu, throttled time.Duration }

func usageSoFar() usage { return usage{cpuTime(), throttled("/sys/fs/cgroup/cpu.stat")} }

// throttled reads what Linux says of the control group that a container sees as its root, in version 2; 0 elsewhere.
func throttled(path string) time.Duration {
	text, _ := os.ReadFile(path)
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), "throttled_usec "); ok {
			n, _ := strconv.ParseInt(value, 10, 64)
			return time.Duration(n) * time.Microsecond
		}
	}
	return 0
}
