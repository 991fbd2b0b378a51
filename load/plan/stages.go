package plan

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/load/schedule"
)

const stageForms = "{rate, for}, {ramp: [from, to], for}, {steps: {from, to, step | count, each}}, {spike: {base, peak, at, width}, for} or {sine: {mean, amplitude, period}, for}"

// stage reads one stage.
func (r *reader) stage(key string, n *yaml.Node) {
	s := schedule.Stage{}
	var shapes []string
	shape := func(name string, kind schedule.Kind, read func(key string, n *yaml.Node)) field {
		return field{name, func(_ *reader, key string, n *yaml.Node) {
			shapes = append(shapes, name)
			s.Kind = kind
			read(key, n)
		}}
	}
	length := func(into *time.Duration) func(*reader, string, *yaml.Node) {
		return func(r *reader, key string, n *yaml.Node) { r.length(key, n, func(d time.Duration) { *into = d }) }
	}
	rate := func(into *float64) func(*reader, string, *yaml.Node) {
		return func(r *reader, key string, n *yaml.Node) { r.rate(key, n, func(f float64) { *into = f }) }
	}
	before := len(r.problems.All)
	given := map[string]bool{}
	need := func(key string, names ...string) { // of a shape's own mapping
		for _, name := range names {
			if _, ok := r.at[below(key, name)]; !ok {
				r.addAt(r.place(key), below(key, name), "a value", "nothing", "add "+name)
			}
		}
	}
	ok := r.mapping(key, n, []field{
		{"name", func(r *reader, key string, n *yaml.Node) {
			if text, ok := r.scalar(key, n, "text"); ok {
				s.Name = text
			}
		}},
		shape("rate", schedule.Constant, func(key string, n *yaml.Node) { rate(&s.Rate)(r, key, n) }),
		shape("ramp", schedule.Ramp, func(key string, n *yaml.Node) {
			if n.Kind != yaml.SequenceNode || len(n.Content) != 2 {
				found := describe(n)
				if n.Kind == yaml.SequenceNode {
					found = fmt.Sprintf("a list of %d", len(n.Content))
				}
				r.addAt(r.place(key), key, "two rates, [from, to]", found, "")
				return
			}
			ends := []*float64{&s.From, &s.To}
			i := 0
			r.items(key, n, 2, func(key string, n *yaml.Node) { rate(ends[i])(r, key, n); i++ })
		}),
		shape("steps", schedule.Steps, func(key string, n *yaml.Node) {
			if r.mapping(key, n, []field{
				{"from", rate(&s.From)},
				{"to", rate(&s.To)},
				{"step", rate(&s.Step)},
				{"count", func(r *reader, key string, n *yaml.Node) {
					r.whole(key, n, 1, schedule.MaxSegments, func(i int64) { s.Count = int(i) })
				}},
				{"each", length(&s.Each)},
			}) {
				need(key, "from", "to", "each")
			}
		}),
		shape("spike", schedule.Spike, func(key string, n *yaml.Node) {
			if r.mapping(key, n, []field{
				{"base", rate(&s.Base)},
				{"peak", rate(&s.Peak)},
				{"at", length(&s.At)},
				{"width", length(&s.Width)},
				{"for", length(&s.Width)}, // the spike's own length by another name
			}) {
				need(key, "base", "peak", "at")
				if s.Width == 0 && !r.bad(key) {
					need(key, "width")
				}
			}
		}),
		shape("sine", schedule.Sine, func(key string, n *yaml.Node) {
			if r.mapping(key, n, []field{{"mean", rate(&s.Mean)}, {"amplitude", rate(&s.Amplitude)}, {"period", length(&s.Period)}}) {
				need(key, "mean", "amplitude", "period")
			}
		}),
		{"for", func(r *reader, key string, n *yaml.Node) { given["for"] = true; length(&s.For)(r, key, n) }},
	})
	at := r.place(key)
	switch {
	case !ok:
	case len(shapes) == 0 && len(r.problems.All) == before:
		r.addAt(at, key, "a stage: "+stageForms, "none of these", "")
	case len(shapes) > 1:
		r.addAt(at, key, "one of rate, ramp, steps, spike and sine", strings.Join(shapes, " and "), "make it two stages")
	case s.Kind == schedule.Steps && given["for"]:
		r.addAt(r.place(key+".for"), key+".for", "no length beside steps", "one", "each says how long every step lasts")
	case s.Kind != schedule.Steps && s.Kind != "" && !given["for"] && len(r.problems.All) == before:
		r.addAt(at, key+".for", lengthWords, "nothing", "add for: 5m")
	}
	r.draft.stages = append(r.draft.stages, s)
}

// schedule settles the ways to write a schedule into stages.
func (r *reader) schedule() {
	d := &r.draft
	has := func(key string) bool { _, ok := r.at[key]; return ok }
	clash := func(key, other string) {
		r.addAt(r.place(key), key, "either "+key+" or "+other, "both", "keep one of them")
	}
	switch {
	case has("stages"):
		for _, key := range []string{"preset", "rate", "duration"} {
			if has(key) {
				clash(key, "stages")
			}
		}
		d.plan.Stages = d.stages
	case d.preset == "" && d.rate == nil && d.plan.Closed && d.length != nil:
		d.plan.Stages = []schedule.Stage{{Kind: schedule.Constant, Rate: Unlimited, For: *d.length}}
	case d.preset == "" && d.rate == nil && d.plan.Closed:
		r.addAt(r.place("closed"), "duration", lengthWords, "nothing", "say how long the closed model goes on, such as duration: 5m")
	case d.preset == "" && d.rate != nil:
		if d.length == nil && !r.bad("duration") {
			r.addAt(r.place("rate"), "duration", lengthWords, "nothing", "say how long the rate lasts, such as duration: 5m")
			return
		}
		if d.length != nil {
			d.plan.Stages = []schedule.Stage{{Kind: schedule.Constant, Rate: *d.rate, For: *d.length}}
		}
	case r.bad("preset") || r.bad("rate"):
	default:
		name := d.preset
		if name == "" {
			name = "smoke"
		}
		for _, p := range Presets() {
			if p.Name == name {
				r.usePreset(p)
			}
		}
	}
}

func (r *reader) usePreset(p Preset) {
	d := &r.draft
	rate, length := p.Rate, p.Length
	if d.rate != nil {
		rate = *d.rate
	}
	if d.length != nil {
		length = *d.length
	}
	if length > schedule.MaxDuration || length < time.Second {
		r.addAt(r.place("duration"), "duration", "a length from 1s to "+strconv.Itoa(int(schedule.MaxDuration.Hours())/24)+" days", length.String(), "")
		return
	}
	d.plan.Stages = p.stages(rate, length)
	if d.plan.Name == "" {
		d.plan.Name = p.Name
	}
}
