package testmust

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Terminal opens a pseudo terminal: window is its controlling end, terminal the one for a command.
func Terminal(t interface {
	TB
	Cleanup(end func())
},
) (window, terminal *os.File) {
	t.Helper()
	fd := Get(unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0))(t)
	window = os.NewFile(uintptr(fd), "window")
	Succeed(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n := Get(unix.IoctlGetInt(fd, unix.TIOCGPTN))(t)
	terminal = Get(os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0))(t)
	t.Cleanup(func() { _, _ = window.Close(), terminal.Close() })
	return window, terminal
}
