//go:build !unix

package machine

import "time"

// CPUTime returns 0: the system does not say.
func CPUTime() time.Duration { return 0 }
