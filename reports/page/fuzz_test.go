package page

import (
	"bytes"
	"testing"

	"github.com/gateassay/gateassay/suites/record"
)

// Exchanges of a stranger, or those that a crash cut off, give a page.
func FuzzHAR(f *testing.F) {
	f.Add([]byte(`{"log":{"version":"1.2","entries":[{"startedDateTime":"2026-01-01T00:00:00Z","_seq":1,"request":{"method":"POST","url":"http://x/a?b=c","headers":[{"name":"a","value":"b"}],"postData":{"text":"{}"}},"response":{"status":201,"content":{"text":"e30=","encoding":"base64"}}}]}}`))
	f.Add([]byte(`{"log":{"entries":[{"_seq":-9,"timings":{"send":1e300,"wait":-1}},{"_seq":1,`))
	f.Add([]byte(`{"log":{"entries":{}}}`))
	run := record.Run{Rules: []record.Rule{{
		ID: "create.id", Level: "must",
		Verdict: record.Fail, Checks: []record.Check{{Name: "n", Verdict: record.Fail, Exchanges: []int{1, -9}}},
	}}}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := Write(run, readHAR(bytes.NewReader(data))); err != nil {
			t.Error(err)
		}
	})
}
