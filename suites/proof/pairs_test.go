package proof_test

import (
	"slices"
	"testing"

	"github.com/gateassay/gateassay/suites/proof"
)

// TestPairsAreMet: one run puts each rule beside each partner with which it has a meaning, whatever its seed.
func TestPairsAreMet(t *testing.T) {
	findings, err := proof.Examine(t.Context(), proof.Cycle(), proof.Options{Pairs: true})
	if err != nil {
		t.Fatal(err)
	}
	c := proof.NewCoverage(findings)
	for _, cell := range c.Cells {
		if len(cell.Missed) > 0 {
			t.Errorf("seeds %v do not put %s (%s) beside %s", cell.Missed, cell.Rule, cell.Operation, cell.Partner)
		}
	}
	if c.Score.Pairs != 3038 || len(c.Score.EachRun) != len(proof.Cycle()) || slices.Min(c.Score.EachRun) != 3038 {
		t.Errorf("%+v", c.Score)
	}
	for i, f := range findings {
		if f.Requests >= 1100 || f.Requests == 0 {
			t.Errorf("seed %d sends %d requests", i+1, f.Requests)
		}
	}
}
