package reference

import (
	"net/http"
	"strings"
	"testing"
)

func TestAShareOfRequestsMeetsTheFault(t *testing.T) {
	statuses := func(share float64) map[int]int {
		g := tryWith(t, Options{Faults: []string{"create.success.status_200"}, FaultShare: share})
		seen := map[int]int{}
		for range 400 {
			seen[g.createText(jsonOf(g.person())).Code]++
		}
		return seen
	}
	seen := statuses(0.25)
	if seen[http.StatusOK] < 60 || seen[http.StatusOK] > 140 || seen[http.StatusOK]+seen[http.StatusCreated] != 400 {
		t.Errorf("a quarter of 400 creations was to be answered by 200, found %v", seen)
	}
	if other := statuses(0.25); other[http.StatusOK] != seen[http.StatusOK] {
		t.Errorf("the same seed picked %v requests, and %v", seen, other)
	}
	for _, share := range []float64{0, 1} {
		if all := statuses(share); all[http.StatusOK] != 400 {
			t.Errorf("with share %v every request was to meet the fault, found %v", share, all)
		}
	}
}

// Whether a request meets the fault or not, all of them meet the same memory.
func TestFaultsThatComeAndGoShareTheMemory(t *testing.T) {
	g := tryWith(t, Options{Faults: []string{"replay.none.other_both"}, FaultShare: 0.5})
	passed := map[int]int{}
	for range 200 {
		passed[g.export(`{"filter_text":"the same"}`, schemaHeader, "-").Code]++
	}
	// The first passes; afterwards a request that meets the fault passes, and no other.
	if passed[200] < 60 || passed[409] < 60 {
		t.Errorf("found %v", passed)
	}
	g = tryWith(t, Options{Faults: []string{"export.file.lost"}, FaultShare: 0.5})
	found := 0
	for range 100 {
		if strings.HasPrefix(g.rows(`{}`), "200") {
			found++
		}
	}
	if found < 25 || found > 75 {
		t.Errorf("about half of the files were to be lost, found %d of 100", found)
	}
}

func TestSharesAreBetweenZeroAndOne(t *testing.T) {
	for _, share := range []float64{-0.1, 1.1} {
		if _, err := New(Options{FaultShare: share}); err == nil || !strings.Contains(err.Error(), "0 to 1") {
			t.Errorf("share %v: %v", share, err)
		}
	}
}
