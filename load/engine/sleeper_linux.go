package engine

import (
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// sleeper waits for moments of a run. The runtime's own timers are rounded up to a millisecond while nothing else
// goes on; a timer of the kernel in the runtime's poller wakes within some ten microseconds, and costs no spinning.
type sleeper struct {
	start   time.Time
	file    *os.File // nil: the kernel gave none
	raw     syscall.RawConn
	step    func(fd uintptr) bool
	wait    time.Duration
	armed   bool
	broken  bool
	woken   time.Duration
	done    chan struct{}
	stopped atomic.Bool
}

func newSleeper(start time.Time) *sleeper {
	s := &sleeper{start: start, done: make(chan struct{})}
	s.step = s.arm
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return s
	}
	file := os.NewFile(uintptr(fd), "timer")
	if raw, err := file.SyscallConn(); err == nil && file.SetReadDeadline(time.Time{}) == nil {
		s.file, s.raw = file, raw
		return s
	}
	file.Close()
	return s
}

// now is the time since the start.
func (s *sleeper) now() time.Duration { return time.Since(s.start) }

// until waits for a moment, or for interrupt, and returns the time since the start. It wakes once in a tick at most.
func (s *sleeper) until(at time.Duration) time.Duration {
	now := s.now()
	for at = afterTick(at, now, s.woken); ; now = s.now() {
		if now >= at || s.stopped.Load() {
			s.woken = now
			return now
		}
		s.wait, s.armed = at-now, false
		if s.file == nil || s.broken || s.raw.Read(s.step) != nil {
			s.coarse(at - now)
		}
	}
}

// arm sets the timer and then waits for it.
func (s *sleeper) arm(fd uintptr) bool {
	if !s.armed {
		s.armed = true
		spec := unix.ItimerSpec{Value: unix.NsecToTimespec(max(int64(s.wait), 1))}
		if unix.TimerfdSettime(int(fd), 0, &spec, nil) != nil {
			s.broken = true
			return true
		}
		return false
	}
	return true // arming it again forgets that it went off
}

func (s *sleeper) coarse(wait time.Duration) {
	select {
	case <-time.After(wait):
	case <-s.done:
	}
}

// interrupt ends a wait, and all that follow.
func (s *sleeper) interrupt() {
	if s.stopped.Swap(true) {
		return
	}
	close(s.done)
	if s.file != nil {
		s.file.SetReadDeadline(time.Unix(1, 0))
	}
}

func (s *sleeper) close() {
	if s.file != nil {
		s.file.Close()
	}
}
