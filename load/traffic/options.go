package traffic

import (
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/load/schedule"
)

// Config say what traffic to make.
type Config struct {
	Seed  int64
	RunID string // fresh for each run: two runs of one seed must not carry the same identifiers

	// shares by ModeNames, in any unit: {a: 3, b: 1} is three of a for each of b; nil: all alike
	Modes   map[string]float64
	Repeats float64 // share of requests that are deliberate repeats, 0 to MaxRepeats

	Start, End time.Time // the window that bounds are taken from; zero: the year 2024
	ClientID   string    // fixtures.client_id, to filter by; empty: not known
	// those of the fixtures, a quarter of the requests each; empty ones are not known
	Wallets []string

	// how many requests there are, and which are long enough ago to be repeated; needed for repeats
	Schedule *schedule.Schedule
}

// MaxRepeats is the largest share of repeats: beyond it there would be too few requests to repeat.
const MaxRepeats = 0.5

// ModeNames lists the replay protection modes that can be weighted, in the order of rules.Modes().
func ModeNames() []string {
	var names []string
	for _, m := range rules.Modes() {
		names = append(names, m.Name)
	}
	return names
}
