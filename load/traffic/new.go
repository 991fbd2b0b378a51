package traffic

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/meant"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/load/schedule"
)

// New checks the options and makes a generator. The error is schedule.Problems.
func New(o Options) (*Generator, error) {
	var wrong schedule.Problems
	if o.RunID == "" {
		wrong.Add("run_id", "an ID that no other run has", "nothing",
			"without it a second run of the seed would be one large replay")
	}
	wrong = append(wrong, CheckWeights(o.Modes, o.Bodies, o.Languages, o.Wallets)...)
	o.defaults()
	o.checkFixtures(&wrong)
	if math.IsNaN(o.Repeats) || o.Repeats < 0 || o.Repeats > MaxRepeats {
		wrong.Add("repeats", "a share from 0 to 50%", percent(o.Repeats), "")
	}
	if o.Repeats > 0 && o.Schedule == nil {
		wrong.Add("repeats", "a schedule to choose repeats by", "none", "")
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	g := &Generator{
		keys: newKeys(o.Seed, o.RunID), modeTable: rules.Modes(), schedule: o.Schedule,
		languageTable: languageNames(), repeats: threshold(o.Repeats * (1 - atOnce)), tails: newBodies(o.ClientID),
	}
	g.languageTable[slices.Index(g.languageTable, None)] = ""
	same := rules.Cells()[slices.IndexFunc(rules.Cells(), func(c rules.Cell) bool { return c.Name == "same" })]
	for _, m := range g.modeTable {
		g.repeatable = append(g.repeatable, m.Blocks(same))
	}
	g.modes = newPicker(o.Modes, func(name string) int { return slices.Index(ModeNames(), name) })
	g.shapes = newPicker(o.Bodies, shapeOf)
	g.languages = newPicker(o.Languages, func(name string) int { return slices.Index(languageNames(), name) })
	named := map[string]string{None: "", "default": o.Default, "other": o.Other}
	g.wallets = newPicker(o.Wallets, func(name string) int {
		id, ok := named[name]
		if !ok {
			id = name
		}
		g.walletTable = append(g.walletTable, id)
		return len(g.walletTable) - 1
	})
	g.bounds = newBounds(o.Start, o.End, g.keys.salt)
	if g.repeats > 0 {
		g.horizon, g.pairs = min(o.Schedule.K(), farthest), threshold(2*o.Repeats*atOnce)
	}
	if o.Schedule != nil && g.modes.has(0) && uint64(o.Schedule.K()) > g.bounds.pairs {
		wrong.Add("traffic.modes.none",
			fmt.Sprintf("at most %d requests, which is how many pairs of bounds the window gives", g.bounds.pairs),
			strconv.FormatInt(o.Schedule.K(), 10),
			"widen fixtures.window in the deployment file, or give this mode the weight 0")
	}
	return g, wrong.Err()
}

func (o *Options) defaults() {
	if o.Modes == nil {
		o.Modes = Weights{}
		for _, name := range ModeNames() {
			o.Modes[name] = 1
		}
	}
	if o.Bodies == nil {
		o.Bodies = Weights{"range": 4, "sorted": 3, "full": 1}
		if o.ClientID != "" {
			o.Bodies["filtered"] = 2
		}
	}
	if o.Languages == nil {
		o.Languages = Weights{"pt-BR": 1, "en-US": 1, None: 1}
	}
	if o.Wallets == nil {
		o.Wallets = Weights{None: 2}
		if o.Default != "" {
			o.Wallets["default"] = 1
		}
		if o.Other != "" {
			o.Wallets["other"] = 1
		}
	}
	if o.Start.IsZero() && o.End.IsZero() {
		o.Start = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
		o.End = o.Start.AddDate(1, 0, 0)
	}
}

// checkFixtures checks that the deployment has what the weights and the bounds need.
func (o *Options) checkFixtures(wrong *schedule.Problems) {
	for _, need := range []struct {
		weights                   Weights
		kind, name, value, origin string
	}{
		{o.Bodies, "bodies", "filtered", o.ClientID, "fixtures.client_id"},
		{o.Wallets, "wallets", "default", o.Default, "fixtures.default_wallet_id"},
		{o.Wallets, "wallets", "other", o.Other, "fixtures.other_wallet_id"},
	} {
		if need.weights[need.name] > 0 && need.value == "" {
			wrong.Add("traffic."+need.kind+"."+need.name, need.origin+" in the deployment file", "none",
				"add it there, or leave this weight out")
		}
	}
	switch first, last := o.Start.UTC().Year(), o.End.UTC().Year(); {
	case first < 1 || last > 9999:
		wrong.Add("fixtures.window", "dates of the years 1 to 9999", fmt.Sprintf("%d to %d", first, last), "")
	case o.End.Sub(o.Start) < time.Second:
		wrong.Add("fixtures.window", "a window of at least a second", o.End.Sub(o.Start).String(),
			"widen it in the deployment file")
	}
}

// CheckWeights gives what is wrong with weights. Nil weights, which stand for the default, are right.
func CheckWeights(modes, bodies, languages, wallets Weights) (wrong schedule.Problems) {
	for _, kind := range []struct {
		key     string
		weights Weights
		known   []string
	}{
		{"modes", modes, ModeNames()},
		{"bodies", bodies, shapes()},
		{"languages", languages, languageNames()},
		{"wallets", wallets, walletNames()},
	} {
		before, total := len(wrong), 0.0
		for _, name := range slices.Sorted(maps.Keys(kind.weights)) {
			weight, key := kind.weights[name], "traffic."+kind.key+"."+name
			_, err := uuid.Parse(name)
			if !slices.Contains(kind.known, name) && (kind.key != "wallets" || err != nil || len(name) != 36) {
				expected := "one of " + strings.Join(kind.known, ", ")
				if kind.key == "wallets" {
					expected += " or a UUID"
				}
				wrong.Add(key, expected, strconv.Quote(name), hint(kind.key, name, kind.known))
			}
			if math.IsNaN(weight) || weight < 0 || weight > 1e9 {
				wrong.Add(key, "a weight from 0 to 1000000000", strconv.FormatFloat(weight, 'g', -1, 64), "")
			}
			total += weight
		}
		if kind.weights != nil && total == 0 && len(wrong) == before {
			wrong.Add("traffic."+kind.key, "a weight above 0", "none", "leave the key out for the default")
		}
	}
	return wrong
}

// hint is for who wrote a mode as its header, or mistyped a name.
func hint(kind, name string, known []string) string {
	if kind == "modes" {
		for _, m := range rules.Modes() {
			if m.Header == name && m.Header != "" {
				return "the mode of that header is called " + m.Name
			}
		}
	}
	if near := meant.One(name, known); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

func percent(share float64) string { return strconv.FormatFloat(share*100, 'g', 6, 64) + "%" }
