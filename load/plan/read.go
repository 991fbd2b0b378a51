package plan

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/yamlschema"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/traffic"
)

// YAMLPlan is the YAML form of a plan. It adds keys that have another form in Plan.
type YAMLPlan struct {
	Plan `yaml:",inline"`
	// A schedule by name: smoke, soak, stress or spike.
	Preset string `yaml:"preset" jsonschema:"format=preset" jsonschema_extras:"sample=soak"`
	// Requests per second, or with a unit: 500/s, 50/1s, 3000/1m; with a preset its highest rate.
	Rate float64 `yaml:"rate" jsonschema:"type=string,format=rate" jsonschema_extras:"sample=500/s"`
	// How long the rate or the preset lasts, such as 5m, 4h or 2d.
	Duration time.Duration `yaml:"duration" jsonschema_extras:"sample=4h"`
	// The schedule in place of these three, one stage after the other: each with a rate or a ramp,
	// and a name for thresholds and reports where it helps.
	Stages []YAMLStage `yaml:"stages"`
}

// JSONSchemaExtend adds to the schema what the tags of the fields cannot hold.
func (YAMLPlan) JSONSchemaExtend(root *jsonschema.Schema) {
	root.Properties.Value("track_files").Default = "1%"
	yamlschema.AddSamples(root, map[string]string{
		"stages":        "- {name: up, ramp: [10/s, 200/s], for: 1m}",
		"traffic.modes": "{none: 1, nonce: 3}",
		"connections":   "200",
		"max_in_flight": "500",
	})
}

const stageForms = "{rate, for} or {ramp: [from, to], for}"

// YAMLStage is the YAML form of a stage.
type YAMLStage struct {
	// For thresholds and reports.
	Name string `yaml:"name"`
	// A constant rate, or
	Rate float64 `yaml:"rate" jsonschema:"type=string,format=rate"`
	// two rates, [from, to], linearly.
	Ramp [2]float64 `yaml:"ramp" jsonschema:"format=rate"`
	// How long the stage lasts.
	For time.Duration `yaml:"for" jsonschema:"required" jsonschema_extras:"sample=5m"`
}

type reader struct {
	*strictyaml.Reader
	form YAMLPlan
}

func fileFormat() *strictyaml.Format {
	texts := AmountFormats()
	texts["engine"] = yamlschema.OneOfWords("one of vegeta, direct", EngineVegeta, EngineDirect)
	texts["mode"] = yamlschema.OneOfWords("one of "+strings.Join(traffic.ModeNames(), ", "),
		traffic.ModeNames()...)
	texts["http"] = yamlschema.OneOfWords("one of auto, 1.1, 2", "auto", "1.1", "2")
	texts["preset"] = yamlschema.OneOfWords("one of the presets "+strings.Join(presetNames(), ", "),
		presetNames()...)
	return &strictyaml.Format{
		Name: "plan", Example: YAMLPlan{},
		Begin: "begin with rate: 10/s and duration: 1m, or give --preset", Texts: texts,
	}
}

func newReader(name string) *reader {
	r := &reader{}
	r.Reader = strictyaml.NewReader(fileFormat(), name, filepath.Dir(name), os.LookupEnv)
	return r
}

// Load reads a plan from a file. Flags override its keys. The error is a *strictyaml.Problems.
func Load(path string, flags ...FlagSetting) (*Plan, error) {
	data, err := ReadText(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data, flags...)
}

// ReadText reads the text of a plan. The error is a *strictyaml.Problems.
func ReadText(path string) ([]byte, error) { return fileFormat().Read(path) }

// Parse reads a plan. Flags override its keys. name is the file name in problems. The error is a
// *strictyaml.Problems.
func Parse(name string, data []byte, flags ...FlagSetting) (*Plan, error) {
	r := newReader(name)
	r.ParseDocument(data)
	return r.finishPlan(flags)
}

// FromFlags makes a plan from flags alone. Without flags it is the preset smoke. The error is a
// *strictyaml.Problems.
func FromFlags(flags ...FlagSetting) (*Plan, error) { return newReader("plan").finishPlan(flags) }

func (r *reader) finishPlan(flags []FlagSetting) (*Plan, error) {
	r.applyFlags(flags)
	r.Decode(&r.form)
	plan := &r.form.Plan
	plan.Schema, plan.Shards = Schema, 1
	plan.SLO = append([]string{}, plan.SLO...) // not nil, for JSON
	plan.AbortOn = append([]string{}, plan.AbortOn...)
	if r.Err() == nil {
		r.readSchedule()
	}
	if r.Err() == nil {
		for _, w := range plan.problems().All {
			r.AddProblem(r.writtenKey(w.Key), w.Message, w.Hint)
		}
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return plan, nil
}

// writtenKey returns the key that the user wrote for a key of a stage, which may come from rate,
// duration or preset.
func (r *reader) writtenKey(key string) string {
	stage, isRate := strings.CutSuffix(key, ".rate")
	switch {
	case !strings.HasPrefix(key, "stages"), r.Has(key):
		return key
	case r.Has("stages") && isRate:
		return stage + ".ramp"
	case r.Has("stages"):
		return key
	case r.Has("rate") && !strings.HasSuffix(key, ".for"):
		return "rate"
	case r.Has("duration") && strings.HasSuffix(key, ".for"):
		return "duration"
	}
	return "preset"
}

// readSchedule makes the stages from whichever keys describe the schedule.
func (r *reader) readSchedule() {
	f := &r.form
	switch {
	case r.Has("stages"):
		for _, key := range []string{"preset", "rate", "duration"} {
			if r.Has(key) {
				r.AddProblem(key, "expected either "+key+" or stages, found both", "keep one of them")
			}
		}
		for i, s := range f.Stages {
			f.Plan.Stages = append(f.Plan.Stages, r.readStage(fmt.Sprintf("stages[%d]", i), s))
		}
	case f.Preset == "" && r.Has("rate"):
		if !r.Has("duration") {
			r.AddProblem("duration", "required with rate, but missing",
				"add duration: 5m to the plan, or --duration 5m")
		}
		f.Plan.Stages = []schedule.Stage{schedule.ConstantStage(f.Rate, f.Duration)}
	default:
		name := cmp.Or(f.Preset, "smoke")
		for _, p := range Presets() {
			if p.Name == name {
				r.usePreset(p)
			}
		}
	}
}

func (r *reader) readStage(key string, s YAMLStage) schedule.Stage {
	rate, ramp := r.Has(key+".rate"), r.Has(key+".ramp")
	switch {
	case rate && ramp:
		r.AddProblem(key, "expected one of rate and ramp, found both", "make it two stages")
	case !rate && !ramp:
		r.AddProblem(key, "expected a stage: "+stageForms+", found none of these", "")
	case ramp:
		return schedule.Stage{Name: s.Name, From: s.Ramp[0], To: s.Ramp[1], For: s.For}
	}
	return schedule.Stage{Name: s.Name, From: s.Rate, To: s.Rate, For: s.For}
}

func (r *reader) usePreset(p Preset) {
	if r.Has("rate") {
		p.Rate = r.form.Rate
	}
	if r.Has("duration") {
		p.Length = r.form.Duration
	}
	if p.Length > schedule.MaxDuration || p.Length < time.Second {
		r.AddProblem("duration", fmt.Sprintf("expected a length from 1s to %d days, found %s",
			int(schedule.MaxDuration.Hours())/24, p.Length), "")
		return
	}
	r.form.Plan.Stages, r.form.Name = p.stages(), cmp.Or(r.form.Name, p.Name)
}
