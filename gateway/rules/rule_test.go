package rules_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
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

// TestMatchProperty checks that an ID still matches after a part of it is replaced by a star.
func TestMatchProperty(t *testing.T) {
	all := []rules.Rule{
		{ID: "create.required.email.null"},
		{ID: "auth.bearer"},
		{ID: "replay.nonce_transaction.other_both"},
		{ID: "x"},
	}
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom(all).Draw(t, "rule").ID
		from := rapid.IntRange(0, len(id)).Draw(t, "from")
		to := rapid.IntRange(from, len(id)).Draw(t, "to")
		if pattern := id[:from] + "*" + id[to:]; !rules.MatchesPattern(pattern, id) {
			t.Fatalf("%q does not match %q", pattern, id)
		}
	})
}

// TestReplayTable spells out the truth table of replay protection: b blocks, p passes.
func TestReplayTable(t *testing.T) {
	want := map[string]string{ //  same nonce tx both body query user
		"none": "bbbbppp", "nonce": "bpbpppp", "transaction": "bbppppp", "transaction_nonce": "bpppppp",
		"nonce_transaction": "bpppppp",
	}
	for _, m := range rules.ReplayModes() {
		got := ""
		for _, c := range rules.RepeatKinds() {
			if m.Blocks(c) {
				got += "b"
			} else {
				got += "p"
			}
		}
		testmust.Equal(t, got, want[m.Name], m.Name)
	}
}
