package traffic

import (
	"time"

	"github.com/gateassay/gateassay/load/schedule"
)

// Weights are shares by name, in any unit: {a: 3, b: 1} is three of a for each of b. Nil stands for the default.
type Weights map[string]float64

// Options say what traffic to make.
type Options struct {
	Seed  int64
	RunID string // fresh for each run: two runs of one seed must not carry the same identifiers

	Modes     Weights // by rules.Mode.Name; default: all five alike
	Bodies    Weights // by shape, see Shapes
	Languages Weights // "pt-BR", "en-US", or "none" to leave the header out
	Wallets   Weights // "none", "default", "other" (fixtures of the deployment), or a UUID

	Repeats float64 // share of requests that are deliberate repeats, 0 to 0.5
	Shards  int     // a repeat is for the shard that sent its original; 0 means 1

	Start, End time.Time // the window that bounds are taken from; zero: the year 2024
	ClientID   string    // fixtures.client_id; empty: none is known
	Default    string    // fixtures.default_wallet_id
	Other      string    // fixtures.other_wallet_id

	Schedule *schedule.Schedule // tells which requests are long enough ago to be repeated
}

// Generator makes requests. It is immutable and safe for concurrent use.
type Generator struct{}

// New checks the options and makes a generator.
func New(o Options) (*Generator, error) { return &Generator{}, nil }

// Fill makes request k: a fresh one, or the deliberate repeat that k is. It allocates nothing once r.Body has grown.
func (g *Generator) Fill(k int64, r *Request) {}

// FillFresh makes request k as if it were no repeat.
func (g *Generator) FillFresh(k int64, r *Request) {}

// Repeats tells whether request k is a deliberate repeat, and of which earlier one.
func (g *Generator) Repeats(k int64) (of int64, ok bool) { return 0, false }

// Horizon is how far back a repeat may reach: k - of <= Horizon for each.
func (g *Generator) Horizon() int64 { return 0 }

// Ledger remembers which requests were accepted, for as long as one may be repeated. It is safe for concurrent use.
type Ledger struct{}

// NewLedger makes an empty ledger for a generator's requests, at least inFlight beyond its horizon.
func (g *Generator) NewLedger(inFlight int) *Ledger { return &Ledger{} }

// Accept notes that request k was accepted.
func (l *Ledger) Accept(k int64) {}

// Accepted tells whether request k is known to have been accepted.
func (l *Ledger) Accepted(k int64) bool { return false }
