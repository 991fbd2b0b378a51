// Package plan reads the plan of a load run from a YAML file, from flags, or by the name of a
// preset. A plan is immutable. The shards of a run compare the hashes of its JSON form.
package plan

import (
	"fmt"
	"strings"
	"time"

	"github.com/gateassay/gateassay/load/schedule"
)

// Schema names the JSON form of a plan.
const Schema = "gateassay/load-plan/v1"

// A Plan describes a load run. Do not change a Plan: the With methods return changed copies. The
// yaml tags are the keys of its file, see package strictyaml.
type Plan struct {
	Schema string `json:"schema" yaml:"-"`
	// What the report calls the run.
	Name   string           `json:"name,omitempty" yaml:"name" jsonschema_extras:"sample=nightly"`
	Stages []schedule.Stage `json:"stages" yaml:"-"`
	// Makes the mix of requests, the same for every run.
	Seed int64 `json:"seed" yaml:"seed" jsonschema:"minimum=0,default=1"`
	// Number of processes that send the plan; set by WithShards, not a key of the file.
	Shards int    `json:"shards" yaml:"-"`
	RunID  string `json:"run_id,omitempty" yaml:"-"` // set by WithRunID

	// How requests vary.
	Traffic Traffic `json:"traffic" yaml:"traffic"`
	// Share of deliberate repeats, which must be blocked; at most 50%.
	Repeats float64 `json:"repeats" yaml:"repeats" jsonschema:"type=string,format=share,default=1%"`
	// Share of accepted exports whose file is awaited.
	TrackFiles float64 `json:"track_files" yaml:"track_files" jsonschema:"type=string,format=share"`

	// Thresholds that must hold, such as p99<300ms. Unless one is on errors, errors<1% must hold as
	// well; none: no threshold.
	SLO []string `json:"slo" yaml:"slo" jsonschema_extras:"scalar=one,sample=[p99<300ms]"`
	// What ends the run early, such as errors>20% for 10s.
	AbortOn []string `json:"abort_on" yaml:"abort_on" jsonschema_extras:"sample=[errors>20% for 10s]"`
	// Whether a false or missed block fails the run.
	FailOnMisblock bool `json:"fail_on_misblock" yaml:"fail_on_misblock" jsonschema:"default=true"`

	// What drives the load: vegeta, its Attacker over net/http, or direct, a loop over fasthttp.
	Engine string `json:"engine" yaml:"engine" jsonschema:"format=engine,default=vegeta"`
	// The version of HTTP; auto is what the target negotiates.
	HTTP string `json:"http" yaml:"http" jsonschema:"format=http,default=auto"`
	// How many connections at once at most, each with one request at a time, over HTTP/2 as well; 0:
	// as the engine needs.
	Connections int `json:"connections" yaml:"connections" jsonschema:"minimum=0,maximum=1000000"`
	// How many requests may wait for their answers at once; 0: no limit.
	MaxInFlight int `json:"max_in_flight" yaml:"max_in_flight" jsonschema:"minimum=0,maximum=1000000"`
	// How long one request may take, from its sending.
	Timeout time.Duration `json:"timeout_ns" yaml:"timeout" jsonschema:"default=30s"`
	// Whether connections serve more than one request.
	KeepAlive bool `json:"keep_alive" yaml:"keep_alive" jsonschema:"default=true"`
}

// Traffic says how requests vary: shares by name. A nil map stands for the default.
type Traffic struct {
	// The replay protection modes: none, nonce, transaction, nonce_transaction and
	// transaction_nonce; all alike.
	Modes map[string]float64 `json:"modes,omitempty" yaml:"modes" jsonschema_extras:"format=weight,names=mode"`
}

// Engines.
const (
	EngineVegeta = "vegeta" // vegeta's Attacker over net/http
	EngineDirect = "direct" // a scheduling loop over fasthttp
)

// A Preset is a named schedule.
type Preset struct {
	Name   string
	Rate   float64       // peak rate in requests per second; --rate changes it
	Length time.Duration // --duration changes it
	Use    string        // what it is for
}

// Presets lists the presets.
func Presets() []Preset {
	return []Preset{
		{"smoke", 20, 10 * time.Second, "short and gentle, to see that load works at all"},
		{"soak", 100, 4 * time.Hour, "a steady rate for hours, to find leaks"},
		{"stress", 500, 10 * time.Minute, "ten steps up to a rate that may be too high"},
		{"spike", 500, 3 * time.Minute, "a low rate with a sudden peak ten times as high"},
	}
}

func (p Preset) length() string {
	return strings.NewReplacer("h0m0s", "h", "m0s", "m").Replace(p.Length.String())
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

func describePresets() string {
	var list []string
	for _, p := range Presets() {
		list = append(list, fmt.Sprintf("%s, %g/s for %s, %s", p.Name, p.Rate, p.length(), p.Use))
	}
	return strings.Join(list, "; ")
}

func presetNames() []string {
	var names []string
	for _, p := range Presets() {
		names = append(names, p.Name)
	}
	return names
}
