package engine

import (
	"testing"
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
