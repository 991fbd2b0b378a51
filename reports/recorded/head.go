package recorded

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/suites/record"
)

// Head is what runs of every kind say of themselves.
type Head struct {
	ID         string
	Deployment string
	BaseURL    string
	Started    time.Time
	Finished   time.Time
	Partial    bool
	Verdict    string
	Reason     string
}

// Head is that of the run, whatever its kind.
func (r Run) Head() Head {
	switch r.Kind {
	case OfConformance:
		i := r.Conformance.Run
		return Head{
			i.ID, i.Deployment, i.BaseURL, i.StartedAt, i.FinishedAt,
			i.Partial, string(r.Conformance.Verdict), r.Conformance.Reason,
		}
	case OfLoad:
		i := r.Load.Run
		return Head{
			i.ID, i.Deployment, i.BaseURL, i.StartedAt, i.FinishedAt,
			i.Partial, string(r.Load.Verdict), r.Load.Reason,
		}
	}
	i, c := r.Capacity.Run, r.Capacity
	partial := i.Partial || c.Capacity.Limit == capacity.ByInterrupt
	return Head{i.ID, i.Deployment, i.BaseURL, i.StartedAt, i.FinishedAt, partial, string(c.Verdict), c.Reason}
}

// UnknownSchema reports a run.json of another version; "" where it names none.
type UnknownSchema string

func (u UnknownSchema) Error() string {
	if u == "" {
		return "names no schema"
	}
	return fmt.Sprintf("is of schema %q, which this version does not know",
		printable.Clip(printable.Clean(string(u)), 80))
}

// Parse reads a run.json of whichever kind, and nothing beside it. With an error comes the kind, where it is known.
func Parse(data []byte) (r Run, err error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := runfolder.Bounded(data); err != nil {
		return Run{}, err
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return r, err
	}
	switch head.Schema {
	case record.Schema:
		r.Kind, err = OfConformance, json.Unmarshal(data, &r.Conformance)
	case results.Schema:
		r.Kind, err = OfLoad, json.Unmarshal(data, &r.Load)
	case capacity.Schema:
		r.Kind, err = OfCapacity, json.Unmarshal(data, &r.Capacity)
	default:
		err = UnknownSchema(head.Schema)
	}
	for _, rule := range r.Conformance.Rules {
		for i := range rule.Checks {
			rule.Checks[i].Location = record.Place(rule.Checks[i].Location)
		}
	}
	return r, err
}
