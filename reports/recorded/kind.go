// Package recorded opens recorded runs of every kind: for all that shows, compares or judges them.
package recorded

import "github.com/gateassay/gateassay/gateway/runfolder"

// Kind of a recorded run.
type Kind string

// The kinds.
const (
	OfConformance Kind = "conformance"
	OfLoad        Kind = "load"
	OfCapacity    Kind = "capacity"
)

// Words is the kind within a sentence, with its article.
func (k Kind) Words() string {
	if k == OfCapacity {
		return "a search for the capacity"
	}
	return "a " + string(k) + " run"
}

// asItGoes are the records that runs leave as they go, by name, with the kind of the run.
func asItGoes() map[string]Kind {
	return map[string]Kind{runfolder.JournalName: OfConformance, runfolder.IntervalsName: OfLoad}
}
