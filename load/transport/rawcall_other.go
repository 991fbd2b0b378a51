//go:build unix && (!linux || race)

package transport

import "syscall"

// Under the race detector as well: syscall.Read and Write tell it what came before what.

func readSocket(fd int, p []byte) (int, error) { return syscall.Read(fd, p) }

func writeSocket(fd int, p []byte) (int, error) { return syscall.Write(fd, p) }
