package results

import (
	"time"

	"github.com/prometheus/procfs"
)

// machine is what became of this machine's CPUs since it was started, whichever process they worked for. Where the system
// does not say, as outside of Linux, it is zero.
type machine struct {
	busy, all float64       // CPU seconds
	waited    time.Duration // in which something was ready to run and had no CPU: pressure stall information
	runnable  int64         // threads that run or could, now
}

func readMachine() (m machine) {
	system, err := procfs.NewDefaultFS()
	if err != nil {
		return m
	}
	if s, err := system.Stat(); err == nil {
		c := s.CPUTotal
		m.busy = c.User + c.Nice + c.System + c.IRQ + c.SoftIRQ + c.Steal
		m.all, m.runnable = m.busy+c.Idle+c.Iowait, int64(s.ProcessesRunning)
	}
	if p, err := system.PSIStatsForResource("cpu"); err == nil && p.Some != nil {
		m.waited = time.Duration(p.Some.Total) * time.Microsecond
	}
	return m
}

// Load is how busy all processes kept a machine.
type Load struct {
	CPU      float64 `json:"machine_cpu,omitempty"` // share of its CPUs, 0 to 1
	Wait     float64 `json:"cpu_wait,omitempty"`    // share of the time in which something waited for a CPU
	RunQueue int64   `json:"run_queue,omitempty"`   // threads that ran or could, at its end; of a run, the most
}

// since is the load between two moments, so far apart.
func (m machine) since(before machine, wall time.Duration) (l Load) {
	if ticks := m.all - before.all; ticks > 0 && wall >= shortestSpan {
		l = Load{round((m.busy - before.busy) / ticks), round(min(1, float64(m.waited-before.waited)/float64(wall))), m.runnable}
	}
	return l
}
