package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/load/traffic"
)

// WithRunID returns a copy of the plan with the ID of a run, see NewRunID.
func (p *Plan) WithRunID(id string) *Plan {
	run := *p
	run.RunID = id
	return &run
}

// WithShards returns a copy of the plan for a number of processes, at least 1.
func (p *Plan) WithShards(shards int) *Plan {
	other := *p
	other.Shards = max(shards, 1)
	return &other
}

// NewRunID returns a new unique run ID.
func NewRunID() string { return uuid.NewString() }

// stageNames returns the names of the stages. A name may be empty.
func (p *Plan) stageNames() []string {
	names := make([]string, len(p.Stages))
	for i, s := range p.Stages {
		names[i] = s.Name
	}
	return names
}

// Schedule builds the plan's schedule.
func (p *Plan) Schedule() (*schedule.Schedule, error) { return schedule.New(p.Stages...) }

// Generator makes the plan's traffic for a deployment. The deployment's fixtures provide the
// window, the client and the wallets. The plan must have a run ID. The error is
// a *strictyaml.Problems.
func (p *Plan) Generator(d *deployment.File, s *schedule.Schedule) (*traffic.Generator, error) {
	o := traffic.Config{
		Seed: p.Seed, RunID: p.RunID, Repeats: p.Repeats, Schedule: s,
		Modes: p.Traffic.Modes, ClientID: d.Fixtures.ClientID,
	}
	if len(d.Load.Credentials) == 0 { // else the wallets belong to only one of the users
		o.Wallets = []string{d.Fixtures.DefaultWalletID, d.Fixtures.OtherWalletID}
	}
	if w := d.Fixtures.Window; w != nil {
		o.Start, o.End = w.Start, w.End
	}
	return traffic.New(o)
}

// CheckPermitted returns an error if the deployment file does not allow the plan. The error says
// how to allow it.
func (p *Plan) CheckPermitted(d *deployment.File) error {
	if !d.Load.Allow {
		return fmt.Errorf("the deployment %q does not allow load; if you may load it, set "+
			"load.allow: true and load.max_rate in its file", d.Name)
	}
	peak := 0.0
	for _, s := range p.Stages {
		peak = max(peak, s.From, s.To)
	}
	if d.Load.MaxRate > 0 && peak > d.Load.MaxRate {
		return fmt.Errorf("the plan goes up to %.6g requests per second, but the deployment %q "+
			"allows %.6g; lower the plan's rates or raise load.max_rate", peak, d.Name,
			d.Load.MaxRate)
	}
	return nil
}

// DefaultSLO is the threshold that applies if the plan sets none on errors.
const DefaultSLO = "errors<1%"

// NoThresholds as the only threshold lifts DefaultSLO.
const NoThresholds = "none"

// Thresholds returns the thresholds of a run: those of SLO, and DefaultSLO unless one of them is
// on errors. It returns none if SLO is NoThresholds.
func (p *Plan) Thresholds() []string {
	if slices.Equal(p.SLO, []string{NoThresholds}) {
		return []string{}
	}
	onErrors := func(expr string) bool {
		t, err := threshold.Parse(expr)
		return err == nil && t.LimitsErrors()
	}
	if slices.ContainsFunc(p.SLO, onErrors) {
		return slices.Clone(p.SLO)
	}
	return append(slices.Clone(p.SLO), DefaultSLO)
}

// ParseShard reads I/N: shard I, from 0, of N.
func ParseShard(text string) (shard, shards int, err error) {
	i, n, _ := strings.Cut(strings.TrimSpace(text), "/")
	shard, wrong := strconv.Atoi(i)
	shards, err = strconv.Atoi(n)
	if wrong != nil || err != nil || shards > maxShards || shard < 0 || shard >= shards {
		return 0, 0, fmt.Errorf("expected I/N such as 0/4, the first of four shards, found %q; "+
			"shards count from 0, and there are at most %d", text, maxShards)
	}
	return shard, shards, nil
}

var runIDPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// CheckRunID returns an error if id cannot be a run ID, which becomes part of file names.
func CheckRunID(id string) error {
	if !runIDPattern.MatchString(id) {
		return fmt.Errorf("expected 1 to 100 letters, digits, dots, hyphens or underscores, the "+
			"first a letter or digit, found %q", id)
	}
	return nil
}
