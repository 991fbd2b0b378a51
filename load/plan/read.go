package plan

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/yamlschema"
	"github.com/gateassay/gateassay/load/schedule"
)

// Form is a plan as it is written: what has a simpler form in YAML than in Plan.
type Form struct {
	Plan `yaml:",inline"`
	// A schedule by name: smoke, soak, stress or spike.
	Preset string `yaml:"preset" jsonschema:"format=preset" jsonschema_extras:"sample=soak"`
	// Requests per second, or with a unit: 500/s, 50/1s, 3000/1m; with a preset its highest rate.
	Rate float64 `yaml:"rate" jsonschema:"type=string,format=rate" jsonschema_extras:"sample=500/s"`
	// How long the rate or the preset lasts, such as 5m, 4h or 2d.
	Duration time.Duration `yaml:"duration" jsonschema_extras:"sample=4h"`
	// The schedule in place of these three, one stage after the other: each with a rate or a ramp, and a name for
	// thresholds and reports where it helps.
	Stages []Stage `yaml:"stages" jsonschema_extras:"sample=- {name: up\\, ramp: [10/s\\, 200/s]\\, for: 1m}"`
}

// reader reads a plan from a file and from flags.
type reader struct {
	*strictyaml.Reader
	form Form
}

func format() *strictyaml.Format {
	texts := Texts()
	texts["http"] = yamlschema.OneOf("one of auto, 1.1, 2", "auto", "1.1", "2")
	texts["preset"] = yamlschema.OneOf("one of the presets "+strings.Join(presetNames(), ", "), presetNames()...)
	return &strictyaml.Format{
		Name: "plan", Of: Form{}, Begin: "begin with rate: 10/s and duration: 1m, or give --preset",
		Texts: texts,
	}
}

func newReader(name string) *reader {
	r := &reader{}
	r.Reader = strictyaml.NewReader(format(), name, filepath.Dir(name), os.LookupEnv)
	return r
}

// Load reads a plan from a file, and what flags set over it. The error is a *strictyaml.Problems that lists everything
// that is wrong.
func Load(path string, flags ...Setting) (*Plan, error) {
	data, err := Read(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data, flags...)
}

// Read reads the text of a plan: a regular file of a bounded size. The error is a *strictyaml.Problems.
func Read(path string) ([]byte, error) { return format().Read(path) }

// Parse reads a plan from memory, and what flags set over it. name is what problems call it. The error is a
// *strictyaml.Problems.
func Parse(name string, data []byte, flags ...Setting) (*Plan, error) {
	r := newReader(name)
	r.Document(data)
	return r.finish(flags)
}

// FromFlags makes a plan of flags alone; without any it is that of the preset smoke. The error is a
// *strictyaml.Problems.
func FromFlags(flags ...Setting) (*Plan, error) {
	return newReader("plan").finish(flags)
}

// finish reads the flags over the file and checks the whole.
func (r *reader) finish(flags []Setting) (*Plan, error) {
	r.settings(flags)
	r.Decode(&r.form)
	plan := &r.form.Plan
	plan.Schema, plan.Shards = Schema, 1
	for _, list := range []*[]string{&plan.SLO, &plan.AbortOn} {
		if *list == nil {
			*list = []string{}
		}
	}
	if r.Err() == nil {
		r.schedule()
	}
	if r.Err() == nil {
		for _, w := range plan.check() {
			r.Add(r.written(w.Key), w.Message(), w.Hint)
		}
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return plan, nil
}

// written is the key that a person wrote for what is wrong with a stage: the simple forms have none.
func (r *reader) written(key string) string {
	if r.Has("stages") || !strings.HasPrefix(key, "stages") {
		return key
	}
	name := "rate"
	if strings.HasSuffix(key, ".for") {
		name = "duration"
	}
	if !r.Has(name) {
		name = "preset"
	}
	return name
}

// schedule settles the ways to write a schedule into stages.
func (r *reader) schedule() {
	f := &r.form
	switch {
	case r.Has("stages"):
		for _, key := range []string{"preset", "rate", "duration"} {
			if r.Has(key) {
				r.Add(key, "expected either "+key+" or stages, found both", "keep one of them")
			}
		}
		for i, s := range f.Stages {
			f.Plan.Stages = append(f.Plan.Stages, r.stage(fmt.Sprintf("stages[%d]", i), s))
		}
	case f.Preset == "" && r.Has("rate"):
		if !r.Has("duration") {
			r.Add("duration", "required beside rate, but missing", "add duration: 5m to the plan, or --duration 5m")
		}
		f.Plan.Stages = []schedule.Stage{{Kind: schedule.Constant, Rate: f.Rate, For: f.Duration}}
	default:
		name := cmp.Or(f.Preset, "smoke")
		for _, p := range Presets() {
			if p.Name == name {
				r.usePreset(p)
			}
		}
	}
}

func (r *reader) usePreset(p Preset) {
	rate, length := p.Rate, p.Length
	if r.Has("rate") {
		rate = r.form.Rate
	}
	if r.Has("duration") {
		length = r.form.Duration
	}
	if length > schedule.MaxDuration || length < time.Second {
		days := int(schedule.MaxDuration.Hours()) / 24
		r.Add("duration", fmt.Sprintf("expected a length from 1s to %d days, found %s", days, length), "")
		return
	}
	r.form.Plan.Stages = p.stages(rate, length)
	if r.form.Name == "" {
		r.form.Name = p.Name
	}
}
