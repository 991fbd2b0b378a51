package load

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
)

func TestARefusedRunLeavesEarlierRawResults(t *testing.T) {
	held := t.TempDir()
	raw := filepath.Join(held, "results.bin")
	testmust.WriteFile(t, filepath.Join(held, runfolder.IntervalsName), "x")
	testmust.WriteFile(t, raw, "earlier results")
	_, err := Run(t.Context(), Options{
		Deployment: gateway(t, nil), Plan: planned(t, "rate=50/s", "duration=1s"), Out: held, Raw: raw,
	})
	var usage *UsageError
	left := testmust.Get(os.ReadFile(raw))(t)
	if !errors.As(err, &usage) || string(left) != "earlier results" {
		t.Errorf("%v; %q is left", err, left)
	}
}

// A killed run does not close the file.
func TestRawResultsAreWholeAtAnyMoment(t *testing.T) {
	raw := filepath.Join(t.TempDir(), "results.bin")
	r := testmust.Get(newRun(t.Context(), Options{
		Deployment: gateway(t, nil), Plan: planned(t, "rate=50/s", "duration=1s"), Raw: raw,
	}))(t)
	defer r.close()
	testmust.Succeed(t, r.raw.open(r))
	defer func() { testmust.Succeed(t, r.raw.close()) }()
	for n := range uint64(100) {
		r.raw.record(vegeta.Result{Seq: n, Timestamp: time.Now(), Latency: time.Millisecond, Code: 202})
		var last vegeta.Result
		decode := vegeta.NewDecoder(bytes.NewReader(testmust.Get(os.ReadFile(raw))(t)))
		err := error(nil)
		for err == nil {
			err = decode(&last)
		}
		if !errors.Is(err, io.EOF) || last.Seq != n {
			t.Fatalf("%v; the last result of %d is number %d", err, n+1, last.Seq)
		}
	}
}
