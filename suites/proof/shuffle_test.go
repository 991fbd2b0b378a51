package proof_test

import (
	"testing"

	"github.com/gateassay/gateassay/suites/proof"
)

// Runs with one seed send the same and find the same, whatever their order and pace.
func TestShuffledRunsAreTheSame(t *testing.T) {
	findings, err := proof.Examine(t.Context(), proof.Shuffled(4, 7), proof.Options{SideBySide: 2})
	if err != nil {
		t.Fatal(err)
	}
	same := proof.NewSameness(findings)
	for _, line := range same.Differs {
		t.Error(line)
	}
	if same.Runs != 4 || same.Rules < 100 || same.Requests < 500 {
		t.Errorf("%+v", same)
	}
	// What differs is found.
	findings[1].Verdicts["auth.missing"] = "fail"
	findings[2].Sent = findings[2].Sent[1:] // both of the others with more in flight know it
	if n := len(proof.NewSameness(findings).Differs) - len(same.Differs); n != 2 {
		t.Errorf("%d further differences, expected 2", n)
	}
}
