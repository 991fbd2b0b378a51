package proofpage_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/proofpage"
	"github.com/gateassay/gateassay/suites/proof"
)

// found returns a result for a fault of the reference gateway.
func found(t *testing.T, fault string, failed ...string) proof.GatewayCaseResult {
	t.Helper()
	for _, f := range reference.Faults() {
		if f.Name == fault {
			return proof.GatewayCaseResult{
				Subject: proof.GatewayCase{Fault: f}, Failed: failed,
				Reasons: map[string]string{f.Rule: "nothing was wrong"},
			}
		}
	}
	t.Fatalf("no fault is called %s", fault)
	return proof.GatewayCaseResult{}
}

func TestScoreIsOneLine(t *testing.T) {
	m := proof.NewMatrix([]proof.GatewayCaseResult{
		found(t, "export.range.end_inclusive", "export.range.end_exclusive", "export.range.partition"),
		found(t, "replay.none.same", "replay.none.same", "replay.late"),
		found(t, "auth.expired_accepted", "auth.bearer.expired"),
		found(t, "create.cpf.letters_accepted", "create.email.spaces"),
	})
	text := proofpage.FormatScore(m.Score)
	if !strings.HasPrefix(text,
		"killed 3 of 4 (75.0 %), precise 3 of 4 (75.0 %), alone 1 of 4 (25.0 %), repeated by a script 0 "+
			"of 4 (0.0 %); 1.50 rules") {
		t.Error(text)
	}
}

func TestTheTableShowsWhatIsWrongFirst(t *testing.T) {
	m := proof.NewMatrix([]proof.GatewayCaseResult{
		found(t, "export.file.cut", "export.file.csv"),
		found(t, "export.file.html", "export.file.csv", "export.order.asc"),
		found(t, "export.file.json"),
	})
	lines := strings.Split(proofpage.RenderText(m), "\n")
	for i, want := range []string{
		"SURVIVED export.file.json",
		"the gateway writes JSON instead of CSV; export.file.csv: nothing was wrong", "!export.order.asc",
		"killed   export.file.cut",
	} {
		testmust.Contain(t, lines[i], want, "line", i+1)
	}
}

// The rule of a fault that survives has often passed, and then there is no other reason.
func TestARuleThatPassedIsAReason(t *testing.T) {
	survived := found(t, "export.file.json")
	survived.Reasons = nil
	text := proofpage.RenderText(proof.NewMatrix([]proof.GatewayCaseResult{survived}))
	testmust.Contain(t, text, "; export.file.csv: it passed\n")
}

func TestJSONHoldsNoNull(t *testing.T) {
	matrix := testmust.Get(json.Marshal(proof.NewMatrix([]proof.GatewayCaseResult{found(t,
		"export.file.json")})))(t)
	if text := string(matrix); strings.Contains(text, "null") {
		t.Error(text)
	}
}
