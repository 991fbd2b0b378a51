package record_test

import (
	"bytes"
	"testing"

	"github.com/gateassay/gateassay/suites/record"
)

// A journal of a stranger, or one that a crash tore, gives a run or an error.
func FuzzRebuild(f *testing.F) {
	f.Add([]byte(`{"type":"run","schema":"gateassay/conformance/v1","run":{"id":"1"},"rules":[{"id":"create.id","level":"must"}]}
{"type":"check","check":{"rule":"create.id","name":"n","verdict":"fail","exchanges":[1,2]}}
{"type":"exchange_note","exchange":{"seq":1,"status":200}}
{"type":"end","run":{"id":"1"},"lines":3}`))
	f.Add([]byte(`{"type":"run","rules":[{}],"waivers":[{"rule":"*","until":"2027-01-01"}]}` + "\n" +
		`{"type":"check","check":{"verdict":"?"}}` + "\n{"))
	f.Add([]byte("\n\n{}\n[]\nnull\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		run, err := record.Rebuild(bytes.NewReader(data))
		if err != nil {
			return
		}
		if _, err := run.JSON(); err != nil {
			t.Error(err)
		}
	})
}
