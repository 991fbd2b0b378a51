package record_test

import (
	"bytes"
	"flag"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/recordtest"
)

var update = flag.Bool("update", false, "write the golden files")

func TestRunJSON(t *testing.T) {
	data := testmust.Get(recordtest.SampleRun().JSON())(t)
	recordtest.Golden(t, *update, "run.json", data)
}

// An arbitrary or damaged journal gives a run or an error.
func FuzzRebuild(f *testing.F) {
	f.Add(
		[]byte(
			`{"type":"run","schema":"gateassay/conformance/v1","run":{"id":"1"},"rules":[{"id":"create.id","level":"must"}]}
{"type":"check","check":{"rule":"create.id","name":"n","verdict":"fail","exchanges":[1,2]}}
{"type":"exchange_note","exchange":{"seq":1,"status":200}}
{"type":"end","run":{"id":"1"},"lines":3}`,
		),
	)
	f.Add([]byte(`{"type":"run","rules":[{}],"waivers":[{"rule":"*","until":"2027-01-01"}]}` + "\n" +
		`{"type":"check","check":{"verdict":"?"}}` + "\n{"))
	f.Add([]byte("\n\n{}\n[]\nnull\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if found, err := record.ReadJournal(bytes.NewReader(data)); err == nil {
			if _, err := record.Assemble(found).JSON(); err != nil {
				t.Error(err)
			}
		}
	})
}
