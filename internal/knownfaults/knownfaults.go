// Package knownfaults is the fault dictionary: which rules a fault of a gateway breaks together.
package knownfaults

import (
	_ "embed"
	"encoding/json"
	"sync"

	"github.com/gateassay/gateassay/internal/outcome"
)

// Fault is a row of the dictionary: the rules that one fault of a gateway breaks together, and how
// each fails.
type Fault struct {
	Name string `json:"fault"`
	// in words; empty: several faults look so, and LeadRule says which
	Description string `json:"does,omitempty"`
	LeadRule    string `json:"lead"` // the rule that it is about
	// by rule that it breaks: the outcomes of what failed of it; none: any
	Outcomes map[string][]outcome.Outcome `json:"ends"`
}

//go:embed dictionary.json
var dictionaryData []byte

// All lists the faults that break several rules, as the proof found them (make generate).
var All = sync.OnceValue(func() (all []Fault) {
	if err := json.Unmarshal(dictionaryData, &all); err != nil {
		panic("the fault dictionary is damaged: " + err.Error())
	}
	return all
})
