package driver

import (
	"context"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/load/results"
)

// after lets so many exports through and answers every later one with what is given.
func after(n int64, then http.HandlerFunc) func(http.Handler) http.Handler {
	var seen atomic.Int64
	return before(func(w http.ResponseWriter, r *http.Request) bool {
		if seen.Add(1) <= n {
			return false
		}
		_, _ = io.Copy(io.Discard, r.Body) // the server notices a client that is gone only when the body is read
		then(w, r)
		return true
	})
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", code) }
}

func reset(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func silence(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// preflight is at least as many exports as are sent before the schedule.
const preflight = 10

func TestARunInWhichNothingWorkedIsNoPass(t *testing.T) {
	for name, c := range map[string]struct {
		engine, slo string
		answer      http.HandlerFunc
		cause       string
	}{
		"reset":   {"direct", "none", reset, "connection closed"},
		"silent":  {"vegeta", "", silence, "timeout"},
		"429":     {"direct", "", status(http.StatusTooManyRequests), "429 Too Many Requests"},
		"expired": {"vegeta", "none", status(http.StatusUnauthorized), "401 Unauthorized"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			flags := []string{"rate=300/s", "duration=500ms", "timeout=300ms", "track-files=0", "engine=" + c.engine}
			if c.slo != "" {
				flags = append(flags, "slo="+c.slo)
			}
			result := play(t, t.Context(), gateway(t, after(preflight, c.answer)), planned(t, flags...))
			run := result.Run
			if run.Verdict != results.Inconclusive || result.ExitCode() != 3 || run.Requests.Sent == 0 {
				t.Fatalf("%s, exit code %d: %s", run.Verdict, result.ExitCode(), run.Reason)
			}
			nothing, hardly := "answered no request", "too few usable answers"
			if !strings.Contains(run.Reason, nothing) && !strings.Contains(run.Reason, hardly) {
				t.Errorf("the reason is %q", run.Reason)
			}
			if strings.Contains(run.Reason, hardly) && !strings.Contains(run.Reason, c.cause) {
				t.Errorf("%q does not say %q", run.Reason, c.cause)
			}
		})
	}
}

func TestOneErrorInAHundredIsTheLimitUnlessThePlanSaysOtherwise(t *testing.T) {
	for name, c := range map[string]struct {
		slo        string
		thresholds []string
		verdict    results.Verdict
	}{
		"by default":          {"", []string{"errors<1%"}, results.Fail},
		"beside another":      {"p99<1m", []string{"p99<1m", "errors<1%"}, results.Fail},
		"one's own on errors": {"errors<90%", []string{"errors<90%"}, results.Pass},
		"none":                {"none", nil, results.Pass},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var n atomic.Int64
			d := gateway(t, before(func(w http.ResponseWriter, r *http.Request) bool {
				k := n.Add(1)
				bad := k > preflight && k%4 == 0
				if bad {
					status(http.StatusServiceUnavailable)(w, r)
				}
				return bad
			}))
			flags := []string{"rate=100/s", "duration=500ms", "repeats=0", "track-files=0"}
			if c.slo != "" {
				flags = append(flags, "slo="+c.slo)
			}
			result := play(t, t.Context(), d, planned(t, flags...))
			var exprs []string
			for _, r := range result.Run.Thresholds {
				exprs = append(exprs, r.Expr)
			}
			if strings.Join(exprs, ", ") != strings.Join(c.thresholds, ", ") {
				t.Errorf("thresholds %q", exprs)
			}
			if result.Run.Generator.Reliable && result.Run.Verdict != c.verdict {
				t.Errorf("%s: %s", result.Run.Verdict, result.Run.Reason)
			}
			again, err := results.Read(result.Folder)
			if err != nil || again.Verdict != result.Run.Verdict || again.Reason != result.Run.Reason {
				t.Errorf("made again: %v, %s: %s", err, again.Verdict, again.Reason)
			}
		})
	}
}

func TestFilesThatNeverAnswerEndWithTheLimit(t *testing.T) {
	d := gateway(t, before(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet {
			silence(w, r)
		}
		return r.Method == http.MethodGet
	}))
	d.Export.File.Timeout, d.Limits.Timeout = 300*time.Millisecond, 200*time.Millisecond
	// far from the limit, far below what is waited for at most
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	result := play(t, ctx, d, planned(t, "rate=50/s", "duration=300ms", "track-files=100%"))
	if result.Run.Run.Partial || ctx.Err() != nil {
		t.Fatal("it did not end by itself")
	}
	f := result.Run.Files
	if f == nil || f.Ready != 0 || f.Failed+f.Pending == 0 || f.Failed+f.Dropped+f.Pending != f.Sampled {
		t.Fatalf("%+v", f)
	}
	if note := strings.Join(result.Run.Notes, "\n"); f.Pending > 0 &&
		!strings.Contains(note, "the run stopped waiting") {
		t.Errorf("%d are pending, and the notes are %q", f.Pending, note)
	}
}

// TestACapacityIsNotWhatThrottlesFast has a deployment that answers 429 to all, well within the threshold of its own.
func TestACapacityIsNotWhatThrottlesFast(t *testing.T) {
	found, _, err := Find(t.Context(), Search{
		Options: Options{
			Deployment: gateway(t, after(preflight, status(http.StatusTooManyRequests))),
			Plan:       planned(t, "slo=p99<1m"), Out: filepath.Join(t.TempDir(), "run"),
		},
		From: 300, To: 600, Step: 300 * time.Millisecond, Precision: 0.5, Factor: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	if found.ExitCode() == 0 || found.Capacity.Rate != 0 || len(found.Probes) == 0 ||
		!strings.Contains(found.Probes[0].Outcome.Reason, "429") {
		t.Errorf("exit code %d, %+v", found.ExitCode(), found)
	}
	if strings.Join(found.SLO, ", ") != "p99<1m, errors<1%" {
		t.Errorf("thresholds %q", found.SLO)
	}
	lifted := Search{
		Options: Options{Deployment: gateway(t, nil), Plan: planned(t, "slo=none")},
		From:    10, To: 20, Step: time.Second,
	}
	var usage *UsageError
	if _, _, err := Find(t.Context(), lifted); !errors.As(err, &usage) {
		t.Errorf("a search without thresholds: %v", err)
	}
}
