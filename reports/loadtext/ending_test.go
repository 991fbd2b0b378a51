package loadtext_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/loadtext"
)

func TestTheEndSaysTheVerdictItsExitCodeAndWhereThePageIs(t *testing.T) {
	folder := t.TempDir()
	page := filepath.Join(folder, "report.html")
	if err := os.WriteFile(page, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var run results.Run
	run.Verdict, run.Reason = results.Fail, "1 of 2 thresholds missed, first p99<300ms"
	code := 1
	table := loadtext.Table{Columns: 40, Folder: folder, Links: true, Exit: &code}
	var text bytes.Buffer
	if err := table.Print(&text, run); err != nil {
		t.Fatal(err)
	}
	want := "FAIL  1 of 2 thresholds missed, first\n      p99<300ms; exit code 1\n" +
		"\x1b]8;;file://" + page + "\x1b\\" + page + "\x1b]8;;\x1b\\\n" + folder + "\n"
	if !strings.HasSuffix(text.String(), want) {
		t.Errorf("got %q\nwant %q at its end", text.String(), want)
	}
}
