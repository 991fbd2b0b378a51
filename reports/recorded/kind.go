// Package recorded opens recorded runs of every kind: for all that shows, compares or judges them.
package recorded

import (
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/suites/record"
)

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

// ofSchema returns the kind of the runs whose run.json is of a schema.
func ofSchema(schema string) (kind Kind, known bool) {
	kind, known = map[string]Kind{
		record.Schema: OfConformance, results.Schema: OfLoad, capacity.Schema: OfCapacity,
	}[schema]
	return kind, known
}

// byName returns the kind of the runs that leave a record of a name as they go.
func byName(name string) (kind Kind, known bool) {
	kind, known = map[string]Kind{runfolder.JournalName: OfConformance, runfolder.IntervalsName: OfLoad}[name]
	return kind, known
}
