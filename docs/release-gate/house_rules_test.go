package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/reports/junit/junittest"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

// A house rule is judged, recorded and reported like any other, whether it holds or not.
func TestRuleOfTheHouse(t *testing.T) {
	for _, c := range []struct {
		refused string // the source that the deployment refuses
		code    int
		verdict record.Verdict
	}{{"", 0, record.VerdictPass}, {"audit", 1, record.VerdictFail}} {
		gateway, err := reference.New(reference.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if c.refused != "" && r.Header.Get("X-Source") == c.refused {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			gateway.ServeHTTP(w, r)
		}))
		defer server.Close()
		dir := t.TempDir()
		path, out := filepath.Join(dir, "deployment.yaml"), filepath.Join(dir, "run")
		if err := os.WriteFile(path, gateway.DeploymentYAML(server.URL), 0o600); err != nil {
			t.Fatal(err)
		}

		var said strings.Builder
		code, err := gate(t.Context(), &said, path, suites.Selection{Suites: []string{"house"}}, out)
		if err != nil || code != c.code {
			t.Errorf("exit code %d, error %v, said:\n%s", code, err, said.String())
		}
		run, err := record.LoadJournal(filepath.Join(out, "journal.ndjson"))
		if err != nil || len(run.Rules) != 1 {
			t.Fatalf("recorded %+v, %v", run.Rules, err)
		}
		if r := run.Rules[0]; r.ID != "house.export.source" || r.Verdict != c.verdict ||
			len(r.Checks) != 2 || len(r.Checks[0].Exchanges) == 0 {
			t.Errorf("recorded %+v", r)
		}
		found := junittest.Read(t, read(t, out, "junit.xml"))
		if len(found.Suites) != 1 || found.Suites[0].Name != "house" || found.Tests != 1 ||
			found.Failures != c.code {
			t.Errorf("junit.xml holds %+v", found)
		}
		if page := string(read(t, out, "report.html")); !strings.Contains(page, "house.export.source") ||
			!strings.Contains(page, "An export that names the system it is for is accepted.") {
			t.Error("report.html does not show the rule")
		}
	}
}

func read(t *testing.T, folder, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
