package load

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
)

// interrupted sends a plan to a gateway that answers only the requests before the run, and
// interrupts the run when a number of its requests have arrived.
func interrupted(t *testing.T, after int64, flags ...string) Result {
	t.Helper()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var arrived atomic.Int64
	d := gateway(t, before(func(_ http.ResponseWriter, r *http.Request) bool {
		n := arrived.Add(1) - int64(2*len(rules.ReplayModes()))
		if n == after {
			interrupt()
		}
		if n > 0 {
			_, _ = io.Copy(io.Discard, r.Body) // the server sees only then that the client is gone
			<-r.Context().Done()
		}
		return n > 0
	}))
	return play(t, ctx, d, planned(t, append(flags, "track-files=0")...))
}

// The requests that wait for an answer are the slowest ones: the others say nothing.
func TestARunInterruptedAfterItsLastRequestHasNoVerdict(t *testing.T) {
	for _, engine := range []string{"vegeta", "direct"} {
		result := interrupted(t, 20, "rate=50/s", "duration=400ms", "engine="+engine)
		run := result.Run
		if q := run.Requests; q.Sent != 20 || q.Canceled != 20 || !run.Run.Partial ||
			run.Verdict != results.VerdictInconclusive || result.ExitCode() != 130 {
			t.Errorf("%s: exit code %d, %s: %s; %+v", engine, result.ExitCode(), run.Verdict,
				run.Reason, q)
		}
		testmust.Contain(t, run.Reason, "20 requests not answered", engine)
	}
}

// Requests that wait for an answer end a run before they time out.
func TestAnAbortRuleSeesAStall(t *testing.T) {
	for _, engine := range []string{"vegeta", "direct"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			var arrived atomic.Int64
			d := gateway(t, before(func(_ http.ResponseWriter, r *http.Request) bool {
				stalls := arrived.Add(1) > int64(2*len(rules.ReplayModes()))+30
				if stalls {
					_, _ = io.Copy(io.Discard, r.Body)
					<-r.Context().Done()
				}
				return stalls
			}))
			run := play(t, t.Context(), d, planned(t, "rate=50/s", "duration=25s", "track-files=0",
				"engine="+engine, "abort-on=p90>400ms")).Run
			if took := run.Run.FinishedAt.Sub(run.Run.StartedAt); took > 15*time.Second ||
				run.Run.Aborted == "" {
				t.Errorf("after %s %s: %s", took, run.Verdict, run.Reason)
			}
		})
	}
}

// While the last answers were awaited, nothing was due: that is no missed rate.
func TestTheRateOfAnInterruptedRunEndsWithIt(t *testing.T) {
	run := interrupted(t, 50, "rate=50/s", "duration=20s").Run
	if r := run.Rate; run.Requests.Sent < 50 || r.Achieved < 0.9*r.Target || r.Achieved < 40 {
		t.Errorf("%d sent, %+v", run.Requests.Sent, r)
	}
}
