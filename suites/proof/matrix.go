package proof

import (
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
)

// Matrix is the kill matrix of a set of faults.
type Matrix struct {
	Schema  string      `json:"schema"`            // gateassay/proof/v1
	Partial bool        `json:"partial,omitempty"` // interrupted: some faults were not examined
	Score   MatrixScore `json:"score"`
	Rows    []MatrixRow `json:"faults"`
}

// MatrixScore sums a matrix up.
type MatrixScore struct {
	Faults  int `json:"faults"`
	Killed  int `json:"killed"`  // the fault's own rule failed
	Precise int `json:"precise"` // nothing unrelated failed
	Exact   int `json:"exact"`   // the own rule failed and no other
	// the script of the first headline tells the fault from health
	Repeated  int `json:"repeated"`
	OneDefect int `json:"one_headline"` // all that failed was reported as one defect
	// rules that failed for a fault; those of a sweeping one count as one
	FailedMean float64 `json:"failed_mean"`
	// must and should rules that no fault was seen to break
	Unproven []string `json:"rules_unproven"`
}

// MatrixSchema names the form of a Matrix in JSON.
const MatrixSchema = "gateassay/proof/v1"

// MatrixRow is one fault with what failed.
type MatrixRow struct {
	Fault     string   `json:"fault"`
	Rule      string   `json:"rule"`
	Statement string   `json:"statement"`
	Partner   string   `json:"partner,omitempty"` // what has to go with the request
	Killed    bool     `json:"killed"`
	Failed    []string `json:"failed"`
	Unrelated []string `json:"unrelated"`
	Headlines []string `json:"headlines"`        // of the defects that a run reports
	Reason    string   `json:"reason,omitempty"` // why the own rule did not fail
	// whether the script of the first headline tells fault from health: "yes", or what it said
	ScriptResult string `json:"repeats"`
}

// FaultCases makes a subject of each fault.
func FaultCases(faults []reference.Fault, seed int64) []GatewayCase {
	var list []GatewayCase
	for _, f := range faults {
		list = append(list, GatewayCase{Fault: f, Seed: seed})
	}
	return list
}

// NewMatrix sums findings about faults up.
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
			row.Reason = f.Reasons[row.Rule]
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
