package results_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/traffic"
)

func TestVerdicts(t *testing.T) {
	well, noErrors, fast := []string{"p99<1s"}, []string{"errors<1%"}, []string{"p50<1ms"}
	type ending struct {
		verdict results.Verdict
		code    int
	}
	passed, failed, nothing := ending{results.VerdictPass, 0}, ending{results.VerdictFail, 1},
		ending{results.VerdictInconclusive, 3}
	all := func(class judge.Class) judge.Judgement { return judge.Judgement{Class: class} }
	unanswered := func(why judge.Failure) judge.Judgement {
		return judge.Judgement{Class: judge.ClassTransportError, Failure: why}
	}
	for name, c := range map[string]struct {
		n, good                    int64 // number of requests, and of those accepted despite verdict
		bad, late                  int64 // of those without a good answer, and sent late; 0: all
		status                     int
		verdict                    judge.Judgement
		lag                        time.Duration
		exprs                      []string
		queued, partial, tolerated bool
		want                       ending
		says                       string
	}{
		"all is well":        {n: 4000, exprs: well, want: passed, says: "the threshold held"},
		"without thresholds": {n: 4000, want: passed, says: "no threshold was set"},
		"a missed threshold": {
			n: 4000, exprs: append(well, fast...), want: failed,
			says: "p50<1ms missed: p50 5.001 ms (1 of 2 thresholds missed)",
		},
		"a threshold without data": {
			n: 4000, exprs: []string{"missed_blocks==0"}, want: nothing,
			says: "missed_blocks==0 not judged: no repeat was judged",
		},
		"nothing sent": {want: nothing, says: "no request was sent"},
		"nobody answers": {
			n: 4000, verdict: unanswered(judge.FailureRefused), exprs: noErrors, want: nothing,
			says: "answered no request",
		},
		"hardly anybody answers": {
			n: 4000, verdict: all(judge.ClassServerError), good: 199, exprs: noErrors,
			want: nothing, says: "199 of 4000 requests were accepted",
		},
		"everybody is throttled": {
			n: 4000, verdict: all(judge.ClassThrottled), want: nothing,
			says: "0 of 4000 requests were accepted",
		},
		"some answers are usable": {
			n: 4000, verdict: all(judge.ClassServerError), good: 200, exprs: noErrors,
			want: failed, says: "errors<1% missed: errors 95%",
		},
		"a false block": {
			n: 1, verdict: all(judge.ClassFalseBlock), want: failed,
			says: "false blocks: 1 fresh request blocked",
		},
		"a false block, tolerated": {
			n: 1, verdict: all(judge.ClassFalseBlock), tolerated: true, want: passed,
		},
		"a broken answer": {
			n: 4000, verdict: judge.Judgement{Class: judge.ClassMalformed, Rule: "export.success"},
			want: failed, says: "4,000 answers broke a documented rule",
		},
		"a late generator": {n: 4000, lag: time.Second, exprs: fast, want: nothing, says: "sent late"},
		"late, for the limit": {
			n: 4000, lag: time.Second, queued: true, exprs: []string{"p50<2s"}, want: passed,
		},
		"slow, for the limit": {
			n: 4000, lag: time.Second, queued: true, exprs: []string{"p50<1s"}, want: failed,
		},
		"late, and it holds": {
			n: 4000, lag: 40 * time.Millisecond, exprs: []string{"p50<1s"}, want: passed,
		},
		"most were late": {
			n: 4000, late: 2500, lag: 60 * time.Millisecond, exprs: []string{"p50<1s"}, want: nothing,
			says: "2500 of 4000 requests were sent late by the generator and do not count",
		},
		"some were late, and errors are the deployment's": {
			n: 4000, late: 1500, lag: time.Second, verdict: all(judge.ClassServerError), good: 3000,
			exprs: noErrors, want: failed, says: "errors<1% missed: errors 40%",
		},
		"only late ones failed": {
			n: 4000, late: 1000, lag: time.Second, verdict: all(judge.ClassThrottled), bad: 1000,
			exprs: noErrors, want: passed, says: "1000 of 4000 requests were sent late",
		},
		"too few were accepted in time": {
			n: 4000, late: 1000, lag: time.Second, exprs: []string{"rate.accepted>=1900/s", "errors<1%"},
			want: nothing, says: "rate.accepted>=1900/s not judged",
		},
		"too few were accepted": {
			n: 4000, verdict: all(judge.ClassThrottled), good: 3000, want: failed,
			exprs: []string{"rate.accepted>=1600/s"}, says: "rate.accepted 1500/s",
		},
		"bounded by us": {
			n: 2000, lag: time.Second, queued: true, exprs: []string{"achieved>=99%"}, want: nothing,
			says: "our limit of 10000 connections bounded the rate: 2,000 requests waited",
		},
		"only errors of its own": {
			n: 4000, verdict: all(judge.ClassServerError), status: 500, good: 100, want: failed,
			says: "the deployment fails: 100 of 4000 requests",
		},
		"hardly reachable": {
			n: 4000, verdict: all(judge.ClassServerError), status: 503, good: 100, want: nothing,
			says: "too few usable answers",
		},
		"late, and slow": {n: 4000, lag: 2 * time.Millisecond, exprs: fast, want: failed},
		"late, no thresholds": {
			n: 4000, lag: time.Second, want: nothing, says: "figures describe the generator",
		},
		"too late for the rate": {
			n: 4000, lag: time.Second, exprs: []string{"p50<2s"}, want: nothing, says: "--engine direct",
		},
		"late by what is missed": {
			n: 4000, lag: 20 * time.Millisecond, exprs: []string{"p50<10ms", "errors<1%"},
			want: nothing,
			says: "p50<10ms not judged: p50 25 ms; send lag p50 20 ms explains it: the generator " +
				"was late; requests were sent late",
		},
		"late by seconds": {
			n: 4000, lag: 1914 * time.Millisecond, exprs: []string{"p50<10ms"}, want: nothing,
			says: "send lag p50 1914.7 ms explains it",
		},
		"late, with errors": {
			n: 4000, lag: time.Second, verdict: all(judge.ClassServerError), good: 2000, exprs: noErrors,
			want: nothing, says: "figures describe the generator",
		},
		"a late one, but violating": {
			n: 4000, lag: time.Second, verdict: all(judge.ClassMissedBlock), want: failed,
		},
		"no ports": {n: 4000, verdict: unanswered(judge.FailureNoPorts), want: nothing},
		"interrupted": {
			n: 400, exprs: well, partial: true, want: ending{results.VerdictInconclusive, 130},
			says: "interrupted",
		},
		"too slow to send all": {
			n: 2000, exprs: []string{"achieved>=99%"}, want: failed, says: "achieved 50%",
		},
	} {
		s := twoStages(t)
		rec := open(t, results.Config{Schedule: s, Thresholds: c.exprs, FailOnMisblock: !c.tolerated})
		rec.Start(time.Now(), nil)
		for k := range c.n {
			verdict := c.verdict
			if k < c.good || c.bad > 0 && k >= c.bad {
				verdict = judge.Judgement{}
			}
			lag := c.lag
			if c.late > 0 && k >= c.late {
				lag = 0
			}
			rec.Record(&engine.RequestResult{
				K: k, Judgement: verdict, Status: c.status, Lag: lag, Queued: c.queued,
				Service:  5 * time.Millisecond,
				Response: lag + 5*time.Millisecond, Intended: s.DueAt(k),
			})
		}
		elapsed := 2 * time.Second
		if c.partial {
			elapsed = time.Second
		}
		run := finish(t, rec, results.RunEnd{Elapsed: elapsed, Partial: c.partial})
		if got := (ending{run.Verdict, results.ExitCode(run)}); got != c.want ||
			!strings.Contains(run.Reason, c.says) {
			t.Errorf("%s: %s (%d): %s", name, run.Verdict, results.ExitCode(run), run.Reason)
		}
	}
}

