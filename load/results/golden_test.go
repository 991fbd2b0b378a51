package results

import (
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/threshold"
)

// testdata/recorded holds a run of a few seconds that an earlier version recorded, and the
// run.json of that version.
func TestARecordOfAnEarlierVersionGivesTheSameRun(t *testing.T) {
	dir := filepath.Join("testdata", "recorded")
	got, want := testmust.Get(ReadRun(dir))(t), Run{}
	testmust.Succeed(t,
		json.Unmarshal(testmust.Get(os.ReadFile(filepath.Join(dir, runfolder.RunName)))(t), &want))
	if got.Verdict != VerdictPass || got.Verdict != want.Verdict || got.Requests != want.Requests ||
		got.Requests.Accepted < 500 || len(got.Stages) != 2 || got.Files.Ready < 50 ||
		got.Files.Ready != want.Files.Ready || got.Rate != want.Rate {
		t.Errorf("%s, %+v, %+v, files %+v", got.Verdict, got.Requests, got.Rate, got.Files)
	}
	for i, s := range want.Stages {
		if !maps.Equal(got.Stages[i].Requests, s.Requests) || got.Stages[i].Rate != s.Rate {
			t.Errorf("stage %+v, recorded as %+v", got.Stages[i], s)
		}
	}
	for i, r := range want.Thresholds {
		if got.Thresholds[i].Expr != r.Expr || got.Thresholds[i].OK != r.OK {
			t.Errorf("%+v, recorded as %+v", got.Thresholds[i], r)
		}
	}
	for _, s := range statistics { // each version may round in its own way
		g, w := *s.Of(&got.Latency.Response), *s.Of(&want.Latency.Response)
		if math.Abs(g-w) > w/100 {
			t.Errorf("%s: %v ms, recorded as %v ms", s.Name, g, w)
		}
	}
	n := 0
	testmust.Succeed(t,
		EachInterval(dir, func(i *Interval) { n += int(i.Distribution(threshold.TimeService).Count()) }))
	testmust.Equal(t, n, int(got.Requests.Sent), "requests in intervals")
}
