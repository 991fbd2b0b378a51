// Package knownfaults is the fault dictionary: it lists which rules a fault of a gateway breaks
// together.
package knownfaults

import (
	_ "embed"
	"encoding/json"
	"sync"

	"github.com/gateassay/gateassay/internal/outcome"
)

// Fault is an entry of the dictionary: the rules that one fault of a gateway breaks together, and
// how each fails.
type Fault struct {
	Name string `json:"fault"`
	// in words; empty: several faults look like this, and LeadRule stands for them
	Description string `json:"does,omitempty"`
	LeadRule    string `json:"lead"` // the rule that it is about
	// outcomes of the failed checks, by rule; none: any outcome
	Outcomes map[string][]outcome.Outcome `json:"ends"`
	// the rules of which some checks passed
	Partly []string `json:"partly,omitempty"`
	// proven causes of the failures, by rule; none: the rule's failure has no proven cause
	Causes map[string]string `json:"causes,omitempty"`
}

//go:embed dictionary.json
var dictionaryData []byte

// All returns the faults that break several rules, as found by the proof (make generate).
var All = sync.OnceValue(func() (all []Fault) {
	if err := json.Unmarshal(dictionaryData, &all); err != nil {
		panic("the fault dictionary is damaged: " + err.Error())
	}
	return all
})
