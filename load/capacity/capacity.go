// Package capacity finds the highest rate at which a deployment holds its thresholds. It knows nothing of requests: a
// Probe runs one rate and says how it went.
//
// The search climbs by a factor until a rate fails, then halves the gap between the highest rate that held and the
// lowest that did not, by ratio, until they are as close as asked for. No single run decides: a rate that failed is run
// again, a rate that may be the answer as well, and where two runs disagree a third decides. After each run it waits.
package capacity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
)

// Outcome is how a probe of one rate went.
type Outcome struct {
	Holds   bool   `json:"holds"`             // every threshold held
	Reason  string `json:"reason,omitempty"`  // why not, in a few words
	Trouble string `json:"trouble,omitempty"` // what went wrong most: 429 answers, a stall
	// the deployment answered at least some requests; false ends the search
	Answering bool `json:"answering"`
	// why the figures describe the generator, not the deployment; empty: they do not
	Unreliable string        `json:"unreliable,omitempty"`
	Next       string        `json:"next,omitempty"` // what to try about that
	Achieved   float64       `json:"achieved"`       // requests per second
	P50        time.Duration `json:"p50_ns"`
	P99        time.Duration `json:"p99_ns"`
	Errors     float64       `json:"errors"` // share, 0 to 1
}

// Word says how the probe went.
func (o Outcome) Word() string {
	switch {
	case o.Unreliable != "":
		return NotJudged
	case o.Holds:
		return Held
	}
	return Missed
}

// How probes go.
const (
	Held      = "held"
	Missed    = "missed"
	NotJudged = "not judged"
)

// Probe runs one rate, in requests per second. An error ends the search, with what was found so far.
type Probe func(ctx context.Context, rate float64) (Outcome, error)

// Options of a search. Zero values take the defaults.
type Options struct {
	From, To  float64       // requests per second, both included
	Precision float64       // ratio between the rate found and the next that fails, less 1; default 0.05
	CoolDown  time.Duration // after each run; twice as long after one that failed
	// Wait replaces the clock during cool-downs.
	Wait func(ctx context.Context, d time.Duration) error
	// OnRun is called after each run.
	OnRun func(Run)
}

const mostRuns = 60 // of a search

// Run is one probe that was made.
type Run struct {
	Number  int     `json:"number"` // from 1
	Rate    float64 `json:"rate"`
	Outcome Outcome `json:"outcome"`
	Folder  string  `json:"folder"` // within that of the search
}

// Limit says what kept the rate from being higher.
type Limit string

// The limits.
const (
	ByThresholds Limit = "thresholds" // the next rate misses one
	ByTo         Limit = "to"         // the highest rate that was allowed held: the capacity is higher
	ByGenerator  Limit = "generator"  // the generator could not send the next rate: the capacity may be higher
	ByFrom       Limit = "from"       // the lowest rate that was allowed failed: the capacity is lower
	BySilence    Limit = "silence"    // the deployment stopped answering
	ByProbes     Limit = "probes"     // the search ran out of probes
	ByInterrupt  Limit = "interrupted"
)

// Result is what a search found.
type Result struct {
	Rate          float64  `json:"rate"`          // the highest that held; 0: none did
	Confirmations int      `json:"confirmations"` // runs in which it held
	Against       int      `json:"against"`       // runs in which it did not
	Low           float64  `json:"low"`           // the capacity is between Low, up to which every run held, ...
	High          float64  `json:"high"`          // ... and High, at which every run failed; 0: not known
	Limit         Limit    `json:"limit"`
	Reason        string   `json:"reason"` // in one sentence
	Unstable      []string `json:"unstable,omitempty"`
	Probes        int      `json:"probes"`
	Curve         []Point  `json:"curve"`
}

type search struct {
	o     Options
	probe Probe
	runs  []Run
	end   Limit // why the search must end; empty: it goes on
	why   string
}

