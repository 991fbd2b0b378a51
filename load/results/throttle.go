package results

import (
	"bytes"
	"os"
	"path"
	"strconv"
	"strings"
	"time"
)

// throttled is how often the CPU limit of this process's control group held it back so far, and for how long; ok is
// false where there is no such limit.
func throttled() (times int64, took time.Duration, ok bool) {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return 0, 0, false
	}
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		root := "/sys/fs/cgroup"
		switch {
		case parts[1] == "": // version 2
		case strings.Contains(","+parts[1]+",", ",cpu,"):
			root = path.Join(root, parts[1])
		default:
			continue
		}
		// Within a container the group's path may be that of the host, which is not there: then it is the root.
		for _, dir := range []string{path.Join(root, parts[2]), root} {
			if data, err := os.ReadFile(path.Join(dir, "cpu.stat")); err == nil {
				if times, took, ok = throttledIn(data); ok {
					return times, took, true
				}
			}
		}
	}
	return 0, 0, false
}

// throttledIn reads cpu.stat: throttled_usec of version 2, throttled_time in nanoseconds of version 1.
func throttledIn(stat []byte) (times int64, took time.Duration, ok bool) {
	for line := range bytes.Lines(stat) {
		name, value, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			continue
		}
		switch name {
		case "nr_throttled":
			times, ok = n, true
		case "throttled_usec":
			took = time.Duration(n) * time.Microsecond
		case "throttled_time":
			took = time.Duration(n)
		}
	}
	return times, took, ok
}
