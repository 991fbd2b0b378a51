package results

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// starved is how this process was kept from the CPUs: by the CPU limit of its control group, and by what else ran.
type starved struct {
	Throttles int64   `json:"throttles,omitempty"` // periods in which the limit held it back
	Periods   int64   `json:"periods,omitempty"`   // of the limit; 0: there is none, or an older record
	Throttled float64 `json:"throttled_ms,omitempty"`
	Waited    float64 `json:"cpu_wait_ms,omitempty"` // of all threads, for a CPU
}

func (s *starved) add(n starved) {
	s.Throttles, s.Periods = s.Throttles+n.Throttles, s.Periods+n.Periods
	s.Throttled, s.Waited = s.Throttled+n.Throttled, s.Waited+n.Waited
}

// since is what came after. A counter that went back, such as that of threads that ended, counts as unchanged.
func (s starved) since(before starved) starved {
	return starved{
		max(s.Throttles-before.Throttles, 0), max(s.Periods-before.Periods, 0),
		max(round(s.Throttled-before.Throttled), 0), max(round(s.Waited-before.Waited), 0),
	}
}

// most is that of the process that was kept most.
func (s starved) most(other starved) starved {
	waited := max(s.Waited, other.Waited)
	if other.Throttled > s.Throttled || s.Periods == 0 {
		s = other
	}
	s.Waited = waited
	return s
}

// tooStarved is the share of a run from which the generator was short of CPU time.
const tooStarved = 0.1

// words says, for the generator of a run that lasted so long, what it lacked.
func (s starved) words(elapsedMS float64) []string {
	var list []string
	if s.Throttles > 0 {
		list = append(list, fmt.Sprintf("the CPU limit of its container throttled the generator in %d of %d periods, for "+
			"%s in all: raise the limit", s.Throttles, s.Periods, seconds(s.Throttled)))
	}
	if elapsedMS > 0 && s.Waited > tooStarved*elapsedMS {
		list = append(list, fmt.Sprintf("the generator's threads waited %s in all for a CPU: something else uses the "+
			"CPUs of this machine, or it has too few", seconds(s.Waited)))
	}
	return list
}

// starvedSoFar reads what the system says of this process; nothing where it is not Linux.
func starvedSoFar(root string) (s starved) {
	tasks, _ := os.ReadDir(path.Join(root, "proc/self/task"))
	for _, t := range tasks {
		text, _ := os.ReadFile(path.Join(root, "proc/self/task", t.Name(), "schedstat"))
		if fields := strings.Fields(string(text)); len(fields) == 3 { // time run, time waited, turns
			ns, _ := strconv.ParseInt(fields[1], 10, 64)
			s.Waited += millis(time.Duration(ns))
		}
	}
	// Within a container the path of its group may be that of the host: then the group is the root of what is seen.
	groups, _ := os.ReadFile(path.Join(root, "proc/self/cgroup"))
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // the second is empty in version 2
		if len(parts) < 3 || parts[1] != "" && !slices.Contains(strings.Split(parts[1], ","), "cpu") {
			continue
		}
		for dir := path.Clean("/" + parts[2]); ; dir = path.Dir(dir) {
			s = s.most(limited(path.Join(root, "sys/fs/cgroup", parts[1], dir, "cpu.stat")))
			if dir == "/" {
				break
			}
		}
	}
	return s
}

// limited reads what the CPU limit of a control group did.
func limited(file string) (s starved) {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, _ := strconv.ParseInt(value, 10, 64)
		switch name {
		case "nr_periods":
			s.Periods = n
		case "nr_throttled":
			s.Throttles = n
		case "throttled_usec":
			s.Throttled = millis(time.Duration(n) * time.Microsecond)
		case "throttled_time": // of version 1
			s.Throttled = millis(time.Duration(n))
		}
	}
	return s
}
