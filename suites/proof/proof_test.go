package proof_test

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/proofpage"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/proof"
)

// harmless fails the test for defects of the harness.
func harmless(t *testing.T, f proof.GatewayCaseResult) {
	t.Helper()
	for _, fault := range f.Faults {
		t.Errorf("%s: the harness failed: %s", f.Subject.Name(), fault)
	}
}

// unjudged lists, by variant, the rules (IDs or prefixes) that may stay without a verdict, because
// valid requests are impossible, files are unreadable, or nothing could show a violation.
var unjudged = map[string][]string{
	// it takes texts for flags, so that no other wrong flag shows more
	"lax": {"create.value.wrapped.optional", "create.value.not_a_flag"},
	"strict-creations": {
		"create.value.large_body",
		"create.header.default_product",
		"create.header.product.foreign",
		"create.repeat.other_user",
	},
	"strict-exports": {
		"export.range.", "export.file.again",
		"export.header.wallet.empty",
		"create.documents.",
		"create.value.large_body",
		"replay.",
	},
	"mainframe": {
		"export.range.",
		"export.order.asc",
		"export.default.sort",
		"export.file.distinct_rows",
		"create.response.created_at.now",
	},
	"colleague":      {"replay.method.same_user"},
	"unreliable":     {""},
	"hidden-minimal": {""},
	"hidden-headers": {"create.", "auth."},
	"hidden-fields":  {"create.", "auth."},
	"far-away":       {"auth.api_key", "replay.method.same_user", "export.method.same_rows"},
}

// silent lists the variants without any warning: they differ in nothing that a rule judges.
var silent = []string{"", "colleague", "other-names", "strict-creations", "far-away"}

// sound fails the test if a conforming gateway breaks a must or security rule. Warnings are
// allowed only for variants with an unusual reading of what the document leaves open.
func sound(t *testing.T, f proof.GatewayCaseResult) {
	t.Helper()
	harmless(t, f)
	for _, id := range f.Violated {
		t.Errorf("%s: %s fails: %s", f.Subject.Name(), id, f.Reasons[id])
	}
	if slices.Contains(silent, f.Subject.Variant) && len(f.Failed) > 0 {
		t.Errorf("%s: warnings: %v", f.Subject.Name(), f.Failed)
	}
	for _, id := range slices.Concat(f.Inconclusive, f.NotVerified) {
		begins := func(with string) bool { return strings.HasPrefix(id, with) }
		if !slices.ContainsFunc(unjudged[f.Subject.Variant], begins) {
			t.Errorf("%s: %s has no verdict: %s", f.Subject.Name(), id, f.Reasons[id])
		}
	}
}

var catalogue = sync.OnceValue(suites.Catalogue)

// found returns a result for a fault of the reference gateway.
func found(t *testing.T, fault string, failed ...string) proof.GatewayCaseResult {
	t.Helper()
	for _, f := range reference.Faults() {
		if f.Name == fault {
			return proof.GatewayCaseResult{
				Subject: proof.GatewayCase{Fault: f}, Failed: failed, Catalogue: catalogue(),
				Reasons: map[string]string{f.Rule: "nothing was wrong"},
			}
		}
	}
	t.Fatalf("no fault is called %s", fault)
	return proof.GatewayCaseResult{}
}

func TestScore(t *testing.T) {
	m := proof.NewMatrix([]proof.GatewayCaseResult{
		found(t, "export.range.end_inclusive", "export.range.end_exclusive", "export.range.partition"),
		found(t, "replay.none.same", "replay.none.same", "replay.late"),
		found(t, "auth.expired_accepted", "auth.bearer.expired"),
		found(t, "create.cpf.letters_accepted", "create.email.spaces"),
	})
	testmust.Contain(t, proofpage.FormatScore(m.Score), "killed 3 of 4 (75.0 %), precise 3 of 4 "+
		"(75.0 %), alone 1 of 4 (25.0 %), repeated by a script 0 of 4 (0.0 %); 1.50 rules")
	if unproven := m.Score.Unproven; slices.Contains(unproven, "auth.bearer.expired") ||
		!slices.Contains(unproven, "create.cpf.letters") {
		t.Errorf("unproven: %v", unproven)
	}
	last := m.Rows[3]
	if last.Killed || last.Reason != "nothing was wrong" || !slices.Equal(last.Unrelated,
		[]string{"create.email.spaces"}) {
		t.Errorf("%+v", last)
	}
}

func TestTheTableShowsWhatIsWrongFirst(t *testing.T) {
	passed := found(t, "export.file.json") // the rule of a fault that survives, mostly
	passed.Reasons = nil
	lines := strings.Split(proofpage.RenderText(proof.NewMatrix([]proof.GatewayCaseResult{
		found(t, "export.file.cut", "export.file.csv"),
		found(t, "export.file.html", "export.file.csv", "export.order.asc"),
		found(t, "export.file.json"), passed,
	})), "\n")
	const writes = "the gateway writes JSON instead of CSV; export.file.csv: "
	for i, want := range []string{
		"SURVIVED export.file.json", writes + "nothing was wrong", "SURVIVED export.file.json",
		writes + "it passed", "!export.order.asc", "killed   export.file.cut",
	} {
		testmust.Contain(t, lines[i], want, "line", i+1)
	}
}

func TestJSONHoldsNoNull(t *testing.T) {
	survived := found(t, "export.file.json")
	survived.Catalogue = nil
	matrix := testmust.Get(json.Marshal(proof.NewMatrix([]proof.GatewayCaseResult{survived})))(t)
	if text := string(matrix); strings.Contains(text, "null") {
		t.Error(text)
	}
}

// All rules of its operation that a sweeping fault breaks count as one.
func TestSweepingFaults(t *testing.T) {
	m := proof.NewMatrix([]proof.GatewayCaseResult{
		found(t, "export.rejections_500", "export.body.array", "export.body.not_json",
			"export.header.nonce.absent"),
		found(t, "export.rejections_500", "export.body.not_json", "auth.missing"),
	})
	if s := m.Score; s.Killed != 2 || s.Precise != 1 || s.Exact != 0 || s.FailedMean != 1.5 {
		t.Errorf("%+v", s)
	}
}

// Each fault breaks a judged rule, and each judged rule is broken by a fault.
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
