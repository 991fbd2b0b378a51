package engine

import (
	"os"
	"runtime/debug"
)

// SpareCollector lets Go's collector run less often, for programs that only drive load: their live heap is some MiB,
// which by default is collected many times a second at high rates. It costs some 10 MiB. GOGC in the environment wins.
func SpareCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
