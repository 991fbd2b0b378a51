// Package plan reads what a load run is to do: from a YAML file, from flags, or by the name of a preset. A plan is
// immutable once it is made; its JSON form and the hash of it are what shards of one run agree on.
package plan

import (
	"time"

	"github.com/gateassay/gateassay/load/schedule"
)

// Plan is a load run before it starts.
type Plan struct {
	Name   string           `json:"name,omitempty"`
	Stages []schedule.Stage `json:"stages"`
	Seed   int64            `json:"seed"`
	Shards int              `json:"shards"`
	RunID  string           `json:"run_id,omitempty"` // set by ForRun

	Traffic    Traffic `json:"traffic"`
	Repeats    float64 `json:"repeats"`     // share of deliberate repeats, 0 to 0.5
	TrackFiles float64 `json:"track_files"` // share of accepted exports whose file is awaited, 0 to 1

	SLO            []string `json:"slo"`              // as written; load/threshold reads them
	AbortOn        []string `json:"abort_on"`         // as written; load/threshold reads them
	FailOnMisblock bool     `json:"fail_on_misblock"` // whether a false or missed block fails the run

	Engine      string        `json:"engine"`        // direct | vegeta
	Transport   string        `json:"transport"`     // raw | nethttp
	HTTP        string        `json:"http"`          // 1.1 | 2
	Connections int           `json:"connections"`   // at most as many at once; 0: as the engine needs
	MaxInFlight int           `json:"max_in_flight"` // 0: no limit
	Timeout     time.Duration `json:"timeout_ns"`    // of one request, from its sending
	KeepAlive   bool          `json:"keep_alive"`
	SourceAddrs []string      `json:"source_addresses,omitempty"` // local IP addresses to send from, in turn
	DNSRefresh  time.Duration `json:"dns_refresh_ns"`             // how often the name is resolved again; 0: never
}

// Traffic is how requests vary: shares by name, see traffic.Options. A nil mapping stands for the default.
type Traffic struct {
	Modes     map[string]float64 `json:"modes,omitempty"`
	Bodies    map[string]float64 `json:"bodies,omitempty"`
	Languages map[string]float64 `json:"languages,omitempty"`
	Wallets   map[string]float64 `json:"wallets,omitempty"`
}

// Schedule builds the plan's schedule.
func (p *Plan) Schedule() (*schedule.Schedule, error) { return schedule.New(p.Stages...) }
