package traffic

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/load/schedule"
)

// New makes a generator. The caller, package plan, has checked shares and weights. The error is a
// *strictyaml.Problems.
func New(o Config) (*Generator, error) {
	if o.Start.IsZero() && o.End.IsZero() {
		o.Start = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
		o.End = o.Start.AddDate(1, 0, 0)
	}
	wrong := &strictyaml.Problems{}
	if length := o.End.Sub(o.Start); length < time.Second {
		wrong.Add("fixtures.window", "a window of at least a second", length.String(),
			"widen it in the deployment file")
		return nil, wrong
	}
	g := &Generator{
		keys: newIdentifierKeys(o.Seed, o.RunID), modeTable: rules.ReplayModes(), schedule: o.Schedule,
		languages: []string{"pt-BR", "en-US", ""}, wallets: []string{"", ""}, // "": no header
		shapes: []bodyShape{
			shapeBoundsOnly, shapeBoundsOnly, shapeBoundsOnly, shapeBoundsOnly, shapeSorted, shapeSorted,
			shapeSorted, shapeAllFields,
		},
		tails: newBodyTails(o.ClientID), repeats: o.Repeats * (1 - pairShare),
	}
	if o.ClientID != "" {
		g.shapes = append(g.shapes, shapeFiltered, shapeFiltered)
	}
	for _, id := range o.Wallets {
		if id != "" {
			g.wallets = append(g.wallets, id)
		}
	}
	same := rules.RepeatKinds()[slices.IndexFunc(rules.RepeatKinds(),
		func(c rules.RepeatKind) bool { return c.Name == "same" })]
	weights := make([]float64, len(g.modeTable))
	for i, m := range g.modeTable {
		g.repeatable = append(g.repeatable, m.Blocks(same))
		if weights[i] = o.Modes[m.Name]; o.Modes == nil {
			weights[i] = 1
		}
	}
	g.modes = newWeightedPicker(weights)
	g.bounds = newBoundGenerator(o.Start, o.End, g.keys.salt)
	if g.repeats > 0 {
		g.horizon, g.pairs = min(o.Schedule.RequestCount(), maxRepeatDistance), 2*o.Repeats*pairShare
	}
	if o.Schedule != nil && weights[0] > 0 && uint64(o.Schedule.RequestCount()) > g.bounds.pairs {
		wrong.Add("traffic.modes.none", fmt.Sprintf("at most %d requests, which is how many pairs "+
			"of bounds the window gives", g.bounds.pairs), strconv.FormatInt(o.Schedule.RequestCount(), 10),
			"widen fixtures.window in the deployment file, or give this mode the weight 0")
	}
	return g, wrong.Err()
}

// Config says what traffic to make.
type Config struct {
	Seed  int64
	RunID string // unique, so that runs with the same seed have different identifiers

	Modes      map[string]float64 // weights by ModeNames; nil: equal weights
	Repeats    float64            // share of deliberate repeats, 0 to MaxRepeats
	Start, End time.Time          // window of the bounds; both zero: the year 2024
	ClientID   string             // fixtures.client_id, for filters; empty: unknown
	// Wallets of the fixtures; each gets a quarter of the requests, "" stands for an unknown one.
	Wallets  []string
	Schedule *schedule.Schedule // needed for repeats
}

// MaxRepeats is the largest share of repeats. Above it there are too few requests to repeat.
const MaxRepeats = 0.5

// ModeNames lists the replay protection modes that can be weighted, in the order of
// rules.ReplayModes().
func ModeNames() []string {
	var names []string
	for _, m := range rules.ReplayModes() {
		names = append(names, m.Name)
	}
	return names
}
