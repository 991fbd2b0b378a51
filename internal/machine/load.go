// Package machine reads how busy this process and all processes together keep the machine.
package machine

import (
	"math"
	"time"

	"github.com/prometheus/procfs"
)

// Usage holds what all processes of this machine have used since boot. It is zero on systems other
// than Linux.
type Usage struct {
	busy, all float64       // CPU seconds
	waited    time.Duration // time in which a thread waited for a CPU: pressure stall information
	runnable  int64         // threads that can run now
}

// ReadUsage returns the usage until now.
func ReadUsage() (m Usage) {
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

// Load says how busy all processes together kept a machine.
type Load struct {
	CPU      float64 `json:"machine_cpu,omitempty"` // share of all CPUs, 0 to 1
	Wait     float64 `json:"cpu_wait,omitempty"`    // share of the time a thread waited for a CPU
	RunQueue int64   `json:"run_queue,omitempty"`   // runnable threads; for a run, the maximum
}

// WorseOf returns the higher figures of two loads.
func (l Load) WorseOf(m Load) Load {
	return Load{max(l.CPU, m.CPU), max(l.Wait, m.Wait), max(l.RunQueue, m.RunQueue)}
}

// Since returns the load since an earlier reading that was taken wall ago.
func (m Usage) Since(before Usage, wall time.Duration) Load {
	all := m.all - before.all
	if all <= 0 || wall < minSpan {
		return Load{}
	}
	waited := min(1, float64(m.waited-before.waited)/float64(wall))
	return Load{
		roundTo3Digits((m.busy - before.busy) / all), roundTo3Digits(waited),
		m.runnable,
	}
}

// minSpan is the shortest time that a load is computed for.
const minSpan = time.Millisecond

func roundTo3Digits(v float64) float64 { return math.Round(v*1000) / 1000 }
