//go:build !race

package transport

import (
	"syscall"
	"unsafe"
)

// The sockets of this package never block, so nothing has to be told to the scheduler before a call. Told, it would wake
// its monitor thread for each burst of calls, which at moderate rates costs a third of all CPU.

func readSocket(fd int, p []byte) (int, error) {
	return callSocket(syscall.SYS_READ, fd, p)
}

func writeSocket(fd int, p []byte) (int, error) {
	return callSocket(syscall.SYS_WRITE, fd, p)
}

func callSocket(trap uintptr, fd int, p []byte) (int, error) {
	n, _, errno := syscall.RawSyscall(trap, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p))) // #nosec G103: as syscall.Read does it
	if errno != 0 {
		return -1, errno
	}
	return int(n), nil
}
