package reference

import (
	"fmt"
	"testing"
)

func TestTheStoreKeepsTheNewestAndForgetsTheOldest(t *testing.T) {
	const most = 10
	s := newStore(most)
	for i := range 35 {
		s.put(files, fmt.Sprint(i), "")
		count := 0
		for j := range i + 1 {
			_, found := s.get(files, fmt.Sprint(j))
			if found {
				count++
			}
			if newest := j > i-most; newest && !found {
				t.Fatalf("after %d entries, entry %d is forgotten", i+1, j)
			}
		}
		if count > 2*most {
			t.Fatalf("%d of %d entries are kept, expected at most %d", count, i+1, 2*most)
		}
	}
}

// Replay protection remembers what it promises, and the oldest no longer.
func TestReplayMemoryIsBounded(t *testing.T) {
	g := tryWith(t, Options{Remember: 20})
	send := func(i int) int { return g.export(fmt.Sprintf(`{"filter_text":"%d"}`, i), schemaHeader, "-").Code }
	for i := range 100 {
		if got := send(i); got != 200 {
			t.Fatalf("export %d: %d", i, got)
		}
	}
	if newest, oldest := send(80), send(0); newest != 409 || oldest != 200 {
		t.Errorf("the twentieth from the end again: %d, want 409; the first: %d, want 200", newest, oldest)
	}
}
