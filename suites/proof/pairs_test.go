package proof_test

import (
	"testing"

	"github.com/gateassay/gateassay/suites/proof"
)

// TestPairsAreMet: each run of a cycle puts each rule beside each partner with which it has a meaning, but for what is
// said to be left out, and what two runs send in turn.
func TestPairsAreMet(t *testing.T) {
	findings, err := proof.Examine(t.Context(), proof.Cycle(), proof.Options{Pairs: true})
	if err != nil {
		t.Fatal(err)
	}
	c := proof.NewCoverage(findings)
	t.Logf("%+v", c.Score)
	for _, cell := range c.Cells {
		switch {
		case cell.Seed > 0 && cell.LeftOut != "":
			t.Errorf("%s beside %s is met, and said to be left out", cell.Rule, cell.Partner)
		case cell.Seed == 0 && cell.Meaningless == "" && cell.LeftOut == "":
			t.Errorf("no seed of the cycle puts %s (%s) beside %s", cell.Rule, cell.Operation, cell.Partner)
		case cell.Seed > 2:
			t.Errorf("only seed %d puts %s (%s) beside %s", cell.Seed, cell.Rule, cell.Operation, cell.Partner)
		case len(cell.Missed) > 0 && cell.InTurn == "":
			t.Errorf("seeds %v do not put %s (%s) beside %s", cell.Missed, cell.Rule, cell.Operation, cell.Partner)
		}
		pair := proof.Pair{Rule: cell.Rule, Operation: cell.Operation, Partner: cell.Partner}
		if cell.Seed > 0 && len(cell.Missed) == 0 && pair.InTurn() != "" {
			t.Errorf("every seed puts %s beside %s, which is said to be sent in turn", cell.Rule, cell.Partner)
		}
	}
	for i, n := range c.Score.EachRun {
		if most := c.Score.Pairs - c.Score.LeftOut; n < most-19 {
			t.Errorf("seed %d sends %d of %d pairs", i+1, n, most)
		}
	}
	if c.Score.Pairs != 3038 || c.Score.LeftOut != 31 || c.Score.Cumulative[1] != 3038-31 {
		t.Errorf("%+v", c.Score)
	}
	if c.Score.Requests >= 1100 {
		t.Errorf("a run sends %d requests", c.Score.Requests)
	}
}
