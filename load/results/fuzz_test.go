package results

import (
	"io"
	"path/filepath"
	"testing"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
)

// Any interval record gives a run or an error, and no panic, as do the files made from it.
func FuzzIntervals(f *testing.F) {
	f.Add([]byte(`{"schema":"gateassay/load/intervals/v1","run":{"id":"r"},"plan":{}}` + "\n" +
		`{"interval":{"from_ns":0,"to_ns":1000000000,"sent":3,"classes":{"accepted":3}}}` + "\n"))
	f.Add([]byte(`{"interval":{"from_ns":-1,"to_ns":-9,"histograms":[{"time":"service","class":"x",` +
		`"hdr":"HISTFAAAAA"}]}}` + "\n{"))
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