// Find searches. The error is that of the probe, of the context, or of impossible options; the result is what was found
// until then.
func Find(ctx context.Context, o Options, probe Probe) (Result, error) {
	if !(o.From > 0) || !(o.To >= o.From) || math.IsInf(o.To, 0) {
		return Result{}, fmt.Errorf("the search goes from %v/s to %v/s; expected 0 < from <= to", o.From, o.To)
	}
	if o.Precision = cmp.Or(o.Precision, 0.05); !(o.Precision >= 0.001 && o.Precision <= 1) {
		return Result{}, fmt.Errorf("the precision is %v; expected 0.001 to 1", o.Precision)
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	s := &search{o: o, probe: probe}
	err := s.climb(ctx)
	return s.result(), err
}

func wait(ctx context.Context, d time.Duration) error {
	if d > 0 {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

// climb is the whole search.
func (s *search) climb(ctx context.Context) error {
	low, high := 0.0, 0.0 // the highest that held, the lowest that did not
	for rate := s.o.From; ; {
		holds, err := s.decide(ctx, rate, false)
		if err != nil || s.end != "" {
			return err
		}
		if !holds {
			high = rate
			break
		}
		if low = rate; rate == s.o.To {
			break
		}
		if rate *= 2; rate*math.Sqrt2 > s.o.To && rate != s.o.To { // no sliver at the end
			rate = s.o.To
		}
	}
	for {
		for high > 0 && low > 0 && high/low > 1+s.o.Precision {
			middle := math.Sqrt(low * high)
			holds, err := s.decide(ctx, middle, true)
			if err != nil || s.end != "" {
				return err
			}
			if holds {
				low = middle
			} else {
				high = middle
			}
		}
		if low == 0 {
			return nil
		}
		confirmed, err := s.decide(ctx, low, true)
		if err != nil || s.end != "" || confirmed {
			return err
		}
		// A rate of the climb held once and then failed: look below it.
		high, low = low, s.below(low)
	}
}

// below is the highest rate under another that held more often than not.
func (s *search) below(rate float64) float64 {
	best := 0.0
	for _, p := range s.curve() {
		if p.Rate < rate && p.Held > p.Failed {
			best = p.Rate
		}
	}
	return best
}

// decide runs a rate until it is clear whether it holds: a failure always twice, a success twice where thorough, and a
// third time where the two disagree. Runs of the same rate made before count.
func (s *search) decide(ctx context.Context, rate float64, thorough bool) (bool, error) {
	for {
		var p Point
		for _, ran := range s.curve() {
			if ran.Rate == rate {
				p = ran
			}
		}
		switch {
		case p.Held >= 2 || p.Held == 1 && p.Failed == 0 && !thorough:
			return true, nil
		case p.Failed >= 2:
			return false, nil
		}
		if err := s.run(ctx, rate); err != nil || s.end != "" {
			return false, err
		}
	}
}

func (s *search) run(ctx context.Context, rate float64) error {
	if len(s.runs) >= mostRuns {
		s.end, s.why = ByProbes, fmt.Sprintf("the limit of %d runs was reached", len(s.runs))
		return nil
	}
	if n := len(s.runs); n > 0 {
		pause := s.o.CoolDown
		if !s.runs[n-1].Outcome.Holds {
			pause *= 2
		}
		if err := s.o.Wait(ctx, pause); err != nil {
			return s.broken(err)
		}
	}
	outcome, err := s.probe(ctx, rate)
	if err == nil {
		err = ctx.Err() // what an interrupted probe measured is not used
	}
	if err != nil {
		return s.broken(err)
	}
	number := len(s.runs) + 1
	r := Run{number, rate, outcome, Name(number)}
	s.runs = append(s.runs, r)
	if s.o.OnRun != nil {
		s.o.OnRun(r)
	}
	for _, p := range s.curve() {
		if p.Rate == rate && p.spoilt() {
			s.end, s.why = ByGenerator, fmt.Sprintf("the generator cannot send %s: %s", printable.Rate(rate), p.Reason)
			if outcome.Next != "" {
				s.why += "; " + outcome.Next
			}
		}
	}
	if !outcome.Answering {
		s.end, s.why = BySilence, "the deployment stopped answering at "+printable.Rate(rate)
	}
	return nil
}

func (s *search) broken(err error) error {
	s.end, s.why = ByInterrupt, "the search was interrupted"
	if !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		s.why = "a run failed to start: " + err.Error()
	}
	return err
}
