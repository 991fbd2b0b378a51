package plan

import (
	"slices"

	"github.com/gateassay/gateassay/load/threshold"
)

// DefaultSLO is the threshold that must hold where the plan has none of its own on errors.
const DefaultSLO = "errors<1%"

// None in place of thresholds lifts DefaultSLO.
const None = "none"

// Thresholds are the conditions that must hold at the end of a run: those of SLO, then DefaultSLO unless one of them is
// on errors. They are empty where SLO is None.
func (p *Plan) Thresholds() []string {
	if slices.Equal(p.SLO, []string{None}) {
		return []string{}
	}
	onErrors := func(expr string) bool {
		t, err := threshold.Parse(expr)
		return err == nil && t.OnErrors()
	}
	if slices.ContainsFunc(p.SLO, onErrors) {
		return slices.Clone(p.SLO)
	}
	return append(slices.Clone(p.SLO), DefaultSLO)
}
