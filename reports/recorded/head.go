package recorded

import (
	"time"

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
