package rules_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
)

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
