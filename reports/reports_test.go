package reports_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports"
	"github.com/gateassay/gateassay/reports/conformance"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
)

// An arbitrary run.json of any kind can be shown in every form, and nothing in it acts on a
// terminal.
func FuzzRender(f *testing.F) {
	add := func(schema, rest string) { f.Add([]byte(`{"schema":"` + schema + `",` + rest)) }
	add(record.Schema, `"run":{"id":"\u001b]0;x\u0007","deployment":"d","partial":true},"verdict":"violations",
"counts":{"fail":1},"rules":[{"id":"create.id","level":"must","statement":"s\u202e","verdict":"fail","reason":"\u009b31m",
"checks":[{"name":"n\n::error::","verdict":"fail","message":"m","exchanges":[1,-2],"duration_ms":-1}]}],
"observations":[{"id":"o","observed":"\u001b[2J","exchanges":[9]}],"notes":["\r\n"],"waivers":[{"rule":"*"}],"defects":[{"rules":["a"]}]}`)
	add(results.Schema, `"run":{"id":"1"},"plan":{"stages":[{"rate":-1}]},"verdict":"\u001b[1m",
"thresholds":[{"expr":"p99<\u001b","observed":"","ok":false}],"requests":{"sent":-1,"scheduled":9223372036854775807},
"latency_ms":{"service":{"p50":1e308},"response":{"max":-1}},"notes":["\u202e"],"violations":[{"rule":"a","count":-1}],
"intervals":[null],"shards":[{}],"files":{"followed":-1}}`)
	add(capacity.Schema,
		`"run":{"id":"1"},"verdict":"x","probes":[{"rate":-1,"verdict":"\u001b"},null],"capacity":1e308}`)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		testmust.Succeed(t, os.WriteFile(filepath.Join(dir, runfolder.RunName), data, 0o600))
		run, err := recorded.Open(dir)
		if err != nil {
			return
		}
		said := map[string]string{}
		var text strings.Builder
		testmust.Succeed(t, reports.Print(&text, run,
			conformance.Style{Style: view.Style{Columns: 80, Whole: true, Folder: "run"}}))
		said["text"] = text.String()
		for _, form := range reports.Formats(run.Kind) {
			data, err := reports.Render(run, form)
			if err != nil {
				t.Fatalf("%s: %v", form, err)
			}
			said[string(form)] = string(data)
		}
		for form, text := range said {
			acts := func(r rune) bool {
				return r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
			}
			if form == string(reports.FormatHTML) {
				continue // browsers show these
			}
			if at := strings.IndexFunc(text, acts); at >= 0 {
				t.Errorf("%s: %q", form, text[max(0, at-60):min(len(text), at+20)])
			}
		}
	})
}
