package traffic

import (
	"errors"
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
)

// New checks the options and makes a generator. The error joins one *OptionError for each thing that is wrong.
func New(o Options) (*Generator, error) {
	c := &checker{}
	if o.RunID == "" {
		c.wrong("run_id", "an ID that no other run has", "nothing",
			"without it a second run of the seed would be one large replay")
	}
	for _, kind := range []struct {
		key     string
		weights Weights
	}{{"modes", o.Modes}, {"bodies", o.Bodies}, {"languages", o.Languages}, {"wallets", o.Wallets}} {
		c.all = append(c.all, CheckWeights(kind.key, kind.weights)...)
	}
	o.defaults()
	c.fixtures(&o)
	c.window(&o)
	if math.IsNaN(o.Repeats) || o.Repeats < 0 || o.Repeats > MaxRepeats {
		c.wrong("repeats", "a share from 0 to 50%", percent(o.Repeats), "")
	}
	if o.Repeats > 0 && o.Schedule == nil {
		c.wrong("repeats", "a schedule to choose repeats by", "none", "")
	}
	if len(c.all) > 0 {
		return nil, errors.Join(c.errors()...)
	}
	g := &Generator{
		keys: newKeys(o.Seed, o.RunID), modeTable: rules.Modes(), schedule: o.Schedule,
		languageTable: languages(), repeats: threshold(o.Repeats), tails: newBodies(o.ClientID),
	}
	g.languageTable[slices.Index(g.languageTable, None)] = ""
	same := rules.Cells()[slices.IndexFunc(rules.Cells(), func(c rules.Cell) bool { return c.Name == "same" })]
	for _, m := range g.modeTable {
		g.repeatable = append(g.repeatable, m.Blocks(same))
	}
	g.modes = newPicker(o.Modes, func(name string) int { return slices.Index(ModeNames(), name) })
	g.shapes = newPicker(o.Bodies, shapeOf)
	g.languages = newPicker(o.Languages, func(name string) int { return slices.Index(languages(), name) })
	g.wallets = newPicker(o.Wallets, func(name string) int {
		g.walletTable = append(g.walletTable, o.wallet(name))
		return len(g.walletTable) - 1
	})
	g.bounds = newBounds(o.Start, o.End, g.keys.salt)
	if g.repeats > 0 {
		g.horizon = min(o.Schedule.K(), farthest)
	}
	if o.Schedule != nil && g.modes.has(0) && uint64(o.Schedule.K()) > g.bounds.pairs {
		c.wrong("traffic.modes.none", fmt.Sprintf("at most %d requests, which is how many pairs of bounds the window "+
			"gives", g.bounds.pairs),
			strconv.FormatInt(o.Schedule.K(), 10),
			"widen fixtures.window in the deployment file, or give this mode the weight 0")
		return nil, errors.Join(c.errors()...)
	}
	return g, nil
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

func (o *Options) wallet(name string) string {
	switch name {
	case None:
		return ""
	case "default":
		return o.Default
	case "other":
		return o.Other
	}
	return name
}

type checker struct{ all []*OptionError }

func (c *checker) wrong(key, expected, found, hint string) {
	c.all = append(c.all, &OptionError{Key: key, Expected: expected, Found: found, Hint: hint})
}

func (c *checker) errors() []error {
	var all []error
	for _, e := range c.all {
		all = append(all, e)
	}
	return all
}

// fixtures checks that the deployment has what the weights ask for.
func (c *checker) fixtures(o *Options) {
	for _, need := range []struct {
		weights           Weights
		kind, name, value string
		fixture           string
	}{
		{o.Bodies, "bodies", "filtered", o.ClientID, "fixtures.client_id"},
		{o.Wallets, "wallets", "default", o.Default, "fixtures.default_wallet_id"},
		{o.Wallets, "wallets", "other", o.Other, "fixtures.other_wallet_id"},
	} {
		if need.weights[need.name] > 0 && need.value == "" {
			c.wrong("traffic."+need.kind+"."+need.name, need.fixture+" in the deployment file", "none",
				"add it there, or leave this weight out")
		}
	}
}

func (c *checker) window(o *Options) {
	switch first, last := o.Start.UTC().Year(), o.End.UTC().Year(); {
	case first < 1 || last > 9999:
		c.wrong("fixtures.window", "dates of the years 1 to 9999", fmt.Sprintf("%d to %d", first, last), "")
	case o.End.Sub(o.Start) < time.Second:
		c.wrong("fixtures.window", "a window of at least a second",
			o.End.Sub(o.Start).String(), "widen it in the deployment file")
	}
}

// CheckWeights gives what is wrong with the weights of a kind: "modes", "bodies", "languages" or "wallets". Nil is
// right.
func CheckWeights(kind string, weights Weights) []*OptionError {
	if weights == nil {
		return nil
	}
	c := &checker{}
	known := map[string][]string{
		"modes": ModeNames(), "bodies": shapes(),
		"languages": languages(), "wallets": walletNames(),
	}[kind]
	total := 0.0
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		weight, key := weights[name], "traffic."+kind+"."+name
		_, err := uuid.Parse(name)
		if !slices.Contains(known, name) && (kind != "wallets" || err != nil || len(name) != 36) {
			expected := "one of " + strings.Join(known, ", ")
			if kind == "wallets" {
				expected += " or a UUID"
			}
			c.wrong(key, expected, strconv.Quote(name), hint(kind, name, known))
		}
		if math.IsNaN(weight) || weight < 0 || weight > 1e9 {
			c.wrong(key, "a weight from 0 to 1000000000", strconv.FormatFloat(weight, 'g', -1, 64), "")
		}
		total += weight
	}
	if total == 0 && len(c.all) == 0 {
		c.wrong("traffic."+kind, "a weight above 0", "none", "leave the key out for the default")
	}
	return c.all
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
