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
	got, err := record.Load(whole)
	if err != nil || got.Counts != run.Counts || len(got.Rules) != len(run.Rules) || got.Verdict != run.Verdict {
		t.Fatalf("%v, %+v", err, got.Counts)
	}
	if _, err := record.OpenJournal(whole, recordtest.Info(), nil, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := record.OpenJournal(whole, recordtest.Info(), nil, nil); err == nil {
		t.Fatal("a second journal in the same folder")
	}
	for name, dir := range map[string]string{
		"no such file":       t.TempDir(),
		"gateassay/load/v1":  write(t.TempDir(), runfolder.RunName, `{"schema":"gateassay/load/v1"}`),
		"not a recorded run": write(t.TempDir(), runfolder.RunName, "[]"),
	} {
		if _, err := record.Load(dir); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
