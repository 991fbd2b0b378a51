package target

import (
	"github.com/gateassay/gateassay/gateway/deployment"
)

// ChooseByDepth is the value for the depth of the run.
func ChooseByDepth[T any](t *Target, quick, standard, thorough T) T {
	return map[string]T{
		deployment.DepthQuick:    quick,
		deployment.DepthStandard: standard, deployment.DepthThorough: thorough,
	}[t.Depth]
}

// RaceSize is how many requests a race has, which arrive at one instant.
func (t *Target) RaceSize() int { return ChooseByDepth(t, 2, 8, 16) }
