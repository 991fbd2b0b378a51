package recorded

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/capacity"
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

// Parse reads a run.json of whichever kind, and nothing beside it.
func Parse(data []byte) (Run, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return Run{}, err
	}
	kind, known := ofSchema(head.Schema)
	if !known {
		return Run{}, UnknownSchema(head.Schema)
	}
	r := Run{Kind: kind}
	return r, json.Unmarshal(data, map[Kind]any{
		OfConformance: &r.Conformance,
		OfLoad:        &r.Load, OfCapacity: &r.Capacity,
	}[kind])
}
