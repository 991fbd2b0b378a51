//go:build !unix

package results

import "time"

func cpuTime() time.Duration { return 0 }
