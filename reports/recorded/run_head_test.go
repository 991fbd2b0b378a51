package recorded_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/recordtest"
)

func open(t *testing.T, text string) (recorded.Run, error) {
	t.Helper()
	dir := t.TempDir()
	testmust.WriteFile(t, filepath.Join(dir, runfolder.RunName), text)
	return recorded.Open(dir)
}

func TestEveryKindIsReadFromItsRunJSON(t *testing.T) {
	for schema, kind := range map[string]recorded.Kind{
		"gateassay/conformance/v1": recorded.KindConformance, "gateassay/load/v1": recorded.KindLoad,
		"gateassay/load-capacity/v1": recorded.KindCapacity,
	} {
		run, err := open(t, `{"schema":"`+schema+`","verdict":"pass","reason":"why",`+
			`"run":{"id":"a","deployment":"staging","base_url":"http://x","started_at":"2026-01-02T03:04:05Z","partial":true}}`)
		h := run.RunHead
		if err != nil || run.Kind != kind || run.Rebuilt != nil || h.ID != "a" ||
			h.Deployment != "staging" || h.BaseURL != "http://x" ||
			h.Verdict != "pass" || h.Reason != "why" || !h.Partial || h.Started.Year() != 2026 {
			t.Errorf("%s: %+v, %v", schema, h, err)
		}
	}
}

func TestWhatIsNoRunIsRefused(t *testing.T) {
	_, err := open(t, `{"schema":"gateassay/load/v9"}`)
	testmust.FailWith(t, err,
		`it is of schema "gateassay/load/v9", which this version does not know`)
	dir := t.TempDir()
	testmust.WriteFile(t, filepath.Join(dir, "probes", "001", "notes.json"), "text")
	testmust.WriteFile(t, filepath.Join(dir, "x.zip"), "no archive")
	for _, path := range []string{"", "x.zip", "absent", "probes/001/notes.json"} {
		if run, err := recorded.Open(filepath.Join(dir, path)); err == nil {
			t.Errorf("%q was opened as a %s run", path, run.Kind)
		}
	}
	for _, text := range []string{`{}`, `{"schema":`, `[]`, `"text"`, ``} {
		_, err := open(t, text)
		testmust.FailWith(t, err, "holds no run that can be read", text)
	}
}

func TestARunWithoutItsRecordIsReadFromWhatItWroteAsItWent(t *testing.T) {
	want, dir := recordtest.SampleRun(), t.TempDir()
	journal := recordtest.SampleJournal()
	cut := bytes.LastIndexByte(journal[:len(journal)-1], '\n') + 1 // before the last line
	testmust.Succeed(t, os.WriteFile(filepath.Join(dir, runfolder.JournalName), journal[:cut], 0o600))
	for _, broken := range []string{"", "{\"schema\": \"gateassay/confor"} {
		if broken != "" {
			testmust.WriteFile(t, filepath.Join(dir, runfolder.RunName), broken)
		}
		for _, path := range []string{dir, filepath.Join(dir, runfolder.JournalName)} {
			run, err := recorded.Open(path)
			if err != nil || run.Rebuilt == nil || run.Conformance.Counts != want.Counts || !run.Partial {
				t.Fatalf("%s: %v, %+v", path, err, run.Conformance.Counts)
			}
			said := strings.Contains(strings.Join(run.Conformance.Notes, "\n"), "as run.json cannot be read")
			if said != (broken != "" && path == dir) {
				t.Errorf("%s: %q", path, run.Conformance.Notes)
			}
		}
	}
}
