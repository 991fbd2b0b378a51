//go:build !linux

package engine

import "time"

// systemTimer does not exist here.
type systemTimer struct{}

func newSystemTimer() *systemTimer            { return nil }
func (*systemTimer) sleep(time.Duration) bool { return false }
func (*systemTimer) interrupt()               {}
func (*systemTimer) close()                   {}
