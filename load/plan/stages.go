package plan

import (
	"time"

	"github.com/gateassay/gateassay/load/schedule"
)

const stageForms = "{rate, for} or {ramp: [from, to], for}"

// Stage is a stage as it is written.
type Stage struct {
	// For thresholds and reports.
	Name string `yaml:"name"`
	// A constant rate, or
	Rate float64 `yaml:"rate" jsonschema:"type=string,format=rate"`
	// two rates, [from, to], linearly.
	Ramp [2]float64 `yaml:"ramp" jsonschema:"format=rate"`
	// How long the stage lasts.
	For time.Duration `yaml:"for" jsonschema:"required" jsonschema_extras:"sample=5m"`
}

// stage makes the stage of a key out of how it is written.
func (r *reader) stage(key string, s Stage) schedule.Stage {
	rate, ramp := r.Has(key+".rate"), r.Has(key+".ramp")
	switch {
	case rate && ramp:
		r.Add(key, "expected one of rate and ramp, found both", "make it two stages")
	case !rate && !ramp:
		r.Add(key, "expected a stage: "+stageForms+", found none of these", "")
	case ramp:
		return schedule.Stage{Name: s.Name, Kind: schedule.Ramp, From: s.Ramp[0], To: s.Ramp[1], For: s.For}
	}
	return schedule.Stage{Name: s.Name, Kind: schedule.Constant, Rate: s.Rate, For: s.For}
}
