package proof

import (
	"cmp"

	"github.com/gateassay/gateassay/gateway/rules"
)

// Matrix is the kill matrix of a set of faults.
type Matrix struct {
	Schema  string      `json:"schema"`            // gateassay/proof/v1
	Partial bool        `json:"partial,omitempty"` // interrupted: some faults were not examined
	Score   MatrixScore `json:"score"`
	Rows    []MatrixRow `json:"faults"`
}

// MatrixScore is the summary of a matrix.
type MatrixScore struct {
	Faults  int `json:"faults"`
	Killed  int `json:"killed"`  // the fault's own rule failed
	Precise int `json:"precise"` // no unrelated rule failed
	Exact   int `json:"exact"`   // only the fault's own rule failed
	// the script of the first headline detects the fault
	Repeated  int `json:"repeated"`
	OneDefect int `json:"one_headline"` // all failed rules were reported as one defect
	// mean number of failed rules for a fault; those of a sweeping fault count as one
	FailedMean float64 `json:"failed_mean"`
	// must and should rules that no fault broke
	Unproven []string `json:"rules_unproven"`
}

// MatrixSchema is the schema of a Matrix in JSON.
const MatrixSchema = "gateassay/proof/v1"

// MatrixRow is one fault with the failed rules.
type MatrixRow struct {
	Fault     string   `json:"fault"`
	Rule      string   `json:"rule"`
	Statement string   `json:"statement"`
	Partner   string   `json:"partner,omitempty"` // option that the request must have as well
	Killed    bool     `json:"killed"`
	Failed    []string `json:"failed"`
	Unrelated []string `json:"unrelated"`
	Headlines []string `json:"headlines"`        // headlines of the reported defects
	Reason    string   `json:"reason,omitempty"` // why the fault's own rule did not fail
	// result of the first headline's script: ScriptConfirmed, or what it printed
	ScriptResult string `json:"repeats"`
}

// NewMatrix builds the matrix from the results for faults.
func NewMatrix(findings []GatewayCaseResult) Matrix {
	m := Matrix{Schema: MatrixSchema, Rows: []MatrixRow{}}
	proven := map[string]bool{}
	failed := 0
	for _, f := range findings {
		row := MatrixRow{
			Fault: f.Subject.Fault.Name, Rule: f.Subject.Fault.Rule, Statement: f.Subject.Fault.Statement,
			Partner: f.Subject.Fault.Partner, Killed: f.Killed(), Failed: append([]string{}, f.Failed...),
			Unrelated: append([]string{}, f.Unrelated()...), Headlines: append([]string{}, f.Headlines...),
			ScriptResult: f.ScriptResult,
		}
		m.Score.Faults++
		if f.Subject.Fault.Sweeping {
			failed += 1 + len(row.Unrelated)
		} else {
			failed += len(f.Failed)
		}
		if row.Killed {
			m.Score.Killed++
			proven[row.Rule] = true
		} else {
			row.Reason = cmp.Or(f.Reasons[row.Rule], "it passed")
		}
		if len(row.Unrelated) == 0 {
			m.Score.Precise++
		}
		if row.ScriptResult == ScriptConfirmed {
			m.Score.Repeated++
		}
		if row.Killed && len(f.Headlines) == 1 {
			m.Score.OneDefect++
		}
		if row.Killed && len(f.Failed) == 1 {
			m.Score.Exact++
		}
		m.Rows = append(m.Rows, row)
	}
	if m.Score.Faults > 0 {
		m.Score.FailedMean = float64(failed*100/m.Score.Faults) / 100
	}
	m.Score.Unproven = []string{}
	var catalogue []rules.Rule
	if len(findings) > 0 {
		catalogue = findings[0].Catalogue
	}
	for _, r := range catalogue {
		if r.Level != rules.Observe && !proven[r.ID] {
			m.Score.Unproven = append(m.Score.Unproven, r.ID)
		}
	}
	return m
}
