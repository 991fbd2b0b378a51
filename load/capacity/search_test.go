package capacity

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
)

// The p99 of the deployment grows with the rate and varies by 5 % from run to run.
func TestItFindsTheCapacityOfWhatScatters(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 3))
		truth := math.Exp(r.Float64() * 8)
		o := Search{From: max(truth/50, 0.5), To: truth * 40}
		got := testmust.Get(Find(t.Context(), o,
			func(_ context.Context, rate float64) (ProbeOutcome, error) {
				holds := rate*math.Exp(r.NormFloat64()*0.05) < truth
				return ProbeOutcome{Holds: holds, Answering: true, Reason: "p99 1 s"}, nil
			}))(t)
		if ratio := got.Rate / truth; got.Limit != LimitedByThresholds || got.Confirmations < 2 ||
			ratio < 0.8 || ratio > 1.2 || got.Probes > 40 || got.Low > got.Rate || got.Rate >= got.High {
			t.Errorf("seed %d: %.1f of %.1f after %d probes: %+v", seed, got.Rate, truth, got.Probes, got)
		}
	}
}

// holdsUpTo simulates a deployment that holds up to a rate.
func holdsUpTo(rate float64) ProbeFunc {
	return func(_ context.Context, r float64) (ProbeOutcome, error) {
		return ProbeOutcome{Holds: r <= rate, Answering: true, Reason: "errors 40%", Achieved: r}, nil
	}
}

func TestTheEndsOfTheRange(t *testing.T) {
	o := Search{From: 50, To: 5000}
	got, err := Find(t.Context(), o, holdsUpTo(1e9))
	if err != nil || got.Limit != LimitedBySearchRange || got.Rate != 5000 || got.Confirmations != 2 ||
		got.High != 0 {
		t.Errorf("everything holds: %v, %+v", err, got)
	}
	got, err = Find(t.Context(), o, holdsUpTo(10))
	if err != nil || got.Limit != LimitedByLowestRate || got.Rate != 0 || got.Probes != 2 ||
		got.High != 50 || !strings.Contains(got.Reason, "--from") {
		t.Errorf("nothing holds: %v, %+v", err, got)
	}
	got, err = Find(t.Context(), Search{From: 70, To: 70}, holdsUpTo(70))
	if err != nil || got.Rate != 70 || got.Probes != 2 {
		t.Errorf("one rate: %v, %+v", err, got)
	}
	bad := Search{From: 1, To: 2, Precision: -1}
	if _, err := Find(t.Context(), bad, holdsUpTo(1)); err == nil {
		t.Errorf("%+v was taken", bad)
	}
}

func TestItEndsWhenTheDeploymentStopsAnswering(t *testing.T) {
	dead, after := false, 0
	got, err := Find(t.Context(), Search{From: 50, To: 5000},
		func(_ context.Context, rate float64) (ProbeOutcome, error) {
			if dead {
				after++
			}
			dead = dead || rate > 700
			return ProbeOutcome{Holds: !dead, Answering: !dead}, nil
		})
	if err != nil || got.Limit != LimitedBySilence || got.Rate != 400 || got.Confirmations != 1 ||
		after != 0 || !strings.Contains(got.Reason, "800/s") {
		t.Errorf("%v, %d probes after it: %+v", err, after, got)
	}
}

// spoilt is the outcome of a probe that describes the generator.
var spoilt = ProbeOutcome{
	Answering: true, Reason: "sent late",
	Unreliable: "requests were sent late", Next: "use two machines",
}

