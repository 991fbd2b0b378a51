package record

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
)

// Observation is behaviour of the deployment that the document leaves open.
type Observation struct {
	ID        string          `json:"id"`
	Observed  string          `json:"observed"` // Values in words
	Values    []ObservedValue `json:"values,omitempty"`
	Exchanges []int           `json:"exchanges"`
}

// ObservedValue is one observed value or list. Two runs that observe the same write the same, in
// the same order.
type ObservedValue struct {
	// what was observed, such as "missing field"; empty: the only value
	Name   string   `json:"name,omitempty"`
	Values []string `json:"values"`
	// differs between any two runs, as a duration does: reports show it and do not compare it
	Varies bool `json:"varies,omitempty"`
}

func (v ObservedValue) String() string {
	text := strings.Join(v.Values, ", ")
	if v.Name == "" {
		return text
	}
	return v.Name + ": " + text
}

// FormatValues returns the values in one line.
func FormatValues(values []ObservedValue) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = v.String()
	}
	return strings.Join(texts, "; ")
}

// joinObservations joins the observed checks of each observe rule, in the order of their first
// check. Observed checks of other rules are left out: these had nothing to judge.
func joinObservations(checks []CheckResult, catalogue []rules.Rule) []Observation {
	judged := map[string]bool{}
	for _, r := range catalogue {
		judged[r.ID] = r.Level != rules.Observe
	}
	list := []Observation{}
	for _, c := range checks {
		if c.Verdict != VerdictObserved || judged[c.Rule] {
			continue
		}
		i := slices.IndexFunc(list, func(o Observation) bool { return o.ID == c.Rule })
		if i < 0 {
			list = append(list,
				Observation{ID: c.Rule, Observed: c.Message, Values: c.Values, Exchanges: append([]int{},
					c.Exchanges...)})
			continue
		}
		list[i].Observed += "; " + c.Message
		list[i].Values = append(list[i].Values, c.Values...)
		list[i].Exchanges = append(list[i].Exchanges, c.Exchanges...)
	}
	return list
}
