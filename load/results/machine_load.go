package results

import (
	"time"

	"github.com/prometheus/procfs"
)

// machineUsage holds what all processes of this machine have used since boot. It is zero on
// systems other than Linux.
type machineUsage struct {
	busy, all float64       // CPU seconds
	waited    time.Duration // time in which a thread waited for a CPU: pressure stall information
	runnable  int64         // threads that can run now
}

func readMachineUsage() (m machineUsage) {
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

// MachineLoad says how busy all processes together kept a machine.
type MachineLoad struct {
	CPU      float64 `json:"machine_cpu,omitempty"` // share of all CPUs, 0 to 1
	Wait     float64 `json:"cpu_wait,omitempty"`    // share of the time a thread waited for a CPU
	RunQueue int64   `json:"run_queue,omitempty"`   // runnable threads; for a run, the maximum
}

func (l MachineLoad) worseOf(m MachineLoad) MachineLoad {
	return MachineLoad{max(l.CPU, m.CPU), max(l.Wait, m.Wait), max(l.RunQueue, m.RunQueue)}
}

// since returns the load since an earlier reading that was taken wall ago.
func (m machineUsage) since(before machineUsage, wall time.Duration) MachineLoad {
	all := m.all - before.all
	if all <= 0 || wall < minRateSpan {
		return MachineLoad{}
	}
	waited := min(1, float64(m.waited-before.waited)/float64(wall))
	return MachineLoad{
		roundTo3Digits((m.busy - before.busy) / all), roundTo3Digits(waited),
		m.runnable,
	}
}
