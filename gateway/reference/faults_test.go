package reference

import (
	"strings"
	"testing"

	"github.com/google/uuid"
)

func TestFaultsAreDeclaredOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range append(Faults(), Pairs()...) {
		if seen[f.Name] {
			t.Errorf("%s is declared twice", f.Name)
		}
		seen[f.Name] = true
		if f.Statement == "" {
			t.Errorf("%s does not say what it does", f.Name)
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

func TestRacesShowWithFaults(t *testing.T) {
	for s, mode := range spellingNames {
		g := try(t, Choices{}, "replay."+mode+".not_atomic")
		id := uuid.NewString()
		headers := []string{"nonce", id, "x-transaction-uuid", id, schemaHeader, spellings[s]}
		if got := together(16, func() int { return g.export("{}", headers...).Code }); got[200] < 2 {
			t.Errorf("%s: %v, want more than one 200", mode, got)
		}
	}
	g := try(t, Choices{}, "create.repeat.not_atomic")
	id, text := uuid.NewString(), jsonOf(g.person())
	if got := together(16, func() int { return g.createText(text, "x-transaction-uuid", id).Code }); got[201] < 2 {
		t.Errorf("create: %v, want more than one 201", got)
	}
	g = try(t, Choices{}, "create.repeat.not_atomic_but_by_nonce")
	id = uuid.NewString()
	if got := together(16, func() int { return g.createText(text, "x-transaction-uuid", id).Code }); got[201] < 2 {
		t.Errorf("create under nonces of their own: %v, want more than one 201", got)
	}
	id = uuid.NewString()
	if got := together(16,
		func() int { return g.createText(text, "x-transaction-uuid", id, "nonce", id).Code }); got[201] != 1 {
		t.Errorf("create under one nonce: %v, want one 201", got)
	}
}