// A run that follows files and sees fewer than half arrive has no verdict, unless a threshold
// decides.
func TestFilesThatNeverArrive(t *testing.T) {
	refused := func(context.Context, string, int) error {
		return errors.New("500 Internal Server Error")
	}
	arrives := func(share int64) func(context.Context, string, int) error {
		var n atomic.Int64
		return func(ctx context.Context, id string, user int) error {
			if n.Add(1) <= share {
				return nil
			}
			return refused(ctx, id, user)
		}
	}
	silent := func(ctx context.Context, _ string, _ int) error { <-ctx.Done(); return ctx.Err() }
	for name, c := range map[string]struct {
		fetch func(context.Context, string, int) error
		n     int64
		exprs []string
		want  results.Verdict
		says  string
	}{
		"refused": {
			refused, 5,
			[]string{"p99<1s"},
			results.VerdictInconclusive,
			"none of 5 files arrived: 5 failed, 0 still pending at the end; the first: 500 Internal",
		},
		"silence": {silent, 6, nil, results.VerdictInconclusive, "0 failed, 6 still pending"},
		"few": {
			arrives(2), 9, nil, results.VerdictInconclusive,
			"only 2 of 9 files arrived: 7 failed, 0 still pending at the end; the first: 500 Internal",
		},
		"half":               {arrives(4), 8, nil, results.VerdictPass, "but 4 of 8 followed files failed"},
		"too few to tell":    {refused, 4, nil, results.VerdictPass, "but 4 of 4 followed files failed"},
		"another threshold":  {refused, 5, []string{"p50<1ms"}, results.VerdictFail, "p50<1ms"},
		"a threshold holds":  {refused, 5, []string{"file_failures<=100%"}, results.VerdictPass, "held"},
		"a threshold fails":  {refused, 5, []string{"file_failures==0"}, results.VerdictFail, "==0"},
		"a time without one": {silent, 5, []string{"file_p95<1s"}, results.VerdictFail, "no data"},
		"no file to time": {
			silent, 0, []string{"file_p95<1s"}, results.VerdictInconclusive, "no file time was measured",
		},
	} {
		tracker := testmust.Get(files.New(nil, nil, files.Config{Share: 1, Fetch: c.fetch}))(t)
		s := twoStages(t)
		rec := open(t, results.Config{Schedule: s, Thresholds: c.exprs, Files: tracker})
		rec.Start(time.Now(), nil)
		for k := range s.RequestCount() {
			body := []byte(nil)
			if k < c.n {
				body = []byte(`{"file_id":"one"}`)
			}
			rec.Record(&engine.RequestResult{
				K: k, Service: 5 * time.Millisecond, Response: 5 * time.Millisecond,
				Intended: s.DueAt(k), Body: body, Request: &traffic.Request{},
			})
		}
		ended, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		tracker.Finish(ended)
		cancel()
		run := finish(t, rec, results.RunEnd{Elapsed: 2 * time.Second})
		testmust.Equal(t, run.Verdict, c.want, name)
		testmust.Contain(t, run.Reason, c.says, name)
	}
}

func TestAnAbortRuleEndsTheRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	s, ended := twoStages(t), make(chan string, 10)
	rec := open(t, results.Config{
		Schedule: s, Interval: 10 * time.Millisecond, AbortOn: []string{"server_errors>50% for 40ms"},
		OnAbort: func(why string) { ended <- why },
	})
	start := time.Now()
	rec.Start(start, nil)
	why := ""
	for k := int64(0); why == "" && k < s.RequestCount(); k++ {
		rec.Record(&engine.RequestResult{
			K: k, Judgement: judge.Judgement{Class: judge.ClassServerError}, Service: time.Millisecond,
			Response: time.Millisecond, Intended: s.DueAt(k),
		})
		select {
		case why = <-ended:
		case <-time.After(time.Millisecond):
		}
	}
	run := finish(t, rec, results.RunEnd{Elapsed: time.Since(start), Partial: true})
	if !strings.Contains(why, "observed 100%") || run.Run.Aborted != why ||
		run.Verdict != results.VerdictFail || results.ExitCode(run) != 1 || len(ended) != 0 {
		t.Errorf("%q; %s: %s", why, run.Verdict, run.Reason)
	}
}

func TestAcceptedErrorsAreNamedByTheirClass(t *testing.T) {
	for want, q := range map[string]results.RequestCounts{
		"7 × repeat accepted (201)":                               {MissedBlocks: 7},
		"7 × answer that breaks a rule (201)":                     {Malformed: 7},
		"7 × repeat accepted, or answer that breaks a rule (201)": {MissedBlocks: 3, Malformed: 4},
	} {
		run := results.Run{Requests: q, Statuses: map[string]int64{"201": 7}}
		testmust.Equal(t, run.DescribeErrors(), want)
	}
}
