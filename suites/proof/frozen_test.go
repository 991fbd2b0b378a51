//go:build !race

package proof_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/suites/proof"
	"github.com/gateassay/gateassay/suites/record"
)

// frozenFault is what a run said of a fault when the proof was frozen: a line of a file that later proofs are held against.
type frozenFault struct {
	Fault, Verdict string
	Failed         []string // rules
	Headlines      int      // 0: they were not frozen
	First          string   // headline
}

// freeze keeps what was found of a fault.
func freeze(f proof.Finding) frozenFault {
	verdict := record.Conformant
	if len(f.Violated) > 0 {
		verdict = record.Violations
	}
	return frozenFault{f.Subject.Fault.Name, string(verdict), f.Failed, len(f.Headlines), strings.Join(f.Headlines[:min(1, len(f.Headlines))], "")}
}

func (f frozenFault) String() string {
	return fmt.Sprintf("%s\t%s\t%s\t%d\t%s", f.Fault, f.Verdict, strings.Join(f.Failed, " "), f.Headlines, f.First)
}

// readFrozen reads the lines of a frozen proof, by fault.
func readFrozen(text string) (map[string]frozenFault, error) {
	all := map[string]frozenFault{}
	for line := range strings.Lines(text) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		var f frozenFault
		if len(parts) != 5 {
			return nil, fmt.Errorf("%q is no line of a frozen proof: fault, verdict, rules, number of headlines and the first of them", line)
		}
		if _, err := fmt.Sscan(parts[3], &f.Headlines); err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		f.Fault, f.Verdict, f.Failed, f.First = parts[0], parts[1], strings.Fields(parts[2]), parts[4]
		all[f.Fault] = f
	}
	return all, nil
}

// against says how a fault is found otherwise than it was, and whether that is worse; empty where it is not. What is worse
// is another verdict, a rule that fails no more, and a further headline.
func (f frozenFault) against(was frozenFault) (change string, worse bool) {
	if was.Headlines == 0 {
		f.Headlines, f.First = 0, was.First
	}
	if f.String() == was.String() {
		return "", false
	}
	fewer := slices.ContainsFunc(was.Failed, func(id string) bool { return !slices.Contains(f.Failed, id) })
	return fmt.Sprintf("%s, was %s", f, was), f.Verdict != was.Verdict || fewer || f.Headlines > was.Headlines
}

// dictionary makes the fault dictionary of record: the faults that break several rules, one for each set of rules that fail
// alike.
func dictionary(findings []proof.Finding) string {
	var rows []record.Fault
	at := map[string]int{}
	for _, f := range findings {
		if len(f.Ends) < 2 {
			continue
		}
		fault := f.Subject.Fault
		key, _ := json.Marshal(f.Ends)
		if i, known := at[string(key)]; !known {
			at[string(key)] = len(rows)
			rows = append(rows, record.Fault{Name: fault.Name, Does: fault.Statement, Lead: fault.Rule, Ends: f.Ends})
		} else if rows[i].Does != fault.Statement {
			rows[i].Does = "" // the rules do not tell them apart
		}
	}
	var lines []string
	for _, r := range rows {
		line, _ := json.Marshal(r)
		lines = append(lines, string(line))
	}
	return "[\n" + strings.Join(lines, ",\n") + "\n]\n"
}
