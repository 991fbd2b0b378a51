//go:build !unix

package transport

import "syscall"

// hasPendingInput cannot check a connection on this system. If it was closed while idle, the
// next request fails.
func hasPendingInput(syscall.RawConn) bool { return false }
