package target

import (
	"github.com/gateassay/gateassay/gateway/deployment"
)

// ChooseByDepth returns the value for the depth of the run.
func ChooseByDepth[T any](t *Target, quick, standard, thorough T) T {
	return map[string]T{
		deployment.DepthQuick:    quick,
		deployment.DepthStandard: standard, deployment.DepthThorough: thorough,
	}[t.Depth]
}

// RaceSize returns the number of requests in a race, which are sent at the same moment.
func (t *Target) RaceSize() int { return ChooseByDepth(t, 2, 8, 16) }
