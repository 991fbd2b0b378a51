package results

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
)

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
