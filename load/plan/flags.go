package plan

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/traffic"
)

// A FlagSetting is a flag that sets a key of the plan.
type FlagSetting struct {
	Flag   string // without dashes, such as "max-in-flight"
	Values []string
}

type planFlag struct{ flag, key, words string }

func (f planFlag) takesSeveral() bool {
	return slices.Contains([]string{"stages", "slo", "abort_on"}, f.key)
}

var planFlags = []planFlag{
	{"preset", "preset", "schedule by name: " + describePresets()},
	{"rate", "rate", "requests per second, or with a unit: 500/s, 50/1s, 3000/1m; with a preset " +
		"its highest rate"},
	{"duration", "duration", "how long, such as 5m, 4h or 2d"},
	{"stage", "stages", "a stage as in the plan, such as '{ramp: [10/s, 200/s], for: 1m}'; give " +
		"one flag for each"},
	{"seed", "seed", "decides the mix of requests; the same seed gives the same mix"},
	{"modes", "traffic", "shares of the replay protection modes: " +
		strings.Join(traffic.ModeNames(), ", ") +
		"; such as none=1,nonce=3"},
	{"repeats", "repeats", "share of deliberate repeats, which must be blocked (default 1%)"},
	{"track-files", "track_files", "share of accepted exports whose file is awaited (default 1%)"},
	{"slo", "slo", "threshold that must hold, such as 'p99<300ms'; unless one is on errors, " +
		"errors<1% applies as well; none: no thresholds"},
	{"abort-on", "abort_on", "end the run early, such as 'errors>20% for 10s'"},
	{
		"fail-on-misblock", "fail_on_misblock",
		"whether a false or missed block fails the run (default true); thresholds on errors " +
			"count both either way",
	},
	{"engine", "engine", "vegeta, or direct for rates that vegeta's attack loop cannot send, " +
		"over HTTP/1.1 (default vegeta)"},
	{"http", "http", "1.1 or 2 (default auto: what the target negotiates)"},
	{"connections", "connections", "at most this many connections at once; 0: as many as needed"},
	{"max-in-flight", "max_in_flight", "how many requests may wait for their answers at once; 0: " +
		"no limit"},
	{"timeout", "timeout", "how long one request may take (default 30s)"},
	{"keep-alive", "keep_alive", "whether connections serve more than one request (default true)"},
}

// AddFlags defines the flags that set keys of the plan.
func AddFlags(set *pflag.FlagSet) {
	for _, f := range planFlags {
		if f.takesSeveral() {
			set.StringArray(f.flag, nil, f.words)
		} else {
			set.String(f.flag, "", f.words)
		}
	}
	for _, name := range []string{"keep-alive", "fail-on-misblock"} {
		set.Lookup(name).NoOptDefVal = "true"
	}
}

// FlagSettings returns the settings of the flags that were given.
func FlagSettings(set *pflag.FlagSet) []FlagSetting {
	var all []FlagSetting
	for _, f := range planFlags {
		if !set.Changed(f.flag) {
			continue
		}
		value := set.Lookup(f.flag).Value
		values := []string{value.String()}
		if list, ok := value.(pflag.SliceValue); ok {
			values = list.GetSlice() // GetStringArray drops a single empty string
		}
		all = append(all, FlagSetting{f.flag, values})
	}
	return all
}

// applyFlags sets keys from flags, which override the file. A flag for the schedule also removes
// the other keys that describe the schedule.
func (r *reader) applyFlags(flags []FlagSetting) {
	replaces := map[string][]string{
		"stage":  {"stages", "preset", "rate", "duration"},
		"preset": {"stages", "rate", "duration"}, "rate": {"stages"},
	}
	for _, s := range flags {
		for _, key := range replaces[s.Flag] {
			r.SetFromFlag("", key, nil)
		}
	}
	for _, s := range flags {
		i := slices.IndexFunc(planFlags, func(f planFlag) bool { return f.flag == s.Flag })
		if i < 0 {
			r.SetFromFlag("--"+s.Flag, s.Flag, nil)
			r.AddProblem(s.Flag, "not a flag of the plan", "")
			continue
		}
		r.applyFlag(planFlags[i], s.Values)
	}
}

func (r *reader) applyFlag(f planFlag, values []string) {
	flag := "--" + f.flag
	all := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, value := range values {
		item := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: strings.TrimSpace(value)}
		text, expected, valid := "", "", true
		switch f.key {
		case "stages":
			text, expected = value, "a stage: "+stageForms
		case "traffic":
			text = "{modes: {" + strings.ReplaceAll(value, "=", ": ") + "}}"
			expected = "shares such as none=1,nonce=3"
			valid = strings.Count(value, "=") == strings.Count(value, ",")+1
		}
		if text != "" {
			var document yaml.Node
			err := yaml.Load([]byte(text), &document)
			if err != nil || len(document.Content) != 1 || !valid {
				r.SetFromFlag(flag, f.key, nil)
				r.AddProblem(f.key, "expected "+expected+", found "+printable.Quote(value),
					"check the brackets, and the space after a colon")
				return
			}
			item = document.Content[0]
		}
		all.Content = append(all.Content, item)
	}
	switch {
	case f.takesSeveral():
		r.SetFromFlag(flag, f.key, all)
	case len(all.Content) > 0:
		r.SetFromFlag(flag, f.key, all.Content[len(all.Content)-1])
	}
}
