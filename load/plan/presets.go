package plan

import (
	"time"

	"github.com/gateassay/gateassay/load/schedule"
)

// Preset is a plan's schedule by name: rate is its highest rate, per second, length how long it lasts in all.
type Preset struct {
	Name   string
	Words  string // what it is for
	Rate   float64
	Length time.Duration

	stages func(rate float64, length time.Duration) []schedule.Stage
}

// Presets lists the presets. --rate and --duration change their highest rate and their length.
func Presets() []Preset {
	return []Preset{
		{
			Name: "smoke", Words: "a short, gentle run that shows whether load works at all", Rate: 20,
			Length: 10 * time.Second,
			stages: func(rate float64, length time.Duration) []schedule.Stage {
				return []schedule.Stage{{Name: "smoke", Kind: schedule.Constant, Rate: rate, For: length}}
			},
		},
		{
			Name: "soak", Words: "a steady rate for hours, for leaks and what builds up", Rate: 100,
			Length: 4 * time.Hour,
			stages: func(rate float64, length time.Duration) []schedule.Stage {
				warm := min(length/10, time.Minute)
				return []schedule.Stage{
					{Name: "warm-up", Kind: schedule.Ramp, To: rate, For: warm},
					{Name: "soak", Kind: schedule.Constant, Rate: rate, For: length - warm},
				}
			},
		},
		{
			Name: "stress", Words: "ten steps up to a rate that may be too much", Rate: 500, Length: 10 * time.Minute,
			stages: func(rate float64, length time.Duration) []schedule.Stage {
				return []schedule.Stage{{
					Name: "stress", Kind: schedule.Steps, From: rate / 10,
					To: rate, Count: 10, Each: length / 10,
				}}
			},
		},
		{
			Name: "spike", Words: "a calm rate with a sudden crest ten times as high", Rate: 500,
			Length: 3 * time.Minute,
			stages: func(rate float64, length time.Duration) []schedule.Stage {
				return []schedule.Stage{{
					Name: "spike", Kind: schedule.Spike, Base: rate / 10, Peak: rate,
					At: length / 3, Width: length / 6, For: length,
				}}
			},
		},
	}
}

func presetNames() []string {
	var names []string
	for _, p := range Presets() {
		names = append(names, p.Name)
	}
	return names
}
