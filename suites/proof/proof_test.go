package proof_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/proof"
)

// harmless fails the test for defects of the harness itself.
func harmless(t *testing.T, f proof.Finding) {
	t.Helper()
	for _, fault := range f.Faults {
		t.Errorf("%s: the harness failed: %s", f.Subject.Name(), fault)
	}
}

// against are variants that refuse what the document allows, with the must rules that fail for it. The others conform.
var against = map[string][]string{
	"strict-bounds":  {"export.success"},
	"strict-product": {"export.success"},
}

// unjudged are variants that leave some rules without a verdict: their valid requests, or their files, cannot be made
// or read without more in the deployment file.
var unjudged = []string{
	"hidden-headers", "hidden-fields", "strict-product", "strict-bounds",
}

// silent are variants that differ in nothing that a rule speaks of: there is no reason to warn.
var silent = []string{
	"", "totals", "year-one", "colleague",
}

// sound fails the test when a gateway that conforms is accused: a must or security rule fails on none, and warnings
// come only where a variant reads what the document leaves open otherwise than most would.
func sound(t *testing.T, f proof.Finding) {
	t.Helper()
	harmless(t, f)
	for _, id := range f.Violated {
		if !slices.Contains(against[f.Subject.Variant], id) {
			t.Errorf("%s: %s fails: %s", f.Subject.Name(), id, f.Reasons[id])
		}
	}
	if slices.Contains(silent, f.Subject.Variant) && len(f.Failed) > 0 {
		t.Errorf("%s: warnings: %v", f.Subject.Name(), f.Failed)
	}
	if f.Subject.Choices.FlakyShare+f.Subject.Choices.CrashShare > 0 || f.Subject.Choices.RateLimit > 0 ||
		slices.Contains(unjudged, f.Subject.Variant) {
		return
	}
	for _, id := range f.Inconclusive {
		t.Errorf("%s: %s is inconclusive: %s", f.Subject.Name(), id, f.Reasons[id])
	}
	for _, id := range f.NotVerified {
		if strings.Contains(f.Reasons[id], "create no more") {
			t.Errorf("%s: %s: %s", f.Subject.Name(), id, f.Reasons[id])
		}
	}
	if f.Subject.Variant == "" && len(f.NotVerified) > 0 {
		t.Errorf("%s: not verified: %v", f.Subject.Name(), f.NotVerified)
	}
}

var catalogue = sync.OnceValue(suites.Catalogue)

// found makes a finding about a fault of the reference gateway.
func found(t *testing.T, fault string, failed ...string) proof.Finding {
	t.Helper()
	for _, f := range reference.Faults() {
		if f.Name == fault {
			return proof.Finding{
				Subject: proof.Subject{Fault: f}, Failed: failed, Catalogue: catalogue(),
				Reasons: map[string]string{f.Rule: "nothing was wrong"},
			}
		}
	}
	t.Fatalf("no fault is called %s", fault)
	return proof.Finding{}
}

func TestScore(t *testing.T) {
	m := proof.NewMatrix([]proof.Finding{
		found(t, "export.range.end_inclusive", "export.range.end_exclusive", "export.range.partition"),
		found(t, "replay.none.same", "replay.none.same", "replay.late"),
		found(t, "auth.expired_accepted", "auth.bearer.expired"),
		found(t, "create.cpf.letters_accepted", "create.email.spaces"),
	})
	s := m.Score
	if s.Faults != 4 || s.Killed != 3 || s.Precise != 3 || s.Exact != 1 || s.FailedMean != 1.5 {
		t.Errorf("%+v", s)
	}
	if slices.Contains(s.Unproven, "auth.bearer.expired") || !slices.Contains(s.Unproven, "create.cpf.letters") {
		t.Errorf("unproven: %v", s.Unproven)
	}
	last := m.Rows[3]
	if last.Killed || last.Reason != "nothing was wrong" || !slices.Equal(last.Unrelated,
		[]string{"create.email.spaces"}) {
		t.Errorf("%+v", last)
	}
}

// What a sweeping fault breaks of its operation counts as one rule.
func TestSweepingFaults(t *testing.T) {
	m := proof.NewMatrix([]proof.Finding{
		found(t, "export.rejections_500", "export.body.array", "export.body.not_json", "export.header.nonce.absent"),
		found(t, "export.rejections_500", "export.body.not_json", "auth.missing"),
	})
	if s := m.Score; s.Killed != 2 || s.Precise != 1 || s.Exact != 0 || s.FailedMean != 1.5 {
		t.Errorf("%+v", s)
	}
}

// Each fault breaks a rule that is judged, and each rule that is judged is broken by a fault.
func TestFaultsAndRulesCoverEachOther(t *testing.T) {
	catalogue := catalogue()
	broken := map[string]bool{}
	for _, f := range reference.Faults() {
		broken[f.Rule] = true
		i := slices.IndexFunc(catalogue, func(r rules.Rule) bool { return r.ID == f.Rule })
		if i < 0 || catalogue[i].Level == rules.Observe {
			t.Errorf("%s breaks %s, which is not a rule that is judged", f.Name, f.Rule)
		}
	}
	for _, r := range catalogue {
		if r.Level != rules.Observe && !broken[r.ID] {
			t.Errorf("no fault breaks %s", r.ID)
		}
	}
}
