// Package plan reads what a load run is to do: from a YAML file, from flags, or by the name of a preset. A plan is made
// once and not changed after; its JSON form and the hash of that are what shards of one run agree on.
package plan

import (
	"time"

	"github.com/gateassay/gateassay/load/schedule"
)

// Schema names the JSON form of a plan.
const Schema = "gateassay/load-plan/v1"

// Plan is a load run before it starts. It is not to be changed: With methods give copies.
type Plan struct {
	Schema string           `json:"schema"`
	Name   string           `json:"name,omitempty"`
	Stages []schedule.Stage `json:"stages"`
	Seed   int64            `json:"seed"`
	Shards int              `json:"shards"`
	RunID  string           `json:"run_id,omitempty"` // set by WithRun

	Traffic    Traffic `json:"traffic"`
	Repeats    float64 `json:"repeats"`     // share of deliberate repeats, 0 to traffic.MaxRepeats
	TrackFiles float64 `json:"track_files"` // share of accepted exports whose file is awaited, 0 to 1

	SLO            []string `json:"slo"`              // as written, for load/threshold
	AbortOn        []string `json:"abort_on"`         // as written, for load/threshold
	FailOnMisblock bool     `json:"fail_on_misblock"` // whether a false or missed block fails the run

	Engine      string        `json:"engine"`           // vegeta | direct
	HTTP        string        `json:"http"`             // auto | 1.1 | 2
	Connections int           `json:"connections"`      // at most as many at once; 0: as the engine needs
	Closed      bool          `json:"closed,omitempty"` // each connection sends its next request once the last is answered; the stages are a ceiling
	Trace       bool          `json:"trace,omitempty"`  // send traceparent
	MaxInFlight int           `json:"max_in_flight"`    // 0: no limit
	Timeout     time.Duration `json:"timeout_ns"`       // of one request, from its sending
	KeepAlive   bool          `json:"keep_alive"`
	SourceAddrs []string      `json:"source_addresses,omitempty"` // local IP addresses to send from, in turn
	DNSRefresh  time.Duration `json:"dns_refresh_ns"`             // how often the name is resolved again; below 0: for each connection
}

// Traffic is how requests vary: shares by name, see traffic.Options. A nil mapping stands for the default.
type Traffic struct {
	Modes     map[string]float64 `json:"modes,omitempty"`
	Bodies    map[string]float64 `json:"bodies,omitempty"`
	Languages map[string]float64 `json:"languages,omitempty"`
	Wallets   map[string]float64 `json:"wallets,omitempty"`
}

// The engines.
const (
	Vegeta = "vegeta" // vegeta's Attacker over net/http
	Direct = "direct" // a scheduling loop and HTTP/1.1 sockets of our own
)

// Unlimited is the ceiling of the closed model where no rate is given, in requests per second.
const Unlimited = 1_000_000.0

// unfilled is a plan of defaults without stages.
func unfilled() Plan {
	return Plan{
		Schema: Schema, Seed: 1, Shards: 1, Repeats: 0.01, TrackFiles: 0.01, FailOnMisblock: true,
		SLO: []string{}, AbortOn: []string{},
		Engine: Vegeta, HTTP: "auto", Timeout: 30 * time.Second, KeepAlive: true, DNSRefresh: 30 * time.Second,
	}
}
