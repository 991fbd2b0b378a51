package gate_test

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/gate"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
)

// The gate decides about any run.json and can report why in every form.
func FuzzDecide(f *testing.F) {
	small := conformance(func(found *record.UnjudgedRun) {
		found.Catalogue, found.Checks = found.Catalogue[:3], found.Checks[:3]
	})
	for _, run := range []any{small, loaded(), searched(200, "pass", "thresholds")} {
		data := testmust.Get(json.Marshal(run))(f)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		testmust.Succeed(t, os.WriteFile(filepath.Join(dir, runfolder.RunName), data, 0o600))
		d := decide(t,
			"max_age: 1d\nconformance: {}\nload: {thresholds: [p99<1s for 2]}\ncapacity: {at_least: 1/s}\n",
			dir)
		if d.ExitCode() == 0 {
			t.Fatalf("one run fulfils a policy that asks for three: %+v", d.Findings)
		}
		testmust.Succeed(t,
			view.WriteText(io.Discard, gate.Report(d), view.Style{Colour: true, Columns: 40}))
		testmust.Get(gate.JUnit(d))(t)
		if md := commented(d); len(md) > 65_000 || !utf8.Valid(md) {
			t.Fatalf("%d bytes of Markdown", len(md))
		}
		if !utf8.ValidString(view.WriteAnnotations(gate.Report(d))) {
			t.Fatal("annotations that are not text")
		}
	})
}
