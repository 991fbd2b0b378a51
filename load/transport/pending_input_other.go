//go:build !unix

package transport

import "syscall"

// hasPendingInput cannot look at a connection here: one that was closed while idle costs the next
// request.
func hasPendingInput(syscall.RawConn) bool { return false }
