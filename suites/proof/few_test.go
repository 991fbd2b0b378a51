//go:build race

package proof_test

import (
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/proof"
)

// TestAFewOfTheMatrix is what the race detector sees; the whole matrix runs without it.
func TestAFewOfTheMatrix(t *testing.T) {
	chosen := map[string]bool{
		"create.repeat.not_atomic": true, "create.documents.unknown_accepted": true, "export.range.end_inclusive": true,
		"export.response.file_id_repeated": true, "replay.transaction_nonce.not_atomic": true, "auth.alg_none_accepted": true,
	}
	subjects := []proof.Subject{{Seed: 3, Random: true}}
	for _, f := range reference.Faults() {
		if chosen[f.Name] {
			subjects = append(subjects, proof.Subject{Fault: f, Seed: 3})
			delete(chosen, f.Name)
		}
	}
	for name := range chosen {
		t.Errorf("no fault is called %s", name)
	}
	for _, name := range []string{"far-away", "flaky"} {
		v, err := reference.FindVariant(name)
		if err != nil {
			t.Fatal(err)
		}
		subjects = append(subjects, proof.Subject{Variant: name, Choices: v.Choices, Seed: 3})
	}
	findings, err := proof.Examine(t.Context(), subjects, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		switch {
		case f.Subject.Fault.Name == "":
			sound(t, f)
		case !f.Killed():
			t.Errorf("%s survives: %s: %s (failed: %v)", f.Subject.Name(), f.Subject.Fault.Rule, f.Reasons[f.Subject.Fault.Rule], f.Failed)
		default:
			harmless(t, f)
		}
	}
}
