package reference

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/rules"
)

// pending are rules that faults break and that no suite has yet. A rule that lands leaves this list.
var pending = []string{
	"auth.api_key.revoked", "create.documents.identity.cnh", "create.documents.identity.id",
	"create.documents.identity.passport",
	"create.header.default_product", "create.header.language.default", "create.repeat.other_body",
	"create.repeat.unchanged",
	"create.required.with_headers", "create.response.participation_percentage.range",
	"create.shareholder.foreign_by_api_key",
	"create.shareholder.foreign_by_product", "create.shareholder.foreign_on_behalf", "export.header.default_product",
	"export.target.own_rows", "export.target.rows", "replay.method.same_user",
}

func TestFaultsAreDeclaredOnceAndNameJudgedRules(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Faults() {
		if seen[f.Name] {
			t.Errorf("%s is declared twice", f.Name)
		}
		seen[f.Name] = true
		rule, known := rules.Lookup(f.Rule)
		if waiting := slices.Contains(pending, f.Rule); waiting == known || known && rule.Level == rules.Observe {
			t.Errorf("%s breaks %s, which is not a judged rule (known %v, pending %v)", f.Name, f.Rule, known, waiting)
		}
		if f.Statement == "" {
			t.Errorf("%s does not say what it does", f.Name)
		}
	}
	broken := map[string]bool{}
	for _, f := range Faults() {
		broken[f.Rule] = true
	}
	for _, rule := range rules.All() {
		if rule.Level != rules.Observe && !broken[rule.ID] {
			t.Errorf("no fault breaks %s", rule.ID)
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
		headers := []string{"nonce", uuid.NewString(), "x-transaction-uuid", uuid.NewString(), schemaHeader, spellings[s]}
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
