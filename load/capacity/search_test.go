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

// find searches a deployment whose probe number n, from 1, at a rate has an outcome.
func find(t *testing.T, s Search, outcome func(n int, rate float64) ProbeOutcome) Estimate {
	t.Helper()
	n := 0
	got := testmust.Get(Find(t.Context(), s,
		func(_ context.Context, rate float64) (ProbeOutcome, error) {
			n++
			o := outcome(n, rate)
			o.Accepted = rate
			return o, nil
		}))(t)
	testmust.Equal(t, got.Probes, n, "probes are counted")
	return got
}

// The p99 of the deployment grows with the rate and varies by 5 % from run to run.
func TestItFindsTheCapacityOfWhatScatters(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 3))
		truth := math.Exp(r.Float64() * 8)
		o := Search{From: max(truth/50, 0.5), To: truth * 40}
		got := find(t, o, func(_ int, rate float64) ProbeOutcome {
			holds := rate*math.Exp(r.NormFloat64()*0.05) < truth
			return ProbeOutcome{Holds: holds, Answering: true, Reason: "p99 1 s"}
		})
		if ratio := got.Rate / truth; got.Limit != LimitedByThresholds || got.Confirmations < 2 ||
			ratio < 0.8 || ratio > 1.2 || got.Probes > 40 || got.Low > got.Rate || got.Rate >= got.High {
			t.Errorf("seed %d: %.1f of %.1f after %d probes: %+v", seed, got.Rate, truth, got.Probes, got)
		}
	}
}

func TestTheEndsOfTheRange(t *testing.T) {
	upTo := func(limit float64) func(int, float64) ProbeOutcome {
		return func(_ int, rate float64) ProbeOutcome {
			return ProbeOutcome{Holds: rate <= limit, Answering: true, Reason: "errors 40%", Achieved: rate}
		}
	}
	o := Search{From: 50, To: 5000}
	if got := find(t, o, upTo(1e9)); got.Limit != LimitedBySearchRange || got.Rate != 5000 ||
		got.Confirmations != 2 || got.High != 0 {
		t.Errorf("everything holds: %+v", got)
	}
	if got := find(t, o, upTo(10)); got.Limit != LimitedByLowestRate || got.Rate != 0 ||
		got.Probes != 2 || got.High != 50 || !strings.Contains(got.Reason, "--from") {
		t.Errorf("nothing holds: %+v", got)
	}
	if got := find(t, Search{From: 70, To: 70}, upTo(70)); got.Rate != 70 || got.Probes != 2 {
		t.Errorf("one rate: %+v", got)
	}
	if _, err := Find(t.Context(), Search{From: 1, To: 2, Precision: -1}, nil); err == nil {
		t.Error("a precision below 0 was taken")
	}
}

