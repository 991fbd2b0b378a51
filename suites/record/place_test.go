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

func TestPlace(t *testing.T) {
	for in, want := range map[string]string{
		"/home/me/src/suites/create/records.go:132":                             "suites/create/records.go:132",
		"github.com/gateassay/gateassay/suites/create/records.go:132":           "suites/create/records.go:132",
		"suites/create/records.go:132":                                          "suites/create/records.go:132",
		"/home/suites/me/suites/export/compare.go:50":                           "suites/export/compare.go:50",
		"/home/me/go/pkg/mod/github.com/onsi/gomega@v1.2.3/internal/async.go:9": "internal/async.go:9",
		"": "", "x.go:1": "x.go:1",
	} {
		if got := record.Place(in); got != want {
			t.Errorf("Place(%q) = %q, want %q", in, got, want)
		}
	}
}

// A run that an earlier version recorded holds the path of the machine that built it.
func TestPlacesOfAnEarlierRunAreShortened(t *testing.T) {
	run := recordtest.Run()
	run.Rules[1].Checks[1].Location = "/home/me/src/suites/create/required.go:48"
	data, err := run.JSON()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, runfolder.RunName), data, 0o600); err != nil {
		t.Fatal(err)
	}
	read, err := record.Load(dir)
	if err != nil || read.Rules[1].Checks[1].Location != "suites/create/required.go:48" {
		t.Errorf("%v, %q", err, read.Rules[1].Checks[1].Location)
	}
	found := recordtest.Checks()
	found[2].Location = "/home/me/src/suites/create/required.go:48"
	rules, _, _ := record.Judge(recordtest.Catalogue(), found, nil, recordtest.Start)
	if at := rules[1].Checks[1].Location; strings.Contains(at, "/home") {
		t.Error(at)
	}
}
