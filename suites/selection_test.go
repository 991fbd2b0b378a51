package suites

import (
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
)

func TestAFilteredRunDropsWaiversOfOtherRulesOnly(t *testing.T) {
	whole := []rules.Rule{{ID: "a.x"}, {ID: "b.y"}}
	kept := waiversInScope([]deployment.Waiver{{Rule: "a.*"}, {Rule: "b.y"}, {Rule: "nowhere"}},
		whole[:1], whole)
	if len(kept) != 2 || kept[0].Rule != "a.*" || kept[1].Rule != "nowhere" {
		t.Fatalf("kept %+v", kept)
	}
}
