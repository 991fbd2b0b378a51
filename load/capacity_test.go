package load

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
)

func TestTheCapacityIsFound(t *testing.T) {
	d := gateway(t, nil)
	out := filepath.Join(t.TempDir(), "run")
	found, folder, err := FindCapacity(t.Context(), CapacitySearch{
		Options: Options{Deployment: d, Plan: planned(t, "slo=errors<5%"), Out: out, Render: page},
		From:    20, To: 40, Step: 300 * time.Millisecond, Precision: 0.3,
		OnProbe: func(r capacity.Probe) { // what remains if the search is killed now
			var kept capacity.SearchRun
			err := json.Unmarshal(testmust.Get(os.ReadFile(filepath.Join(out, runfolder.RunName)))(t), &kept)
			if err != nil || len(kept.Probes) != r.Number || !kept.Run.Partial ||
				kept.Run.FinishedAt.IsZero() || kept.ExitCode() != 130 {
				t.Errorf("after probe %d: %v, %+v", r.Number, err, kept)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	rendered(t, folder)
	rendered(t, filepath.Join(folder, capacity.ProbeFolderName(1)))
	// The machine was too busy to send the load. The result must say so.
	if found.Capacity.Limit == capacity.LimitedByGenerator {
		testmust.Equal(t, found.ExitCode(), 3)
		testmust.Equal(t, found.Verdict, results.VerdictInconclusive)
		return
	}
	if c := found.Capacity; c.Rate != 40 || found.ExitCode() != 0 || len(found.Probes) < 2 {
		t.Errorf("%+v", found)
	}
}
