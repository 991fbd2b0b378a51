package digest

import "github.com/gateassay/gateassay/suites/record"

// Seen is what was observed of one operation.
type Seen struct {
	Operation string
	Rows      []Sight
}

// Sight is one observation with the statement of the rule that asks for it, where one does.
type Sight struct {
	record.Observation
	Statement string
}

// Observed groups the observations of a run by operation, in the order in which operations are shown.
func Observed(run record.Run) []Seen {
	statements := map[string]string{}
	for _, r := range run.Rules {
		statements[r.ID] = r.Statement
	}
	at := map[string]int{}
	var found []Seen
	for _, o := range run.Observations {
		name := operationOf(o.ID)
		i, known := at[name]
		if !known {
			i = len(found)
			at[name] = i
			found = append(found, Seen{Operation: name})
		}
		found[i].Rows = append(found[i].Rows, Sight{o, statements[o.ID]})
	}
	inOrder(found, func(s Seen) string { return s.Operation })
	return found
}
