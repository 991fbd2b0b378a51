package plan

import (
	"fmt"
	"time"

	"github.com/gateassay/gateassay/load/schedule"
)

// Preset is a schedule by name.
type Preset struct {
	Name   string
	Rate   float64       // the highest, in requests per second; --rate changes it
	Length time.Duration // --duration changes it
}

// Presets lists the presets.
func Presets() []Preset {
	return []Preset{
		{"smoke", 20, 10 * time.Second},   // short and gentle: does load work at all?
		{"soak", 100, 4 * time.Hour},      // a steady rate for hours, for leaks and what builds up
		{"stress", 500, 10 * time.Minute}, // ten steps up to a rate that may be too much
		{"spike", 500, 3 * time.Minute},   // a calm rate with a sudden crest ten times as high
	}
}

func (p Preset) stages() (list []schedule.Stage) {
	add := func(name string, rate float64, length time.Duration) {
		list = append(list, schedule.Stage{Name: name, From: rate, To: rate, For: length})
	}
	switch p.Name {
	case "soak":
		warm := min(p.Length/10, time.Minute)
		list = append(list, schedule.Stage{Name: "warm-up", To: p.Rate, For: warm})
		add("soak", p.Rate, p.Length-warm)
	case "stress":
		for i := range 10 {
			add(fmt.Sprintf("step %d", i+1), p.Rate*float64(i+1)/10, p.Length/10)
		}
	case "spike":
		calm, crest := p.Length/3, p.Length/6
		add("calm", p.Rate/10, calm)
		add("spike", p.Rate, crest)
		add("after", p.Rate/10, p.Length-calm-crest)
	default:
		add(p.Name, p.Rate, p.Length)
	}
	return list
}

func presetNames() []string {
	var names []string
	for _, p := range Presets() {
		names = append(names, p.Name)
	}
	return names
}