func TestTheGeneratorsLimitIsToldApart(t *testing.T) {
	held := ProbeOutcome{Holds: true, Answering: true}
	search := func(to float64, outcome func(n int,
		rate float64) ProbeOutcome,
	) (got Estimate, probes int) {
		t.Helper()
		got = testmust.Get(Find(t.Context(), Search{From: 50, To: to},
			func(_ context.Context, rate float64) (ProbeOutcome, error) {
				probes++
				return outcome(probes, rate), nil
			}))(t)
		return got, probes
	}
	got, probes := search(5000, func(_ int, rate float64) ProbeOutcome {
		if rate > 1000 {
			return spoilt
		}
		return held
	})
	if got.Limit != LimitedByGenerator || got.Rate != 800 || got.High != 0 || probes != 7 ||
		got.Reason != "the generator cannot send 1,600/s: requests were sent late; use two "+"machines" {
		t.Errorf("from a rate on, after %d probes: %+v", probes, got)
	}
	got, _ = search(400, func(n int, _ float64) ProbeOutcome {
		if n == 1 {
			return spoilt
		}
		return held
	})
	if got.Rate != 400 || got.Low != 400 || len(got.Unstable) != 0 {
		t.Errorf("a run is held against the deployment: %+v", got)
	}
	if first := got.Curve[0]; first.Failed != 1 ||
		first.ProbeSummary() != "2 held, 0 missed, 1 not judged" || first.Reason == "" {
		t.Errorf("the run is not named: %+v", first)
	}
	got, probes = search(400, func(n int, _ float64) ProbeOutcome {
		if n == 2 {
			return held
		}
		return spoilt
	})
	if got.Limit != LimitedByGenerator || got.High != 0 || probes != 3 {
		t.Errorf("runs fail a rate that held otherwise, after %d probes: %+v", probes, got)
	}
}

func TestItAlwaysEnds(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		n := 0
		got, err := Find(t.Context(), Search{From: 1, To: 1e6, Precision: 0.001},
			func(context.Context, float64) (ProbeOutcome, error) {
				n++
				return ProbeOutcome{Holds: r.IntN(2) == 0, Answering: true, Reason: "chance"}, nil
			})
		if err != nil || n > 60 || got.Probes != n || got.Limit == "" || got.Reason == "" {
			t.Fatalf("seed %d: %v, %d probes, %+v", seed, err, n, got)
		}
	}
}

func TestWhatWasFoundSurvivesTheEnd(t *testing.T) {
	broken := errors.New("no folder")
	n := 0
	got, err := Find(t.Context(), Search{From: 50, To: 5000},
		func(context.Context, float64) (ProbeOutcome, error) {
			if n++; n > 3 {
				return ProbeOutcome{}, broken
			}
			return ProbeOutcome{Holds: true, Answering: true}, nil
		})
	if !errors.Is(err, broken) || got.Rate != 200 || got.Limit != LimitedByInterrupt ||
		!strings.Contains(got.Reason, "no folder") {
		t.Errorf("a broken probe: %v, %+v", err, got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	got, err = Find(ctx, Search{From: 50, To: 5000, CoolDown: time.Hour},
		func(context.Context, float64) (ProbeOutcome, error) {
			time.AfterFunc(200*time.Millisecond, cancel) // after the outcome is recorded
			return ProbeOutcome{Holds: true, Answering: true}, nil
		})
	if !errors.Is(err, context.Canceled) || got.Rate != 50 || got.Limit != LimitedByInterrupt {
		t.Errorf("an interrupt in the cool-down: %v, %+v", err, got)
	}
}

// The missed threshold is taken from the thresholds of the run, not from its reason.
func TestTheOutcomeOfARunNamesTheThresholdItMissed(t *testing.T) {
	run := results.Run{
		Verdict: results.VerdictFail, Reason: "2 of 4 thresholds missed",
		Requests: results.RequestCounts{Sent: 100, Accepted: 90},
		Statuses: map[string]int64{"429": 10}, Thresholds: []threshold.ThresholdResult{
			{Expr: "p99<20ms", Observed: "9ms", OK: true},
			{Expr: "file_p95<1s", Observed: threshold.NoData},
			{Expr: "errors<1%", Observed: "10%", Value: new(10.0)},
			{Expr: "achieved>=99%", Observed: "50%", Value: new(50.0)},
		},
	}
	o := OutcomeOf(run)
	if o.Holds || !o.Answering || o.Reason != "errors 10%, threshold errors<1%" ||
		o.Trouble != "429 Too Many Requests" || o.Errors != 0.1 {
		t.Errorf("%+v", o)
	}
	run.Verdict = results.VerdictInconclusive
	if o := OutcomeOf(run); o.Reason != run.Reason || o.Word() != OutcomeMissed {
		t.Errorf("%+v", o)
	}
	run.Thresholds[2].Late, run.Thresholds[2].Reason, run.Generator.Next = true, "it was late",
		"use two machines"
	if o := OutcomeOf(run); o.Reason != "errors 10%, threshold errors<1%; it was late" ||
		o.Next != "use two machines" || o.Word() != OutcomeNotJudged {
		t.Errorf("%+v", o)
	}
}
