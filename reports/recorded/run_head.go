package recorded

import (
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/suites/record"
)

// RunHead is what runs of every kind say of themselves.
type RunHead struct {
	ID         string
	Deployment string
	BaseURL    string
	Started    time.Time
	Finished   time.Time
	Partial    bool
	Verdict    string
	Reason     string
	Embedded   bool // the reference gateway answered, in place of a deployment
	// see deployment.File.Fingerprint; empty: an earlier version made the run
	Fingerprint string
	Depth       string               // conformance
	Selected    record.RuleSelection // conformance
}

// VerdictText is the verdict as lists show it, with its extent.
func (h RunHead) VerdictText() string { return strings.TrimSuffix(h.Verdict+", "+h.Extent(), ", ") }

// Extent is how much was tried, where that is not what a run tries that is asked for nothing else.
func (h RunHead) Extent() string {
	var parts []string
	if h.Depth != "" && h.Depth != deployment.DepthStandard {
		parts = append(parts, "depth "+h.Depth)
	}
	if h.Selected.IsPartial() {
		parts = append(parts, h.Selected.String())
	}
	return strings.Join(parts, ", ")
}

// Head is that of the run, whatever its kind.
func (r Run) Head() RunHead {
	if c := r.Conformance; r.Kind == KindConformance {
		return RunHead{
			c.Run.ID, c.Run.Deployment, c.Run.BaseURL, c.Run.StartedAt, c.Run.FinishedAt, c.Run.Partial,
			string(c.Verdict), c.Reason,
			c.Run.Embedded, c.Run.Fingerprint, c.Run.Depth, c.Run.Selected,
		}
	}
	i, verdict, reason := r.Load.Run, r.Load.Verdict, r.Load.Reason
	if c := r.Capacity; r.Kind == KindCapacity {
		i, verdict, reason = c.Run, c.Verdict, c.Reason
		i.Partial = i.Partial || c.Capacity.Limit == capacity.LimitedByInterrupt
	}
	return RunHead{
		i.ID, i.Deployment, i.BaseURL, i.StartedAt, i.FinishedAt, i.Partial, string(verdict),
		reason,
		i.Embedded, i.Fingerprint, "",
		record.RuleSelection{},
	}
}
