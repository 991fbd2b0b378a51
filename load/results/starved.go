package results

import (
	"fmt"
	"os"
	"path"
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

// most is that of the process, or of the control group, that was kept most.
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

// starvedSoFar reads what Linux says of this process, with control groups of version 2; nothing elsewhere.
func starvedSoFar(root string) (s starved) {
	tasks, _ := os.ReadDir(path.Join(root, "proc/self/task"))
	for _, t := range tasks {
		text, _ := os.ReadFile(path.Join(root, "proc/self/task", t.Name(), "schedstat"))
		if fields := strings.Fields(string(text)); len(fields) == 3 { // time run, time waited, turns
			ns, _ := strconv.ParseInt(fields[1], 10, 64)
			s.Waited += millis(time.Duration(ns))
		}
	}
	text, _ := os.ReadFile(path.Join(root, "proc/self/cgroup"))
	_, group, _ := strings.Cut(strings.TrimSpace(string(text)), "::")
	// A group around this one may have the limit. Within a container the path may be that of the host: then the group is
	// the root of what is seen.
	for dir := path.Clean("/" + group); ; dir = path.Dir(dir) {
		text, _ := os.ReadFile(path.Join(root, "sys/fs/cgroup", dir, "cpu.stat"))
		var of starved
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			n, _ := strconv.ParseInt(value, 10, 64)
			switch name {
			case "nr_periods":
				of.Periods = n
			case "nr_throttled":
				of.Throttles = n
			case "throttled_usec":
				of.Throttled = millis(time.Duration(n) * time.Microsecond)
			}
		}
		if s = s.most(of); dir == "/" {
			return s
		}
	}
}
