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
				Reasons:  map[string]string{f.Rule: "nothing was wrong"},
				Attempts: map[string]proof.Attempts{f.Rule: {Failed: 2, Of: 40}},
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
	chances, err := json.Marshal(proof.NewChances([]proof.Finding{found(t, "export.file.json")}, 0.05, 1))
	if err != nil {
		t.Fatal(err)
	}
	if text := string(matrix) + string(chances); strings.Contains(text, "null") {
		t.Error(text)
	}
}

func TestChancesAreShownByFamily(t *testing.T) {
	const cut, html, late = "export.file.cut", "export.file.html", "replay.keeps_the_last_50"
	c := proof.NewChances([]proof.Finding{
		found(t, cut, "export.file.csv"), found(t, html), found(t, late), // the first run
		// the second
		found(t, cut, "export.file.csv"), found(t, html, "export.file.csv"), found(t, late, "replay.none.same"),
	}, 0.05, 2)
	for text, parts := range map[string][]string{
		proofpage.ChancesTable(c): {
			"2/2 export.file.cut", "failed on 2 of 40, 2 of 40 attempts",
			"one run caught 1 of 3 (33.3 %), at least one of 2 runs 2 of 3 (66.7 %)",
		},
		proofpage.ChancesMarkdown(c): {
			"## Faults that come and go",
			"| export.file | 2 | 50 % | 100 % | 6 of 120 attempts |", "| all | 3 | 33 % | 67 % |",
		},
	} {
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("expected %q in\n%s", part, text)
			}
		}
	}
}

func TestOneRunNeedsNoColumnForSeveral(t *testing.T) {
	page := proofpage.ChancesMarkdown(proof.NewChances([]proof.Finding{found(t, "export.file.cut", "export.file.csv")},
		0.05, 1))
	for _, part := range []string{
		"prove --share 0.05`",
		"| caught by one run | the rule then failed on |\n|---|---:|---:|---|\n",
		"| export.file | 1 | 100 % | 2 of 40 attempts |",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("expected %q in\n%s", part, page)
		}
	}
}
