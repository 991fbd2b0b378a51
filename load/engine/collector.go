package engine

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// The room that the collector leaves above what lives: most of what a load generator allocates dies at once, so by
// default its small heap would be collected many times a second at high rates.
const (
	room        = 32 << 20 // bytes
	mostPercent = 400
	minPercent  = 100 // Go's default, for heaps that outgrow the room, as when answers stall
)

// SpareCollector lets Go's collector run less often, for programs that only drive load. A fixed room, rather than a
// percentage, keeps the memory of long runs small. GOGC in the environment wins.
func SpareCollector() {
	if os.Getenv("GOGC") == "" {
		new(spare).set()
	}
}

// spare sets the percentage of the collector after each collection.
type spare struct{ percent int }

func (s *spare) set() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if p := percentFor(live[0].Value.Uint64()); p != s.percent {
		s.percent = p
		debug.SetGCPercent(p)
	}
	runtime.AddCleanup(&struct{ *spare }{s}, (*spare).set, s) // nobody holds it, so that the next collection ends it
}

// percentFor is the percentage that leaves the room above a live heap of so many bytes, in steps of 20.
func percentFor(live uint64) int {
	return min(max(int(room*100/max(live, 1))/20*20, minPercent), mostPercent)
}
