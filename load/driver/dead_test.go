package driver

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

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
