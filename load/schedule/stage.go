// Package schedule is the arithmetic of a load plan: how many requests it has, and the moment at which each is meant to
// be sent.
//
// A schedule is a rate over time. C(t), its integral, is the number of requests that are due by t, and request k = 0,
// 1, ... is sent when C reaches k and goes beyond it:
//
//	T(k) = inf { t : C(t) > k }
//
// So T(0) is 0 where the rate is positive from the start, a constant rate r sends at 0, 1/r, 2/r, ..., a time without
// rate holds its next request until the rate comes back, and a stage that lasts from a to b sends in [a, b): the first
// moment of a stage belongs to it, the last to its successor. There are K = ⌈C(end)⌉ requests.
//
// Everything is a pure function of the stages: nothing adds up on the way, so nothing drifts however long a run is, and
// any process can work out its share (shard i of N owns every k with k mod N = i) without asking another.
package schedule

import "time"

// Kind is the shape of a stage.
type Kind string

// The shapes of a stage.
const (
	Constant Kind = "constant" // Rate for For
	Ramp     Kind = "ramp"     // From to To, linearly, over For
	Steps    Kind = "steps"    // From to To by Step, or in Count equal steps, each rate held for Each
	Spike    Kind = "spike"    // Base, from At on Peak for Width, then Base again, For in all
	Sine     Kind = "sine"     // Mean + Amplitude·sin(2πt/Period), for For
)

// Stage is one part of a schedule. All rates are requests per second. Fields that the kind does not use are zero.
type Stage struct {
	Name string        `json:"name,omitempty"` // for thresholds and reports; may be empty
	Kind Kind          `json:"kind"`
	For  time.Duration `json:"for_ns,omitempty"` // how long; Steps gives it as the number of rates times Each

	Rate float64 `json:"rate,omitempty"`

	From float64 `json:"from,omitempty"`
	To   float64 `json:"to,omitempty"`

	// Steps: distance of two rates, greater than 0; the last step may be shorter
	Step  float64       `json:"step,omitempty"`
	Count int           `json:"count,omitempty"` // Steps, instead of Step: how many rates, From and To included
	Each  time.Duration `json:"each_ns,omitempty"`

	Base  float64       `json:"base,omitempty"`
	Peak  float64       `json:"peak,omitempty"`
	At    time.Duration `json:"at_ns,omitempty"`
	Width time.Duration `json:"width_ns,omitempty"`

	Mean      float64       `json:"mean,omitempty"`
	Amplitude float64       `json:"amplitude,omitempty"` // not above Mean
	Period    time.Duration `json:"period_ns,omitempty"`
}

// Duration is how long the stage lasts.
func (s Stage) Duration() time.Duration {
	if s.Kind == Steps {
		return time.Duration(s.levels()) * s.Each
	}
	return s.For
}

// MaxRate is the highest rate of the stage, in requests per second.
func (s Stage) MaxRate() float64 {
	switch s.Kind {
	case Ramp, Steps:
		return max(s.From, s.To)
	case Spike:
		return max(s.Base, s.Peak)
	case Sine:
		return s.Mean + s.Amplitude
	}
	return s.Rate
}
