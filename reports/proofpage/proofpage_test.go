package proofpage_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/reports/proofpage"
	"github.com/gateassay/gateassay/suites/proof"
)

// found is a finding about a fault of the reference gateway.
func found(t *testing.T, fault string, failed ...string) proof.Finding {
	t.Helper()
	for _, f := range reference.Faults() {
		if f.Name == fault {
			return proof.Finding{
				Subject: proof.Subject{Fault: f}, Failed: failed,
				Reasons: map[string]string{f.Rule: "nothing was wrong"},
			}
		}
	}
	t.Fatalf("no fault is called %s", fault)
	return proof.Finding{}
}

func TestScoreIsOneLine(t *testing.T) {
	m := proof.NewMatrix([]proof.Finding{
		found(t, "export.range.end_inclusive", "export.range.end_exclusive", "export.range.partition"),
		found(t, "replay.none.same", "replay.none.same", "replay.late"),
		found(t, "auth.expired_accepted", "auth.bearer.expired"),
		found(t, "create.cpf.letters_accepted", "create.email.spaces"),
	})
	text := proofpage.Score(m.Score)
	if !strings.HasPrefix(text, "killed 3 of 4 (75.0 %), precise 3 of 4 (75.0 %), alone 1 of 4 (25.0 %); 1.50 rules") {
		t.Error(text)
	}
}

func TestAPageCanBeStale(t *testing.T) {
	cut, late := found(t, "export.file.cut", "export.file.csv"),
		found(t, "replay.none.same", "replay.none.same", "replay.late")
	m := proof.NewMatrix([]proof.Finding{cut, late})
	page := proofpage.Markdown(m) + "\n## Something else\n\n| `not a fault` |\n"
	if stale := proofpage.Stale(m, page); len(stale) > 0 {
		t.Errorf("stale at once: %v", stale)
	}
	late.Failed = append(late.Failed, "replay.race.none") // what fails as well may differ
	if stale := proofpage.Stale(proof.NewMatrix([]proof.Finding{cut, late}), page); len(stale) > 0 {
		t.Errorf("stale for what fails as well: %v", stale)
	}
	late.Failed = nil
	for name, other := range map[string][]proof.Finding{
		"no line, or another one, for replay.none.same": {cut, late},
		"a line for replay.none.same":                   {cut},
		"no line, or another one, for export.file.html": {cut, found(t, "export.file.html", "export.file.csv"), late},
		"another score than killed 1 of 2 (50.0 %)":     {cut, late},
	} {
		stale := proofpage.Stale(proof.NewMatrix(other), page)
		if !slices.ContainsFunc(stale, func(s string) bool { return strings.HasPrefix(s, name) }) {
			t.Errorf("expected %q among %q", name, stale)
		}
	}
}

func TestTheTableShowsWhatIsWrongFirst(t *testing.T) {
	m := proof.NewMatrix([]proof.Finding{
		found(t, "export.file.cut", "export.file.csv"),
		found(t, "export.file.html", "export.file.csv", "export.order.asc"),
		found(t, "export.file.json"),
	})
	lines := strings.Split(proofpage.Table(m), "\n")
	for i, want := range []string{
		"SURVIVED export.file.json",
		"the gateway writes JSON instead of CSV; export.file.csv: nothing was wrong", "!export.order.asc",
		"killed   export.file.cut",
	} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d: expected %q in %q", i+1, want, lines[i])
		}
	}
}

func TestJSONHoldsNoNull(t *testing.T) {
	matrix, err := json.Marshal(proof.NewMatrix([]proof.Finding{found(t, "export.file.json")}))
	if err != nil {
		t.Fatal(err)
	}
	if text := string(matrix); strings.Contains(text, "null") {
		t.Error(text)
	}
}
