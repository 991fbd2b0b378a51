package reference

import (
	"strings"
	"testing"
)

func TestFaultsAreDeclaredOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range append(Faults(), Pairs()...) {
		if seen[f.Name] {
			t.Errorf("%s is declared twice", f.Name)
		}
		seen[f.Name] = true
		if f.Statement == "" || f.Rule == "" { // as those of crossings have none whose plain fault there is not
			t.Errorf("%s does not say what it does, or what it breaks", f.Name)
		}
	}
}

func TestUnknownFaultsSuggestNearOnes(t *testing.T) {
	_, err := New(Options{Faults: []string{"export.range.end_inclusiv"}})
	if err == nil || !strings.Contains(err.Error(), "export.range.end_inclusive") {
		t.Errorf("got %v", err)
	}
	if _, err := New(Options{Faults: []string{"nothing like any other name at all, really"}}); err == nil ||
		strings.Contains(err.Error(), "did you mean") {
		t.Errorf("got %v", err)
	}
}
