package engine

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestTheCollectorLeavesItsRoom(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int
	}{{0, 400}, {4 << 20, 400}, {8 << 20, 400}, {16 << 20, 200}, {20 << 20, 160}, {32 << 20, 100}, {1 << 30, 100}} {
		if got := percentFor(c.live); got != c.want {
			t.Errorf("%d bytes: %d %%, not %d %%", c.live, got, c.want)
		}
	}
}

func TestTheCollectorFollowsTheHeap(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	t.Setenv("GOGC", "")
	SpareCollector()
	func() {
		held := make([]byte, 64<<20)
		becomes(t, minPercent, "with 64 MiB")
		runtime.KeepAlive(held)
	}()
	becomes(t, mostPercent, "without them")
}

// becomes collects until the collector's percentage is what it should be.
func becomes(t *testing.T, want int, when string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		runtime.GC()
		percent := debug.SetGCPercent(100)
		debug.SetGCPercent(percent)
		if percent == want {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s: %d %%, not %d %%", when, percent, want)
		}
	}
}
