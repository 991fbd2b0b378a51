package target_test

import (
	"regexp"
	"testing"

	"github.com/gateassay/gateassay/suites/target"
)

// What a run creates is marked with eight letters: a name may have to do without digits.
func TestRunsAreNamedByLetters(t *testing.T) {
	subject := aim(t, "http://127.0.0.1:1")
	form, seen := regexp.MustCompile(`^[a-p]{8}$`), map[string]bool{}
	for range 500 {
		run := target.New(subject.Deployment, subject.Client, 1).Run
		if !form.MatchString(run) {
			t.Fatalf("run %q", run)
		}
		seen[run] = true
	}
	if len(seen) < 499 {
		t.Errorf("500 runs have %d names", len(seen))
	}
}
