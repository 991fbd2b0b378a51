//go:build unix

package transport

import "syscall"

// hasPendingInput reports whether an idle connection was closed or has unrequested bytes to
// read.
func hasPendingInput(sock syscall.RawConn) bool {
	found := false
	err := sock.Control(func(fd uintptr) {
		var one [1]byte
		n, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		found = n > 0 || err != syscall.EAGAIN && err != syscall.EINTR
	})
	return found || err != nil
}
