package results

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"
	"time"
)

// want is how this process was kept from the CPUs: by the CPU limit of its control group, and by what else ran.
type want struct {
	Throttles int64   `json:"throttles,omitempty"` // periods in which the limit held it back
	Periods   int64   `json:"periods,omitempty"`   // of the limit; 0: there is none, or an older record
	Throttled float64 `json:"throttled_ms,omitempty"`
	Waited    float64 `json:"cpu_wait_ms,omitempty"` // of all threads, for a CPU
}

func (w *want) add(n want) {
	w.Throttles, w.Periods = w.Throttles+n.Throttles, w.Periods+n.Periods
	w.Throttled, w.Waited = w.Throttled+n.Throttled, w.Waited+n.Waited
}

// since is what came after. A counter that went back, such as that of threads that ended, counts as unchanged.
func (w want) since(before want) want {
	return want{
		max(w.Throttles-before.Throttles, 0), max(w.Periods-before.Periods, 0),
		max(round(w.Throttled-before.Throttled), 0), max(round(w.Waited-before.Waited), 0),
	}
}

// most is that of the process that was kept most.
func (w want) most(other want) want {
	if other.Throttled > w.Throttled {
		w.Throttles, w.Periods, w.Throttled = other.Throttles, other.Periods, other.Throttled
	}
	w.Waited = max(w.Waited, other.Waited)
	return w
}

// starved is the share of a run from which the generator was short of CPU time.
const starved = 0.1

// words says, for the generator of a run that lasted so long, what it lacked.
func (w want) words(elapsedMS float64) []string {
	var list []string
	if w.Throttles > 0 {
		often := fmt.Sprintf("%d periods", w.Throttles)
		if w.Periods > 0 {
			often = fmt.Sprintf("%d of %d periods", w.Throttles, w.Periods)
		}
		list = append(list, fmt.Sprintf("the CPU limit of its container throttled the generator in %s, for %s in "+
			"all: raise the limit", often, seconds(w.Throttled)))
	}
	if elapsedMS > 0 && w.Waited > starved*elapsedMS {
		list = append(list, fmt.Sprintf("the generator's threads waited %s in all for a CPU: something else uses the "+
			"CPUs of this machine, or it has too few", seconds(w.Waited)))
	}
	return list
}

// wanted is how this process was kept from the CPUs so far, as far as the system says it.
func wanted() want {
	w := limited()
	w.Waited = millis(queued("/proc/self/task"))
	return w
}

// queued is how long the threads of a process were ready to run and did not.
func queued(tasks string) (waited time.Duration) {
	threads, err := os.ReadDir(tasks)
	if err != nil {
		return 0
	}
	for _, thread := range threads {
		stat, err := os.ReadFile(path.Join(tasks, thread.Name(), "schedstat")) // time run, time waited, turns
		if fields := bytes.Fields(stat); err == nil && len(fields) == 3 {
			ns, _ := strconv.ParseInt(string(fields[1]), 10, 64)
			waited += time.Duration(ns)
		}
	}
	return waited
}

// limited is how often the CPU limit of this process's control group held it back, or that of the group above which did
// most.
func limited() want {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return want{}
	}
	var found want
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
		for dir := path.Clean("/" + parts[2]); ; dir = path.Dir(dir) {
			if data, err := os.ReadFile(path.Join(root, dir, "cpu.stat")); err == nil {
				if w := throttledIn(data); w.Throttled > found.Throttled || found.Periods == 0 {
					found = w
				}
			}
			if dir == "/" {
				break
			}
		}
	}
	return found
}

// throttledIn reads cpu.stat: throttled_usec of version 2, throttled_time in nanoseconds of version 1.
func throttledIn(stat []byte) (w want) {
	for line := range bytes.Lines(stat) {
		name, value, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			continue
		}
		switch name {
		case "nr_periods":
			w.Periods = n
		case "nr_throttled":
			w.Throttles = n
		case "throttled_usec":
			w.Throttled = millis(time.Duration(n) * time.Microsecond)
		case "throttled_time":
			w.Throttled = millis(time.Duration(n))
		}
	}
	return w
}
