package record

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
)

// Observation is something the document does not show, as seen on this deployment.
type Observation struct {
	ID        string  `json:"id"`
	Observed  string  `json:"observed"` // Values in words
	Values    []Value `json:"values,omitempty"`
	Exchanges []int   `json:"exchanges"`
}

// Value is one thing that was seen. Two runs that see the same write the same, in the same order.
type Value struct {
	Name   string   `json:"name,omitempty"` // what it is of, such as "missing field"; empty: nothing else was seen
	Values []string `json:"values"`
	Varies bool     `json:"varies,omitempty"` // between any two runs, as durations do: it is shown and not compared
}

// Seen is what was seen of something.
func Seen(name string, values ...string) Value { return Value{Name: name, Values: values} }

// Each makes a value without a name of each text.
func Each(texts []string) []Value {
	values := make([]Value, len(texts))
	for i, text := range texts {
		values[i] = Seen("", text)
	}
	return values
}

func (v Value) String() string {
	text := strings.Join(v.Values, ", ")
	if v.Name == "" {
		return text
	}
	return v.Name + ": " + text
}

// InWords writes values in one line.
func InWords(values []Value) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = v.String()
	}
	return strings.Join(texts, "; ")
}

// observations joins what was noted about each rule that is never judged, in the order in which it was first seen. A
// check of another rule that is observed found nothing to judge.
func observations(checks []Check, catalogue []rules.Rule) []Observation {
	judged := map[string]bool{}
	for _, r := range catalogue {
		judged[r.ID] = r.Level != rules.Observe
	}
	list := []Observation{}
	for _, c := range checks {
		if c.Verdict != Observed || judged[c.Rule] {
			continue
		}
		i := slices.IndexFunc(list, func(o Observation) bool { return o.ID == c.Rule })
		if i < 0 {
			list = append(list, Observation{ID: c.Rule, Observed: c.Message, Values: c.Values, Exchanges: append([]int{}, c.Exchanges...)})
			continue
		}
		list[i].Observed += "; " + c.Message
		list[i].Values = append(list[i].Values, c.Values...)
		list[i].Exchanges = append(list[i].Exchanges, c.Exchanges...)
	}
	return list
}
