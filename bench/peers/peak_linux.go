package peers

import (
	"os"
	"syscall"
)

func peakMiB(s *os.ProcessState) float64 {
	if r, ok := s.SysUsage().(*syscall.Rusage); ok {
		return float64(r.Maxrss) / 1024
	}
	return 0
}
