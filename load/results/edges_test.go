package results_test

import (
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/must"
	"github.com/gateassay/gateassay/load/results"
)

// TestARunThatWasStoppedBeforeItsFirstRequest has no figures but those of its plan, also when it is read again.
func TestARunThatWasStoppedBeforeItsFirstRequest(t *testing.T) {
	dir := t.TempDir()
	rec := open(t, results.Options{Dir: dir})
	rec.Start(time.Now().Add(time.Minute), func() (int64, int64) { return 0, 0 })
	run := finish(t, rec, results.Ending{Partial: true})
	again := must.Get(results.Read(dir))(t)
	for _, r := range []results.Run{run, again} {
		if r.Rate.Target != 2000 || r.Rate.Achieved != 0 {
			t.Errorf("%+v, expected the mean of the plan and nothing achieved", r.Rate)
		}
		if len(r.Stages) != 0 {
			t.Errorf("%+v: no stage was reached", r.Stages)
		}
		if r.Generator.CPU > float64(r.Generator.CPUs) {
			t.Errorf("%g of %d CPUs", r.Generator.CPU, r.Generator.CPUs)
		}
		if r.Run.FinishedAt.Before(r.Run.StartedAt) {
			t.Errorf("it ended at %s, before it began at %s", r.Run.FinishedAt, r.Run.StartedAt)
		}
		if r.Verdict != results.Inconclusive || r.Requests.Scheduled != 4000 || r.Requests.Sent != 0 {
			t.Errorf("%s, %+v", r.Verdict, r.Requests)
		}
	}
}

func TestARunThatNeverStartedIsRecorded(t *testing.T) {
	run, err := open(t, results.Options{}).Finish(results.Ending{Partial: true})
	if err != nil || run.Verdict != results.Inconclusive || run.Requests.Sent != 0 {
		t.Errorf("%v, %+v", err, run)
	}
}
