package reference

import (
	"fmt"
	"testing"
)

func TestAShelfKeepsTheNewestAndForgetsTheOldest(t *testing.T) {
	const most = 10
	s := shelf[int]{most: most}
	for i := range 35 {
		s.put(fmt.Sprint(i), i)
		kept := 0
		for j := range i + 1 {
			value, found := s.get(fmt.Sprint(j))
			if found {
				kept++
			}
			if newest := j > i-most; newest && !found || found && value != j {
				t.Fatalf("after %d entries, entry %d: %d, %t", i+1, j, value, found)
			}
		}
		if kept > 2*most {
			t.Fatalf("%d of %d entries are kept, expected at most %d", kept, i+1, 2*most)
		}
	}
}
