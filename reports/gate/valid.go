package gate

import (
	"errors"
	"fmt"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
)

// valid finds what the schema of a run does not allow. Whether somebody made another run.json shows in its hash, which
// `report pack` records.
func (r *Run) valid() error {
	switch r.Kind {
	case recorded.OfLoad:
		return passable(r.Load.Verdict, flaw{r.Load.Requests.Sent <= 0, "requests.sent is 0"},
			flaw{!r.Load.Requests.Worked(), "hardly a request got a usable answer"},
			flaw{!r.Load.Generator.Reliable, "generator.reliable is false"})
	case recorded.OfCapacity:
		return passable(r.Capacity.Verdict, flaw{r.Capacity.Capacity.Rate <= 0, "capacity.rate is 0"})
	}
	if len(r.Conformance.Rules) == 0 {
		return errors.New("rules: expected at least one, found none")
	}
	var counts record.Counts
	seen := map[string]bool{}
	for _, one := range r.Conformance.Rules {
		if one.ID == "" || seen[one.ID] {
			return fmt.Errorf("rules: expected each rule once and with its ID, found %s twice or without", cited(one.ID))
		}
		seen[one.ID] = true
		switch rules.Level(one.Level) {
		case rules.Must, rules.Should, rules.Observe:
		default:
			return fmt.Errorf("%s: level: expected must, should or observe, found %s", cited(one.ID), cited(one.Level))
		}
		switch one.Verdict {
		case record.Pass, record.Fail, record.Waived, record.NotVerified, record.Inconclusive, record.Observed:
		default:
			return fmt.Errorf("%s: verdict: expected one that rules have, found %s", cited(one.ID),
				cited(string(one.Verdict)))
		}
		counts.Add(one)
	}
	if counts != r.Conformance.Counts {
		return errors.New("counts: expected those of its rules, found others")
	}
	switch v := r.Conformance.Verdict; v {
	case record.Conformant, record.Violations, record.Partial, record.NoVerdict:
		return nil
	default:
		return fmt.Errorf("verdict: expected conformant, violations, partial or inconclusive, found %s", cited(string(v)))
	}
}

// flaw is something that no run that passed may have.
type flaw struct {
	there bool
	name  string
}

// passable holds for the verdicts that a load run may have, and for a pass without flaws.
func passable(v results.Verdict, flaws ...flaw) error {
	if v != results.Pass && v != results.Fail && v != results.Inconclusive {
		return fmt.Errorf("verdict: expected pass, fail or inconclusive, found %s", cited(string(v)))
	}
	for _, f := range flaws {
		if v == results.Pass && f.there {
			return fmt.Errorf("verdict: expected fail or inconclusive, as %s, found pass", f.name)
		}
	}
	return nil
}

// shard says which part of a load run this is; empty: the whole.
func (r *Run) shard() string {
	if info := r.Load.Run; r.Kind == recorded.OfLoad && info.Shards > 1 && !info.Merged {
		return fmt.Sprintf("shard %d of %d", info.Shard, info.Shards)
	}
	return ""
}
