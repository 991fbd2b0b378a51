//go:build unix

package results

import (
	"syscall"
	"time"
)

// cpuTime is what this process used of all CPUs so far.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
