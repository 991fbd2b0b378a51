package rules_test

import (
	"testing"

	"github.com/gateassay/gateassay/gateway/rules"
)

func TestOperationAndTopic(t *testing.T) {
	for id, want := range map[string][2]string{
		"create.required.email": {"create", "required"}, "create.success": {"create", "success"},
		"auth.a.b.c": {"auth", "a"}, "export": {"export", "export"},
	} {
		if r := (rules.Rule{ID: id}); r.Operation() != want[0] || r.Topic() != want[1] {
			t.Errorf("%s: %s, %s", id, r.Operation(), r.Topic())
		}
	}
}

// TestMatchTakesThePartsInTheirOrder checks that a pattern's parts match in order and without
// overlap.
func TestMatchTakesThePartsInTheirOrder(t *testing.T) {
	for _, c := range []struct {
		pattern, id string
		want        bool
	}{
		{"create.required.*", "create.required.email.null", true},
		{"auth.bearer.*", "auth.bearer", true},
		{"auth.bearer.*", "auth.bearerx", false},
		{"auth.bearer", "auth.bearer.empty", false},
		{"replay.*.same", "replay.nonce.same", true},
		{"replay.*.same", "replay.nonce.other_nonce", false},
		{"a*b*c", "abc", true},
		{"a*b*c", "a-c-b", false},
		{"a*b*b", "ab", false},
		{"a*bb*b", "abb", false},
		{"a*xy*y", "axyy", true},
		{"a*x*y*z", "a.yxz", false},
		{"ab*ba", "aba", false},
		{"*", "", true},
		{"", "x", false},
	} {
		if got := rules.MatchesPattern(c.pattern, c.id); got != c.want {
			t.Errorf("Match(%q, %q) = %v", c.pattern, c.id, got)
		}
	}
}
