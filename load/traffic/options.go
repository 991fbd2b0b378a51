package traffic

import (
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/load/schedule"
)

// Weights are shares by name, in any unit: {a: 3, b: 1} is three of a for each of b. Nil stands for the default.
type Weights map[string]float64

// Options say what traffic to make.
type Options struct {
	Seed  int64
	RunID string // fresh for each run: two runs of one seed must not carry the same identifiers

	Modes     Weights // by ModeNames; default: all alike
	Bodies    Weights // by shapes
	Languages Weights // by languageNames
	Wallets   Weights // by walletNames, or a UUID

	Repeats float64 // share of requests that are deliberate repeats, 0 to MaxRepeats

	Start, End time.Time // the window that bounds are taken from; zero: the year 2024
	ClientID   string    // fixtures.client_id; empty: not known
	Default    string    // fixtures.default_wallet_id
	Other      string    // fixtures.other_wallet_id

	// how many requests there are, and which are long enough ago to be repeated; needed for repeats
	Schedule *schedule.Schedule
}

// MaxRepeats is the largest share of repeats: beyond it there would be too few requests to repeat.
const MaxRepeats = 0.5

// None is the name of leaving a header out.
const None = "none"

// ModeNames lists the replay protection modes that can be weighted, in the order of rules.Modes().
func ModeNames() []string {
	var names []string
	for _, m := range rules.Modes() {
		names = append(names, m.Name)
	}
	return names
}

// shapes lists the shapes of bodies that can be weighted.
//
//	range     two bounds inside the window
//	sorted    with one of the four pairs of sort and order
//	filtered  with the filter for fixtures.client_id
//	full      every field of the operation; without a known client all but the filter
//	empty     {}, the export of everything; a range where the body has to be unique
func shapes() []string { return []string{"range", "sorted", "filtered", "full", "empty"} }

// languageNames lists the languages that can be weighted.
func languageNames() []string { return []string{"pt-BR", "en-US", None} }

// walletNames lists the wallets that can be weighted beside UUIDs: those of the deployment's fixtures.
func walletNames() []string { return []string{None, "default", "other"} }
