package plan

import (
	"strings"
	"time"

	"github.com/gateassay/gateassay/load/schedule"
)

const stageForms = "{rate, for}, {ramp: [from, to], for}, {steps: {from, to, step | count, each}}, " +
	"{spike: {base, peak, at, width}, for} or {sine: {mean, amplitude, period}, for}"

// stage is a stage as it is written: one of its shapes.
type stage struct {
	// For thresholds and reports.
	Name string `yaml:"name"`
	// A constant rate.
	Rate float64 `yaml:"rate" jsonschema:"type=string,format=rate"`
	// Two rates, [from, to], linearly.
	Ramp [2]float64 `yaml:"ramp" jsonschema:"format=rate"`
	// From a rate to another in steps.
	Steps *steps `yaml:"steps" jsonschema_extras:"optional=true"`
	// A calm rate with a crest.
	Spike *spike `yaml:"spike" jsonschema_extras:"optional=true"`
	// A rate that swings around its mean.
	Sine *sine `yaml:"sine" jsonschema_extras:"optional=true"`
	// How long the stage lasts; required but for steps.
	For time.Duration `yaml:"for"`
}

type steps struct {
	// The first rate.
	From float64 `yaml:"from" jsonschema:"type=string,required,format=rate" jsonschema_extras:"sample=10/s"`
	// The last rate.
	To float64 `yaml:"to" jsonschema:"type=string,required,format=rate" jsonschema_extras:"sample=100/s"`
	// The distance of two rates, or
	Step float64 `yaml:"step" jsonschema:"type=string,format=rate"`
	// how many rates there are.
	Count int `yaml:"count" jsonschema:"minimum=1"`
	// How long each lasts.
	Each time.Duration `yaml:"each" jsonschema:"required" jsonschema_extras:"sample=30s"`
}

type spike struct {
	// The calm rate.
	Base float64 `yaml:"base" jsonschema:"type=string,required,format=rate" jsonschema_extras:"sample=10/s"`
	// The rate of the crest.
	Peak float64 `yaml:"peak" jsonschema:"type=string,required,format=rate" jsonschema_extras:"sample=100/s"`
	// When the crest begins, from the start of the stage.
	At time.Duration `yaml:"at" jsonschema:"required" jsonschema_extras:"sample=1m"`
	// How long the crest lasts.
	Width time.Duration `yaml:"width" jsonschema:"oneof_required=width"`
	// The width by another name.
	For time.Duration `yaml:"for" jsonschema:"oneof_required=for"`
}

type sine struct {
	// The rate around which it swings.
	Mean float64 `yaml:"mean" jsonschema:"type=string,required,format=rate" jsonschema_extras:"sample=50/s"`
	// How far it swings, at most the mean.
	Amplitude float64 `yaml:"amplitude" jsonschema:"type=string,required,format=rate" jsonschema_extras:"sample=20/s"`
	// How long one swing takes.
	Period time.Duration `yaml:"period" jsonschema:"required" jsonschema_extras:"sample=10m"`
}

// stage makes the stage of a key out of how it is written.
func (r *reader) stage(key string, s stage) schedule.Stage {
	var shapes []string
	for _, name := range []string{"rate", "ramp", "steps", "spike", "sine"} {
		if r.Has(key + "." + name) {
			shapes = append(shapes, name)
		}
	}
	long := r.Has(key + ".for")
	switch {
	case len(shapes) == 0:
		r.Add(key, "expected a stage: "+stageForms+", found none of these", "")
	case len(shapes) > 1:
		r.Add(key, "expected one of rate, ramp, steps, spike and sine, found "+strings.Join(shapes, " and "),
			"make it two stages")
	case s.Steps != nil && long:
		r.Add(key+".for", "expected no length beside steps, found one", "each says how long every step lasts")
	case s.Steps == nil && !long:
		r.Add(key+".for", "required, but missing", "add for: 5m")
	}
	out := schedule.Stage{Name: s.Name, Kind: schedule.Constant, Rate: s.Rate, For: s.For}
	switch {
	case s.Steps != nil:
		t := s.Steps
		out.Kind, out.From, out.To = schedule.Steps, t.From, t.To
		out.Step, out.Count, out.Each = t.Step, t.Count, t.Each
	case s.Spike != nil:
		t := s.Spike
		out.Kind, out.Base, out.Peak, out.At, out.Width = schedule.Spike, t.Base, t.Peak, t.At, t.Width+t.For
	case s.Sine != nil:
		out.Kind, out.Mean, out.Amplitude, out.Period = schedule.Sine, s.Sine.Mean, s.Sine.Amplitude, s.Sine.Period
	case r.Has(key + ".ramp"):
		out.Kind, out.From, out.To = schedule.Ramp, s.Ramp[0], s.Ramp[1]
	}
	return out
}
