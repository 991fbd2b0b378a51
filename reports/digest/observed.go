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
	var found []Seen
	for _, b := range By(run.Observations, func(o record.Observation) string { return operationOf(o.ID) }) {
		one := Seen{Operation: b.Key}
		for _, o := range b.Items {
			one.Rows = append(one.Rows, Sight{o, statements[o.ID]})
		}
		found = append(found, one)
	}
	inOrder(found, func(s Seen) string { return s.Operation })
	return found
}
