package plan

import (
	"fmt"
	"time"

	"github.com/gateassay/gateassay/load/schedule"
)

// Preset is a plan's schedule by name: rate is its highest rate, per second, length how long it lasts in all.
type Preset struct {
	Name   string
	Rate   float64
	Length time.Duration

	stages func(rate float64, length time.Duration) []schedule.Stage
}

// Presets lists the presets. --rate and --duration change their highest rate and their length.
func Presets() []Preset {
	return []Preset{
		// A short, gentle run that shows whether load works at all.
		{"smoke", 20, 10 * time.Second, func(rate float64, length time.Duration) []schedule.Stage {
			return []schedule.Stage{constant("smoke", rate, length)}
		}},
		// A steady rate for hours, for leaks and what builds up.
		{"soak", 100, 4 * time.Hour, func(rate float64, length time.Duration) []schedule.Stage {
			warm := min(length/10, time.Minute)
			return []schedule.Stage{
				{Name: "warm-up", Kind: schedule.Ramp, To: rate, For: warm},
				constant("soak", rate, length-warm),
			}
		}},
		// Ten steps up to a rate that may be too much.
		{"stress", 500, 10 * time.Minute, func(rate float64, length time.Duration) (list []schedule.Stage) {
			for i := range 10 {
				list = append(list, constant(fmt.Sprintf("step %d", i+1), rate*float64(i+1)/10, length/10))
			}
			return list
		}},
		// A calm rate with a sudden crest ten times as high.
		{"spike", 500, 3 * time.Minute, func(rate float64, length time.Duration) []schedule.Stage {
			third, crest := length/3, length/6
			return []schedule.Stage{
				constant("calm", rate/10, third), constant("spike", rate, crest), constant("after", rate/10, length-third-crest),
			}
		}},
	}
}

func constant(name string, rate float64, length time.Duration) schedule.Stage {
	return schedule.Stage{Name: name, Kind: schedule.Constant, Rate: rate, For: length}
}

func presetNames() []string {
	var names []string
	for _, p := range Presets() {
		names = append(names, p.Name)
	}
	return names
}
