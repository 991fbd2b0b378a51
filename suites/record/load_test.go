package record_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

func TestLoad(t *testing.T) {
	run := recordtest.Run()
	data, err := run.JSON()
	if err != nil {
		t.Fatal(err)
	}
	write := func(dir, name, content string) string {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	whole := write(t.TempDir(), runfolder.RunName, string(data))
	for _, path := range []string{whole, filepath.Join(whole, runfolder.RunName)} {
		got, err := record.Load(path)
		if err != nil || got.Counts != run.Counts || len(got.Rules) != len(run.Rules) || got.Verdict != run.Verdict {
			t.Fatalf("%s: %v, %+v", path, err, got.Counts)
		}
	}

	torn := t.TempDir()
	j, err := record.OpenJournal(torn, recordtest.Info(), recordtest.Catalogue(), recordtest.Waivers())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range recordtest.Checks() {
		j.Check(c)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := record.OpenJournal(torn, recordtest.Info(), nil, nil); err == nil {
		t.Fatal("a second journal in the same folder")
	}
	for _, broken := range []string{"", "{\"schema\": \"gateassay/confor"} {
		if broken != "" {
			write(torn, runfolder.RunName, broken)
		}
		got, err := record.Load(torn)
		if err != nil || got.Counts != run.Counts || !got.Run.Partial {
			t.Fatalf("from the journal: %v, %+v", err, got.Counts)
		}
	}

	for name, dir := range map[string]string{
		"neither":            t.TempDir(),
		"gateassay/load/v1":  write(t.TempDir(), runfolder.RunName, `{"schema":"gateassay/load/v1"}`),
		"not a recorded run": write(t.TempDir(), runfolder.RunName, "[]"),
		"no recorded run":    filepath.Join(whole, "nowhere"),
	} {
		if _, err := record.Load(dir); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
