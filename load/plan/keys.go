package plan

import (
	"math"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/meant"
	"github.com/gateassay/gateassay/load/schedule"
)

// draft is a plan being read. The simple ways to write a schedule are kept apart until all is known.
type draft struct {
	plan   Plan
	rate   *float64
	length *time.Duration
	preset string
	stages []schedule.Stage
}

// planFields are the keys of a plan.
func planFields() []field {
	return []field{
		textField("name", func(d *draft) *string { return &d.plan.Name }),
		{"preset", (*reader).preset},
		{"rate", func(r *reader, key string, n *yaml.Node) { r.rate(key, n, func(f float64) { r.draft.rate = &f }) }},
		{"duration", func(r *reader, key string, n *yaml.Node) {
			r.length(key, n, func(d time.Duration) { r.draft.length = &d })
		}},
		{"stages", func(r *reader, key string, n *yaml.Node) {
			r.draft.stages = nil
			r.items(key, n, schedule.MaxStages, r.stage)
		}},
		{"traffic", func(r *reader, key string, n *yaml.Node) {
			t := &r.draft.plan.Traffic
			r.mapping(key, n, []field{
				weightsField("modes", &t.Modes), weightsField("bodies", &t.Bodies),
				weightsField("languages", &t.Languages), weightsField("wallets", &t.Wallets),
			})
		}},
		{"repeats", func(r *reader, key string, n *yaml.Node) { r.share(key, n, &r.draft.plan.Repeats) }},
		{"track_files", func(r *reader, key string, n *yaml.Node) { r.share(key, n, &r.draft.plan.TrackFiles) }},
		{"seed", func(r *reader, key string, n *yaml.Node) {
			r.whole(key, n, math.MinInt64, math.MaxInt64, func(i int64) { r.draft.plan.Seed = i })
		}},
		wholeField("shards", 1, maxShards, func(d *draft) *int { return &d.plan.Shards }),
		listField("slo", func(d *draft) *[]string { return &d.plan.SLO }),
		listField("abort_on", func(d *draft) *[]string { return &d.plan.AbortOn }),
		boolField("fail_on_misblock", func(d *draft) *bool { return &d.plan.FailOnMisblock }),
		textField("engine", func(d *draft) *string { return &d.plan.Engine }),
		textField("http", func(d *draft) *string { return &d.plan.HTTP }),
		wholeField("connections", 0, maxInUse, func(d *draft) *int { return &d.plan.Connections }),
		boolField("closed", func(d *draft) *bool { return &d.plan.Closed }),
		boolField("trace", func(d *draft) *bool { return &d.plan.Trace }),
		wholeField("max_in_flight", 0, maxInUse, func(d *draft) *int { return &d.plan.MaxInFlight }),
		{"timeout", func(r *reader, key string, n *yaml.Node) {
			r.length(key, n, func(d time.Duration) { r.draft.plan.Timeout = d })
		}},
		boolField("keep_alive", func(d *draft) *bool { return &d.plan.KeepAlive }),
		listField("source_addresses", func(d *draft) *[]string { return &d.plan.SourceAddrs }),
		{"dns_refresh", func(r *reader, key string, n *yaml.Node) {
			r.length(key, n, func(d time.Duration) { r.draft.plan.DNSRefresh = d })
		}},
	}
}

func textField(name string, into func(*draft) *string) field {
	return field{name, func(r *reader, key string, n *yaml.Node) {
		if text, ok := r.scalar(key, n, "text"); ok {
			*into(&r.draft) = text
		}
	}}
}

func listField(name string, into func(*draft) *[]string) field {
	return field{name, func(r *reader, key string, n *yaml.Node) {
		all := []string{}
		r.items(key, n, maxTexts, func(key string, n *yaml.Node) {
			if text, ok := r.scalar(key, n, "text"); ok {
				all = append(all, text)
			}
		})
		*into(&r.draft) = all
	}}
}