// What counts is what was accepted: a rate that is sent and half of it refused is no capacity.
func TestTheCapacityIsARateThatWasAccepted(t *testing.T) {
	got := testmust.Get(Find(t.Context(), Search{From: 50, To: 400},
		func(_ context.Context, rate float64) (ProbeOutcome, error) {
			accepted := min(rate, 110)
			return ProbeOutcome{Holds: rate <= 200, Answering: true, Accepted: accepted}, nil
		}))(t)
	if got.Rate != 110 || got.Sent != 200 || got.Low != 110 ||
		!strings.HasPrefix(got.Reason, "holds 200/s with 110/s accepted; from ") {
		t.Errorf("%+v", got)
	}
	for name, c := range map[string]struct {
		bound string
		word  string
	}{"by the deployment": {"", OutcomeMissed}, "by us": {"max_in_flight 5", OutcomeNotJudged}} {
		run := results.Run{
			Verdict: results.VerdictPass, Requests: results.RequestCounts{Sent: 80, Accepted: 80},
			Rate:      results.Rate{Target: 100, Achieved: 80, Accepted: 80},
			Generator: results.GeneratorHealth{Reliable: true, Bound: c.bound},
		}
		if o := OutcomeOf(run); o.Holds || o.Word() != c.word || o.Reason == "" {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

func TestItEndsWhenTheDeploymentStopsAnswering(t *testing.T) {
	got := find(t, Search{From: 50, To: 5000}, func(_ int, rate float64) ProbeOutcome {
		return ProbeOutcome{Holds: rate <= 700, Answering: rate <= 700}
	})
	if got.Limit != LimitedBySilence || got.Rate != 400 || got.Confirmations != 1 ||
		got.Probes != 5 || !strings.Contains(got.Reason, "800/s") {
		t.Errorf("%+v", got)
	}
}

func TestTheGeneratorsLimitIsToldApart(t *testing.T) {
	// searchTo searches a deployment that holds, with probes that describe the generator.
	searchTo := func(to float64, spoilt func(n int, rate float64) bool) Estimate {
		return find(t, Search{From: 50, To: to}, func(n int, rate float64) ProbeOutcome {
			if !spoilt(n, rate) {
				return ProbeOutcome{Holds: true, Answering: true}
			}
			return ProbeOutcome{
				Answering: true, Reason: "sent late", Unreliable: "requests were sent late",
				Next: "use two machines",
			}
		})
	}
	got := searchTo(5000, func(_ int, rate float64) bool { return rate > 1000 })
	if got.Limit != LimitedByGenerator || got.Rate != 800 || got.High != 0 || got.Probes != 7 ||
		got.Reason != "the generator cannot send 1,600/s: requests were sent late; use two machines" {
		t.Errorf("from a rate on: %+v", got)
	}
	got = searchTo(400, func(n int, _ float64) bool { return n == 1 })
	if got.Rate != 400 || got.Low != 400 || len(got.Unstable) != 0 {
		t.Errorf("a run is held against the deployment: %+v", got)
	}
	if first := got.Curve[0]; first.Failed != 1 ||
		first.ProbeSummary() != "2 held, 0 missed, 1 not judged" || first.Reason == "" {
		t.Errorf("the run is not named: %+v", first)
	}
	got = searchTo(400, func(n int, _ float64) bool { return n != 2 })
	if got.Limit != LimitedByGenerator || got.High != 0 || got.Probes != 3 {
		t.Errorf("runs fail a rate that held otherwise: %+v", got)
	}
}

// If one probe of a rate missed and another was not judged, the deployment's figure is the reason.
func TestAMissIsTheReasonRatherThanTheGenerator(t *testing.T) {
	missed := ProbeOutcome{Answering: true, Reason: "p99 400 ms", Trouble: "429 Too Many Requests"}
	late := ProbeOutcome{Answering: true, Unreliable: "sent late"}
	for _, order := range [][]ProbeOutcome{{missed, late}, {late, missed}} {
		s := searchState{}
		for _, o := range order {
			s.probes = append(s.probes, Probe{Rate: 80, Outcome: o})
		}
		testmust.Equal(t, s.curve()[0].FailureReason(), "429 Too Many Requests: p99 400 ms")
	}
}

func TestItAlwaysEnds(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		o := Search{From: 1, To: 1e6, Precision: 0.001}
		got := find(t, o, func(int, float64) ProbeOutcome {
			return ProbeOutcome{Holds: r.IntN(2) == 0, Answering: true, Reason: "chance"}
		})
		if got.Probes > 60 || got.Limit == "" || got.Reason == "" {
			t.Fatalf("seed %d: %+v", seed, got)
		}
	}
}

func TestWhatWasFoundSurvivesTheEnd(t *testing.T) {
	broken := errors.New("no folder")
	n := 0
	got, err := Find(t.Context(), Search{From: 50, To: 5000},
		func(_ context.Context, rate float64) (ProbeOutcome, error) {
			if n++; n > 3 {
				return ProbeOutcome{}, broken
			}
			return ProbeOutcome{Holds: true, Answering: true, Accepted: rate}, nil
		})
	if !errors.Is(err, broken) || got.Rate != 200 || got.Limit != LimitedByInterrupt ||
		!strings.Contains(got.Reason, "no folder") {
		t.Errorf("a broken probe: %v, %+v", err, got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	got, err = Find(ctx, Search{From: 50, To: 5000, CoolDown: time.Hour},
		func(_ context.Context, rate float64) (ProbeOutcome, error) {
			time.AfterFunc(200*time.Millisecond, cancel) // after the outcome is recorded
			return ProbeOutcome{Holds: true, Answering: true, Accepted: rate}, nil
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
		Statuses: map[string]int64{"429": 10}, Thresholds: []threshold.Result{
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
