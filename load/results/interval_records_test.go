package results

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
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
	got.Rate.Accepted = 0 // that version did not record it
	if got.Verdict != VerdictPass || got.Verdict != want.Verdict || got.Requests != want.Requests ||
		got.Requests.Accepted < 500 || len(got.Stages) != 2 || got.Files.Ready < 50 ||
		got.Files.Ready != want.Files.Ready || got.Rate != want.Rate {
		t.Errorf("%s, %+v, %+v, files %+v", got.Verdict, got.Requests, got.Rate, got.Files)
	}
	for i, s := range want.Stages {
		got.Stages[i].Rate.Accepted = 0
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

// Any interval record gives a run or an error, and no panic, as do the files made from it.
func FuzzIntervals(f *testing.F) {
	recorded := testmust.Get(os.ReadFile("testdata/recorded/intervals.ndjson"))(f)
	lines := bytes.SplitAfter(recorded, []byte("\n"))
	f.Add(bytes.Join(lines[:4], nil)) // the header, the start and two intervals
	f.Add(slices.Concat(lines[0], lines[2][:len(lines[2])/2]))
	f.Add([]byte(`{"header":{"schema":"gateassay/load/v1","stages":[{"end_ns":-1}],` +
		`"thresholds":["p99<1s"]}}` +
		`{"interval":{"from_ns":1,"to_ns":1000,"stage":-3,"due":-1,"sent":9,"ends_ns":{"7":-9}}}`))
	f.Add([]byte(`{"interval":{"from_ns":-1,"to_ns":-9}}` + "\n{"))
	f.Add([]byte("null\n[]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		testmust.WriteFile(t, filepath.Join(dir, runfolder.IntervalsName), string(data))
		run, err := ReadRun(dir)
		if err != nil {
			return
		}
		if _, err := run.JSON(); err != nil {
			t.Error(err)
		}
		_ = writeHistogramLog(dir, io.Discard, run.Run)
		_ = writeSeries(dir, io.Discard)
	})
}
