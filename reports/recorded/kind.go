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

// OfSchema returns the kind of the runs whose run.json is of a schema.
func OfSchema(schema string) (kind Kind, known bool) {
	switch schema {
	case record.Schema:
		return OfConformance, true
	case results.Schema:
		return OfLoad, true
	case capacity.Schema:
		return OfCapacity, true
	}
	return "", false
}

// byName returns the kind of the runs that leave a record of a name as they go.
func byName(name string) (kind Kind, known bool) {
	switch name {
	case runfolder.JournalName:
		return OfConformance, true
	case runfolder.IntervalsName:
		return OfLoad, true
	}
	return "", false
}
