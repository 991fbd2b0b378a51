package proof_test

import (
	"testing"

	"github.com/gateassay/gateassay/suites/proof"
)

// TestPairsAreMet: the seeds of a cycle together put each rule beside each partner with which it has a meaning, but for
// what is said to be left out.
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
		}
	}
}
