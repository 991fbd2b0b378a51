package proof

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/suites/record"
)

// Frozen is what a run said of a fault when the proof was frozen: a line of a file that later proofs are held against.
type Frozen struct {
	Fault, Verdict string
	Failed         []string // rules
	Headlines      int      // 0: they were not frozen
	First          string   // headline
}

// Freeze keeps what was found of a fault.
func Freeze(f Finding) Frozen {
	verdict := record.Conformant
	if len(f.Violated) > 0 {
		verdict = record.Violations
	}
	return Frozen{f.Subject.Fault.Name, string(verdict), f.Failed, len(f.Headlines), strings.Join(f.Headlines[:min(1, len(f.Headlines))], "")}
}

func (f Frozen) String() string {
	return fmt.Sprintf("%s\t%s\t%s\t%d\t%s", f.Fault, f.Verdict, strings.Join(f.Failed, " "), f.Headlines, f.First)
}

// ReadFrozen reads the lines of a frozen proof, by fault.
func ReadFrozen(text string) (map[string]Frozen, error) {
	all := map[string]Frozen{}
	for line := range strings.Lines(text) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		var f Frozen
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

// Against says how a fault is found otherwise than it was, and whether that is worse; empty where it is not. What is worse
// is another verdict, a rule that fails no more, and a further headline.
func (f Frozen) Against(was Frozen) (change string, worse bool) {
	var parts []string
	say := func(bad bool, format string, args ...any) {
		parts, worse = append(parts, fmt.Sprintf(format, args...)), worse || bad
	}
	if f.Verdict != was.Verdict {
		say(true, "%s, was %s", f.Verdict, was.Verdict)
	}
	for _, id := range was.Failed {
		if !slices.Contains(f.Failed, id) {
			say(true, "-%s", id)
		}
	}
	for _, id := range f.Failed {
		if !slices.Contains(was.Failed, id) {
			say(false, "+%s", id)
		}
	}
	if was.Headlines == 0 {
		return strings.Join(parts, "; "), worse
	}
	if f.Headlines != was.Headlines {
		say(f.Headlines > was.Headlines, "%d headlines, was %d", f.Headlines, was.Headlines)
	}
	if f.First != was.First {
		say(false, "%q, was %q", f.First, was.First)
	}
	return strings.Join(parts, "; "), worse
}

// Dictionary makes the fault dictionary of record: the faults that break several rules, those first that nothing has to
// stand beside, one for each set of rules that fail alike.
func Dictionary(findings []Finding) string {
	var rows []record.Fault
	at := map[string]int{}
	for _, f := range slices.SortedStableFunc(slices.Values(findings), func(a, b Finding) int {
		return cmp.Compare(min(1, len(a.Subject.Fault.Partner)), min(1, len(b.Subject.Fault.Partner)))
	}) {
		fault := f.Subject.Fault
		if len(f.Ends) < 2 {
			continue
		}
		key, _ := json.Marshal(f.Ends)
		i, known := at[string(key)]
		if !known {
			i, at[string(key)] = len(rows), len(rows)
			rows = append(rows, record.Fault{Name: fault.Name, Does: fault.Statement, Lead: fault.Rule, Ends: f.Ends})
		}
		if fault.Partner != "" && !known || fault.Partner == "" && rows[i].Does != fault.Statement {
			rows[i].Does = "" // it takes a condition, or the rules do not tell two faults apart
		}
	}
	var lines []string
	for _, r := range rows {
		line, _ := json.Marshal(r)
		lines = append(lines, string(line))
	}
	return "[\n" + strings.Join(lines, ",\n") + "\n]\n"
}
