package engine

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// systemTimer is a timer of the kernel in the runtime's poller. The runtime's own timers are rounded up to a
// millisecond while nothing else goes on; this one wakes within some ten microseconds, and costs no spinning.
type systemTimer struct {
	file  *os.File
	raw   syscall.RawConn // nil: the kernel gave none
	step  func(fd uintptr) bool
	wait  time.Duration
	armed bool
}

func newSystemTimer() *systemTimer {
	t := &systemTimer{}
	t.step = t.arm
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return t
	}
	t.file = os.NewFile(uintptr(fd), "timer")
	if raw, err := t.file.SyscallConn(); err == nil && t.file.SetReadDeadline(time.Time{}) == nil {
		t.raw = raw
	}
	return t
}

// sleep waits for a time, or for interrupt. It reports whether it could.
func (t *systemTimer) sleep(wait time.Duration) bool {
	t.wait, t.armed = wait, false
	return t.raw != nil && t.raw.Read(t.step) == nil
}

// arm sets the timer and then waits for it.
func (t *systemTimer) arm(fd uintptr) bool {
	if t.armed {
		return true // arming it again forgets that it went off
	}
	t.armed = true
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(max(int64(t.wait), 1))}
	if unix.TimerfdSettime(int(fd), 0, &spec, nil) != nil {
		t.raw = nil
		return true
	}
	return false
}

func (t *systemTimer) interrupt() {
	if t.file != nil {
		t.file.SetReadDeadline(time.Unix(1, 0))
	}
}

func (t *systemTimer) close() {
	if t.file != nil {
		t.file.Close()
	}
}
