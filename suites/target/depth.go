package target

import "github.com/gateassay/gateassay/suites/record"

// ByDepth is the value for the depth of the run.
func ByDepth[T any](t *Target, quick, standard, thorough T) T {
	return map[string]T{record.Quick: quick, record.Standard: standard, record.Thorough: thorough}[t.Depth]
}

// RaceSize is how many requests a race has, which arrive at one instant.
func (t *Target) RaceSize() int { return ByDepth(t, 2, 9, 16) }
