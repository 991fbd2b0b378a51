package results_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/schedule"
)

// stalled records a run of 6 s. Answers take 5 ms, but those due from 2 s to 3.2 s arrive at 3.2
// s. If failure is set, all requests due from 2 s fail like that instead.
func stalled(t *testing.T, rate float64, failure judge.Failure) results.Run {
	t.Helper()
	s := testmust.Get(schedule.New(schedule.ConstantStage(rate, 6*time.Second)))(t)
	rec := open(t, results.Config{Schedule: s, Interval: time.Hour})
	rec.Start(time.Now(), nil)
	elapsed := time.Duration(0)
	for k := range s.RequestCount() {
		at := s.DueAt(k)
		done := at + 5*time.Millisecond
		x := engine.RequestResult{K: k, Intended: at, Status: 201}
		switch {
		case at >= 2*time.Second && failure != judge.FailureNone:
			x.Judgement = judge.Judgement{Class: judge.ClassTransportError, Failure: failure}
			x.Status, done = 0, at+100*time.Millisecond
		case at >= 2*time.Second && at < 3200*time.Millisecond:
			done = 3200*time.Millisecond + time.Duration(k)
		}
		if k%100 == 7 && x.Status != 0 {
			x.Judgement.Class, x.Status = judge.ClassServerError, 503
		}
		x.Response, x.Service = done-at, done-at
		elapsed = max(elapsed, done)
		rec.Record(&x)
	}
	return finish(t, rec, results.RunEnd{Elapsed: elapsed})
}

func TestAStallIsToldWithWhoWaited(t *testing.T) {
	run := stalled(t, 100, judge.FailureNone)
	if len(run.Stalls) != 1 {
		t.Fatalf("%+v", run.Stalls)
	}
	s := run.Stalls[0]
	if s.FromMS < 1990 || s.FromMS > 2000 || s.MS < 1200 || s.MS > 1210 || s.Waited < 119 ||
		s.Waited > 121 || s.Open {
		t.Errorf("%+v", s)
	}
	if got := run.DescribeStalls()[0]; !strings.HasPrefix(got, "no answer for 1.2 s from 0:01, 1") ||
		!strings.HasSuffix(got, " requests waited") {
		t.Error(got)
	}
	if run.Statuses["503"] != 6 || run.DescribeErrors() != "6 × 503 Service Unavailable" {
		t.Errorf("%v: %s", run.Statuses, run.DescribeErrors())
	}
}

func TestAStallOfALateGeneratorIsToldAsSuch(t *testing.T) {
	run := results.Run{Stalls: []results.Stall{{FromMS: 3000, MS: 2000, Waited: 122}}}
	testmust.Equal(t, run.DescribeStalls()[0], "no answer for 2.0 s from 0:03, 122 requests waited")
	run.Generator.LagMaxMS = 1990
	testmust.Contain(t, run.DescribeStalls()[0], "; requests were sent up to 2.0 s late")
}

func TestADeploymentThatDiesStallsUntilTheEnd(t *testing.T) {
	run := stalled(t, 100, judge.FailureTimeout)
	if len(run.Stalls) != 1 || !run.Stalls[0].Open || run.Stalls[0].MS < 4000 {
		t.Fatalf("%+v", run.Stalls)
	}
	testmust.Contain(t, run.Stalls[0].Describe(), "until the end")
	testmust.Equal(t, run.DescribeErrors(), "400 × timeout, 2 × 503 Service Unavailable")
}

func TestSlowSchedulesAndAnswersThatCannotBeReadAreNoStalls(t *testing.T) {
	testmust.Equal(t, len(stalled(t, 1, judge.FailureNone).Stalls), 0, "one request a second")
	testmust.Equal(t, len(stalled(t, 100, judge.FailureProtocol).Stalls), 0)
}