func boolField(name string, into func(*draft) *bool) field {
	return field{name, func(r *reader, key string, n *yaml.Node) {
		switch text, ok := r.scalar(key, n, "true or false"); {
		case !ok:
		case text == "true" || text == "false":
			*into(&r.draft) = text == "true"
		default:
			r.refuse(key, n, "true or false", "")
		}
	}}
}

func wholeField(name string, least, most int64, into func(*draft) *int) field {
	return field{name, func(r *reader, key string, n *yaml.Node) {
		r.whole(key, n, least, most, func(i int64) { *into(&r.draft) = int(i) })
	}}
}

func weightsField(name string, into *map[string]float64) field {
	return field{name, func(r *reader, key string, n *yaml.Node) { r.weights(key, n, into) }}
}

func (r *reader) weights(key string, n *yaml.Node, into *map[string]float64) {
	if n.Kind != yaml.MappingNode {
		r.refuse(key, n, "a mapping of names to weights, such as {nonce: 3, none: 1}", "")
		return
	}
	all := map[string]float64{}
	for i := 0; i+1 < len(n.Content) && i < 2*maxTexts; i += 2 {
		name, inner := n.Content[i], below(key, n.Content[i].Value)
		if _, twice := all[name.Value]; twice {
			r.add(inner, name, "the key once", "it again", "keep one of the two")
			continue
		}
		all[name.Value] = 0
		v := r.value(inner, n.Content[i+1])
		r.at[inner] = spot{r.from, name.Line, name.Column}
		if v == nil {
			r.add(inner, n.Content[i+1], "a weight", "nothing", "")
			continue
		}
		text, ok := r.scalar(inner, v, "a weight, such as 3")
		if !ok {
			continue
		}
		if f, ok := number(text); ok {
			all[name.Value] = f
		} else {
			r.add(inner, v, "a weight, such as 3", describe(v), "")
		}
	}
	*into = all
}

func (r *reader) preset(key string, n *yaml.Node) {
	text, ok := r.scalar(key, n, "the name of a preset")
	if !ok {
		return
	}
	for _, p := range Presets() {
		if p.Name == text {
			r.draft.preset = text
			return
		}
	}
	hint := ""
	if near := meant.One(text, presetNames()); near != "" {
		hint = "did you mean " + near + "?"
	}
	r.refuse(key, n, "one of the presets "+list(presetNames()), hint)
}

func (r *reader) rate(key string, n *yaml.Node, store func(float64)) {
	text, ok := r.scalar(key, n, rateWords)
	if !ok {
		return
	}
	if f, ok := ParseRate(text); ok {
		store(f)
		return
	}
	r.refuse(key, n, rateWords, "")
}

func (r *reader) length(key string, n *yaml.Node, store func(time.Duration)) {
	text, ok := r.scalar(key, n, lengthWords)
	if !ok {
		return
	}
	if d, ok := ParseLength(text); ok {
		store(d)
		return
	}
	hint := ""
	if _, bare := number(text); bare {
		hint = "add the unit: " + text + "s"
	}
	r.refuse(key, n, lengthWords, hint)
}

func (r *reader) share(key string, n *yaml.Node, into *float64) {
	text, ok := r.scalar(key, n, shareWords)
	if !ok {
		return
	}
	if f, ok := ParseShare(text); ok {
		*into = f
		return
	}
	hint := ""
	if _, bare := number(text); bare {
		hint = "add the sign: " + text + "%"
	}
	r.refuse(key, n, shareWords, hint)
}

func (r *reader) whole(key string, n *yaml.Node, least, most int64, store func(int64)) {
	expected := "a whole number"
	if most < math.MaxInt64 {
		expected += " from " + strconv.FormatInt(least, 10) + " to " + strconv.FormatInt(most, 10)
	}
	text, ok := r.scalar(key, n, expected)
	if !ok {
		return
	}
	if plainNumber.MatchString(text) {
		text = strings.ReplaceAll(text, "_", "")
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil && i >= least && i <= most {
		store(i)
		return
	}
	r.refuse(key, n, expected, "")
}
