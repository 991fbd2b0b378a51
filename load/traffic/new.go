package traffic

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/meant"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/load/schedule"
)

// New checks the options and makes a generator. The error is schedule.Problems.
func New(o Options) (*Generator, error) {
	if o.Start.IsZero() && o.End.IsZero() {
		o.Start = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
		o.End = o.Start.AddDate(1, 0, 0)
	}
	if wrong := o.check(); len(wrong) > 0 {
		return nil, wrong
	}
	g := &Generator{
		keys: newKeys(o.Seed, o.RunID), modeTable: rules.Modes(), schedule: o.Schedule,
		languages: []string{"pt-BR", "en-US", ""}, wallets: []string{"", ""}, // empty: the header is left out
		shapes: []shape{ranged, ranged, ranged, ranged, sorted, sorted, sorted, full}, tails: newBodies(o.ClientID),
		repeats: threshold(o.Repeats * (1 - atOnce)),
	}
	if o.ClientID != "" {
		g.shapes = append(g.shapes, filtered, filtered)
	}
	for _, id := range o.Wallets {
		if id != "" {
			g.wallets = append(g.wallets, id)
		}
	}
	same := rules.Cells()[slices.IndexFunc(rules.Cells(), func(c rules.Cell) bool { return c.Name == "same" })]
	weights := make([]float64, len(g.modeTable))
	for i, m := range g.modeTable {
		g.repeatable = append(g.repeatable, m.Blocks(same))
		if weights[i] = o.Modes[m.Name]; o.Modes == nil {
			weights[i] = 1
		}
	}
	g.modes = newPicker(weights)
	g.bounds = newBounds(o.Start, o.End, g.keys.salt)
	if g.repeats > 0 {
		g.horizon, g.pairs = min(o.Schedule.K(), farthest), threshold(2*o.Repeats*atOnce)
	}
	var wrong schedule.Problems
	if o.Schedule != nil && weights[0] > 0 && uint64(o.Schedule.K()) > g.bounds.pairs {
		wrong.Add("traffic.modes.none",
			fmt.Sprintf("at most %d requests, which is how many pairs of bounds the window gives", g.bounds.pairs),
			strconv.FormatInt(o.Schedule.K(), 10),
			"widen fixtures.window in the deployment file, or give this mode the weight 0")
	}
	return g, wrong.Err()
}

// check gives what is wrong with the options.
func (o Options) check() (wrong schedule.Problems) {
	if o.RunID == "" {
		wrong.Add("run_id", "an ID that no other run has", "nothing", "without it a second run of the seed would be one large replay")
	}
	wrong = append(wrong, CheckModes(o.Modes)...)
	switch first, last := o.Start.UTC().Year(), o.End.UTC().Year(); {
	case first < 1 || last > 9999:
		wrong.Add("fixtures.window", "dates of the years 1 to 9999", fmt.Sprintf("%d to %d", first, last), "")
	case o.End.Sub(o.Start) < time.Second:
		wrong.Add("fixtures.window", "a window of at least a second", o.End.Sub(o.Start).String(), "widen it in the deployment file")
	}
	if !(o.Repeats >= 0 && o.Repeats <= MaxRepeats) {
		wrong.Add("repeats", "a share from 0 to 50%", fmt.Sprintf("%g%%", 100*o.Repeats), "")
	}
	if o.Repeats > 0 && o.Schedule == nil {
		wrong.Add("repeats", "a schedule to choose repeats by", "none", "")
	}
	return wrong
}

// CheckModes gives what is wrong with the weights of modes. Nil, which stands for the default, is right.
func CheckModes(weights map[string]float64) (wrong schedule.Problems) {
	total := 0.0
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		weight, key := weights[name], "traffic.modes."+name
		if !slices.Contains(ModeNames(), name) {
			wrong.Add(key, "one of "+strings.Join(ModeNames(), ", "), strconv.Quote(name), hint(name))
		}
		if !(weight >= 0 && weight <= 1e9) {
			wrong.Add(key, "a weight from 0 to 1000000000", strconv.FormatFloat(weight, 'g', -1, 64), "")
		}
		total += weight
	}
	if weights != nil && total == 0 && len(wrong) == 0 {
		wrong.Add("traffic.modes", "a weight above 0", "none", "leave the key out for the default")
	}
	return wrong
}

// hint is for who wrote a mode as its header, or mistyped its name.
func hint(name string) string {
	for _, m := range rules.Modes() {
		if m.Header == name && m.Header != "" {
			return "the mode of that header is called " + m.Name
		}
	}
	if near := meant.One(name, ModeNames()); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}
