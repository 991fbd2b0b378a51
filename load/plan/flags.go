package plan

import (
	"bytes"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/load/traffic"
)

// Setting is a key of the plan that a flag sets.
type Setting struct {
	Flag   string // without dashes, such as "max-in-flight"
	Values []string
}

// flagWord is a flag that sets a key of the plan.
type flagWord struct {
	flag, key, words string
	many             bool // may be given several times
}

// flagWords are the flags that set keys of the plan, in the order of help.
var flagWords = []flagWord{
	{"preset", "preset", "schedule by name: smoke, soak, stress or spike", false},
	{"rate", "rate", "requests per second, or with a unit: 500/s, 30000/m, 7200/h; with a preset its highest rate", false},
	{"duration", "duration", "how long, such as 5m, 4h or 2d", false},
	{"stage", "stages", "a stage as in the plan, such as '{ramp: [10/s, 200/s], for: 1m}'; give one flag for each", true},
	{"seed", "seed", "makes the mix of requests, the same for every run", false},
	{"modes", "traffic.modes", "shares of the replay protection modes: " + strings.Join(traffic.ModeNames(), ", ") + "; such as none=1,nonce=3", false},
	{"bodies", "traffic.bodies", "shares of the bodies: range, sorted, filtered, full, empty", false},
	{"languages", "traffic.languages", "shares of the languages: pt-BR, en-US, none", false},
	{"wallets", "traffic.wallets", "shares of the wallets: none, default, other, or IDs", false},
	{"repeats", "repeats", "share of deliberate repeats, which must be blocked (default 1%)", false},
	{"track-files", "track_files", "share of accepted exports whose file is awaited (default 1%)", false},
	{"slo", "slo", "threshold that must hold, such as 'p99<300ms'", true},
	{"abort-on", "abort_on", "end the run early, such as 'errors>20% for 10s'", true},
	{"fail-on-misblock", "fail_on_misblock", "whether a false or missed block fails the run (default true)", false},
	{"engine", "engine", "vegeta, or direct for rates that vegeta's attack loop cannot send, over HTTP/1.1 (default vegeta)", false},
	{"http", "http", "1.1 or 2 (default auto: what the target negotiates)", false},
	{"connections", "connections", "how many connections at once at most; 0: as needed", false},
	{"closed", "closed", "the closed model: each of --connections sends its next request once the last is answered", false},
	{"trace", "trace", "send a traceparent with each request, and name the trace of slow and wrong ones", false},
	{"max-in-flight", "max_in_flight", "how many requests may wait for their answers at once; 0: no limit", false},
	{"timeout", "timeout", "how long one request may take (default 30s)", false},
	{"keep-alive", "keep_alive", "whether connections serve more than one request (default true)", false},
	{"source-address", "source_addresses", "local IP address to send from; several are used in turn", true},
	{"dns-refresh", "dns_refresh", "how often the target's name is resolved again (default 30s)", false},
}

// AddFlags defines the flags that set keys of the plan.
func AddFlags(set *pflag.FlagSet) {
	for _, f := range flagWords {
		if f.many {
			set.StringArray(f.flag, nil, f.words)
		} else {
			set.String(f.flag, "", f.words)
		}
	}
	for _, name := range []string{"keep-alive", "fail-on-misblock", "closed", "trace"} {
		set.Lookup(name).NoOptDefVal = "true"
	}
}

// FromSet gives the settings of the flags that were given.
func FromSet(set *pflag.FlagSet) []Setting {
	var all []Setting
	for _, f := range flagWords {
		if !set.Changed(f.flag) {
			continue
		}
		var values []string
		if f.many {
			values, _ = set.GetStringArray(f.flag)
		} else {
			value, _ := set.GetString(f.flag)
			values = []string{value}
		}
		all = append(all, Setting{f.flag, values})
	}
	return all
}

// settings reads the flags over what the file gave. A flag that says anything about the schedule replaces what the file
// says about it in another way.
func (r *reader) settings(flags []Setting) {
	given := func(name string) bool {
		return slices.ContainsFunc(flags, func(s Setting) bool { return s.Flag == name })
	}
	if given("stage") {
		r.forget("stages", "preset", "rate", "duration")
	}
	if given("preset") {
		r.forget("stages", "rate", "duration")
	}
	if given("rate") {
		r.forget("stages")
	}
	for _, s := range flags {
		i := slices.IndexFunc(flagWords, func(f flagWord) bool { return f.flag == s.Flag })
		if i < 0 {
			r.addAt(spot{from: &origin{name: "--" + s.Flag}}, "", "a flag of the plan", "this one", "")
			continue
		}
		r.setting(flagWords[i].key, flagWords[i].many, s)
	}
}

// forget drops what the file said about the schedule.
func (r *reader) forget(keys ...string) {
	for _, key := range keys {
		for known := range r.at {
			if known == key || strings.HasPrefix(known, key+"[") {
				delete(r.at, known)
			}
		}
		switch key {
		case "preset":
			r.draft.preset = ""
		case "rate":
			r.draft.rate = nil
		case "duration":
			r.draft.length = nil
		case "stages":
			r.draft.stages = nil
		}
	}
}

// setting reads one flag with what reads its key in a file.
func (r *reader) setting(key string, many bool, s Setting) {
	from := r.from
	defer func() { r.from = from }()
	r.from = &origin{name: "--" + s.Flag, sets: key}
	node := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, value := range s.Values {
		item := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
		switch {
		case key == "stages":
			if item = r.flow(key, value); item == nil {
				return
			}
		case strings.HasPrefix(key, "traffic."):
			if item = r.pairs(key, value); item == nil {
				return
			}
		}
		node.Content = append(node.Content, item)
	}
	if !many && len(node.Content) > 0 {
		node = node.Content[len(node.Content)-1]
	}
	fields := planFields()
	name, rest, nested := strings.Cut(key, ".")
	if nested { // the reader of a mapping of one key
		node = &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Tag: "!!str", Value: rest}, node}}
	}
	for _, f := range fields {
		if f.name == name {
			f.read(r, name, r.value(name, node))
		}
	}
}

// flow reads a value that is written in YAML's flow style.
func (r *reader) flow(key, text string) *yaml.Node {
	var document yaml.Node
	loader, err := yaml.NewLoader(bytes.NewReader([]byte(text)))
	if err == nil && len(text) <= fileKind.Largest {
		err = loader.Load(&document)
	}
	if err != nil || len(document.Content) != 1 {
		r.addAt(spot{from: r.from}, key, "a stage: "+stageForms, quoted(text), "mind the brackets, and the space after a colon")
		return nil
	}
	return document.Content[0]
}

// pairs reads name=weight,name=weight.
func (r *reader) pairs(key, text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for pair := range strings.SplitSeq(text, ",") {
		name, weight, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if !ok {
			r.addAt(spot{from: r.from}, key, "shares such as none=1,nonce=3", quoted(text), "")
			return nil
		}
		n.Content = append(n.Content,
			&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: strings.TrimSpace(name)},
			&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: strings.TrimSpace(weight)})
	}
	return n
}
