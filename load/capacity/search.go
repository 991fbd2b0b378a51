// Package capacity finds the highest rate at which a deployment holds its thresholds. It sends
// no requests itself: a ProbeFunc runs one rate and returns its outcome. The search doubles the
// rate until one fails. Then it halves the ratio between the highest rate that held and the
// lowest that failed until they are within Precision. No single probe decides: a rate that
// failed is probed again, and so is the final rate. If two probes disagree, a third decides.
package capacity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
)

// A ProbeOutcome is the outcome of a probe of one rate.
type ProbeOutcome struct {
	Holds      bool          `json:"holds"`                // every threshold held
	Reason     string        `json:"reason,omitempty"`     // why it does not hold, in a few words
	Trouble    string        `json:"trouble,omitempty"`    // most frequent error, such as 429 answers
	Answering  bool          `json:"answering"`            // false ends the search
	Unreliable string        `json:"unreliable,omitempty"` // why the generator is the cause
	Next       string        `json:"next,omitempty"`       // what to try if Unreliable
	Achieved   float64       `json:"achieved"`             // requests per second
	Accepted   float64       `json:"accepted"`             // of those
	P50        time.Duration `json:"p50_ns"`               // response time, like P99
	P99        time.Duration `json:"p99_ns"`
	Errors     float64       `json:"errors"` // share, 0 to 1
}

// Words for outcomes.
const (
	OutcomeHeld      = "held"
	OutcomeMissed    = "missed"
	OutcomeNotJudged = "not judged"
)

// Word returns OutcomeHeld, OutcomeMissed or OutcomeNotJudged.
func (o ProbeOutcome) Word() string {
	switch {
	case o.Unreliable != "":
		return OutcomeNotJudged
	case o.Holds:
		return OutcomeHeld
	}
	return OutcomeMissed
}

// ProbeFunc runs one rate, in requests per second. An error ends the search.
type ProbeFunc func(ctx context.Context, rate float64) (ProbeOutcome, error)

// Search says where to look for the capacity.
type Search struct {
	From, To  float64       // requests per second, both included; 0 < From <= To
	Precision float64       // largest gap between the rate found and the next that fails; 0: 0.05
	CoolDown  time.Duration // after each probe; twice as long after one that failed
	OnProbe   func(Probe)   // called after each probe; may be nil
}

const maxProbes = 60 // per search

// A Probe is a finished probe.
type Probe struct {
	Number  int          `json:"number"` // from 1
	Rate    float64      `json:"rate"`
	Outcome ProbeOutcome `json:"outcome"`
	Folder  string       `json:"folder"` // within that of the search
}

// A LimitReason says what limits the rate found.
type LimitReason string

// Limit reasons.
const (
	LimitedByThresholds LimitReason = "thresholds" // the next rate misses a threshold
	// the highest rate allowed held: the capacity is higher
	LimitedBySearchRange LimitReason = "to"
	LimitedByGenerator   LimitReason = "generator" // the generator could not send the next rate
	// the lowest rate allowed failed: the capacity is lower
	LimitedByLowestRate LimitReason = "from"
	LimitedBySilence    LimitReason = "silence" // the deployment stopped answering
	LimitedByProbeCount LimitReason = "probes"  // the search ran out of probes
	LimitedByInterrupt  LimitReason = "interrupted"
)

type searchState struct {
	Search
	probe  ProbeFunc
	probes []Probe
	end    LimitReason // why the search ends; empty: it goes on
	why    string
}

// Find searches for the capacity. It returns errors of the probe, of ctx, and of an invalid
// precision. With an error, the estimate covers the probes so far.
func Find(ctx context.Context, s Search, probe ProbeFunc) (Estimate, error) {
	s.Precision = cmp.Or(s.Precision, 0.05)
	if !(s.Precision >= 0.001 && s.Precision <= 1) {
		return Estimate{}, fmt.Errorf("the precision is %v; expected 0.001 to 1", s.Precision)
	}
	found := &searchState{Search: s, probe: probe}
	err := found.search(ctx)
	return found.estimate(), err
}

func (s *searchState) search(ctx context.Context) error {
	low, high := 0.0, 0.0 // the highest rate that held, the lowest that did not
	for rate := s.From; high == 0 && low < s.To; {
		holds, err := s.probeUntilClear(ctx, rate, false)
		switch {
		case err != nil || s.end != "":
			return err
		case !holds:
			high = rate
		default:
			low = rate
		}
		if rate *= 2; rate*math.Sqrt2 > s.To {
			rate = s.To // skip a rate just below s.To
		}
	}
	for low > 0 {
		rate := low // the gap is small enough: confirm low
		if high > 0 && high/low > 1+s.Precision {
			rate = math.Sqrt(low * high)
		}
		holds, err := s.probeUntilClear(ctx, rate, true)
		switch {
		case err != nil || s.end != "" || holds && rate == low:
			return err
		case holds:
			low = rate
		default:
			if high = rate; rate == low { // low had held once, while the rate was doubled
				low = s.highestHeldRate(rate)
			}
		}
	}
	return nil
}

func (s *searchState) highestHeldRate(rate float64) (best float64) {
	for _, p := range s.curve() {
		if p.Rate < rate && p.Held > p.Failed {
			best = p.Rate
		}
	}
	return best
}

func (s *searchState) curvePoint(rate float64) CurvePoint {
	curve := s.curve()
	if i := slices.IndexFunc(curve, func(p CurvePoint) bool { return p.Rate == rate }); i >= 0 {
		return curve[i]
	}
	return CurvePoint{}
}

// probeUntilClear probes a rate until two probes agree on whether it holds. If thorough is
// false, one success is enough. Earlier probes of the rate count.
func (s *searchState) probeUntilClear(
	ctx context.Context, rate float64, thorough bool,
) (bool, error) {
	for {
		switch p := s.curvePoint(rate); {
		case p.Held >= 2 || p.Held == 1 && p.Failed == 0 && !thorough:
			return true, nil
		case p.Failed >= 2:
			return false, nil
		}
		if err := s.probeOnce(ctx, rate); err != nil || s.end != "" {
			return false, err
		}
	}
}

func (s *searchState) probeOnce(ctx context.Context, rate float64) error {
	number := len(s.probes) + 1
	if number > maxProbes {
		s.end, s.why = LimitedByProbeCount, fmt.Sprintf("the limit of %d probes was reached", maxProbes)
		return nil
	}
	if number > 1 {
		pause := s.CoolDown
		if !s.probes[number-2].Outcome.Holds {
			pause *= 2
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
	var outcome ProbeOutcome
	err := ctx.Err()
	if err == nil {
		outcome, err = s.probe(ctx, rate)
	}
	if err = cmp.Or(err, ctx.Err()); err != nil { // an interrupted probe does not count
		s.end, s.why = LimitedByInterrupt, "the search was interrupted"
		if !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
			s.why = "a probe failed to start: " + err.Error()
		}
		return err
	}
	made := Probe{number, rate, outcome, ProbeFolderName(number)}
	s.probes = append(s.probes, made)
	if s.OnProbe != nil {
		s.OnProbe(made)
	}
	if p := s.curvePoint(rate); p.notJudged() {
		s.end = LimitedByGenerator
		s.why = fmt.Sprintf("the generator cannot send %s: %s", printable.Rate(rate), p.Reason)
		if outcome.Next != "" {
			s.why += "; " + outcome.Next
		}
	}
	if !outcome.Answering {
		s.end, s.why = LimitedBySilence, "the deployment stopped answering at "+printable.Rate(rate)
	}
	return nil
}
