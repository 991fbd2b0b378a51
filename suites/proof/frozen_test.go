//go:build !race

package proof_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/internal/knownfaults"
	"github.com/gateassay/gateassay/suites/proof"
	"github.com/gateassay/gateassay/suites/record"
)

// freeze returns the line of a fault in the file that later proofs are compared with: fault,
// verdict, rules, number of headlines, first headline, and whether its script confirms the fault.
func freeze(f proof.GatewayCaseResult) string {
	repeats := "no"
	if f.ScriptResult == proof.ScriptConfirmed {
		repeats = "yes"
	}
	verdict := record.RunConformant
	if len(f.Violated) > 0 {
		verdict = record.RunViolations
	}
	return fmt.Sprintf("%s\t%s\t%s\t%d\t%s\t%s", f.Subject.Fault.Name, verdict,
		strings.Join(f.Failed, " "), len(f.Headlines),
		strings.Join(f.Headlines[:min(1, len(f.Headlines))], ""), repeats)
}

// worse reports whether the result for a fault is worse than its frozen line: another verdict, a
// rule that no longer fails, one more headline, or a script that no longer confirms it.
func worse(f proof.GatewayCaseResult, was string) bool {
	is, before := strings.Split(freeze(f), "\t"), strings.Split(was, "\t")
	fewer := slices.ContainsFunc(strings.Fields(before[2]),
		func(id string) bool { return !slices.Contains(f.Failed, id) })
	headlines, _ := strconv.Atoi(before[3])
	lost := len(before) > 5 && before[5] == "yes" && is[5] != "yes"
	return lost || is[1] != before[1] || fewer || len(f.Headlines) > headlines
}

// dictionary returns the fault dictionary: the faults that break several rules, one for each
// combination of failed rules and outcomes.
func dictionary(findings []proof.GatewayCaseResult) string {
	var rows []knownfaults.Fault
	at := map[string]int{}
	for _, f := range findings {
		if len(f.Signature.Outcomes) < 2 {
			continue
		}
		row := f.Signature
		key, _ := json.Marshal(row)
		row.Name, row.LeadRule = f.Subject.Fault.Name, f.Subject.Fault.Rule
		row.Description = f.Subject.Fault.Statement
		if i, known := at[string(key)]; !known {
			at[string(key)] = len(rows)
			rows = append(rows, row)
		} else if rows[i].Description != row.Description {
			rows[i].Description = "" // the rules cannot distinguish these faults
		}
	}
	for i, r := range rows {
		causes := slices.Compact(slices.Sorted(maps.Values(r.Causes)))
		if len(causes) == 1 && len(r.Causes) == len(r.Outcomes) {
			rows[i].Description = "" // the cause says it, and the finding how many rows
		}
	}
	var lines []string
	for _, r := range rows {
		line, _ := json.Marshal(r)
		lines = append(lines, string(line))
	}
	return "[\n" + strings.Join(lines, ",\n") + "\n]\n"
}
