package load

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/plan"
)

// gateway starts a reference gateway with faults and returns its deployment file. wrap, if not
// nil, wraps its handler.
func gateway(
	t *testing.T, wrap func(http.Handler) http.Handler, faults ...string,
) *deployment.File {
	t.Helper()
	g := testmust.Get(reference.New(reference.Options{Seed: 1, Faults: faults}))(t)
	handler := http.Handler(g)
	if wrap != nil {
		handler = wrap(g)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return file(t, string(g.DeploymentYAML(server.URL)))
}

// before calls answer with each request before the gateway sees it. answer reports whether it
// has answered the request.
func before(answer func(http.ResponseWriter, *http.Request) bool) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !answer(w, r) {
				next.ServeHTTP(w, r)
			}
		})
	}
}

func file(t *testing.T, text string) *deployment.File {
	t.Helper()
	return testmust.Get(deployment.Parse("test", "", []byte(text),
		func(string) (string, bool) { return "", false }))(t)
}

// planned makes a plan from flags such as "rate=200/s".
func planned(t *testing.T, flags ...string) *plan.Plan {
	t.Helper()
	return testmust.Get(planOf(flags...))(t)
}

func planOf(flags ...string) (*plan.Plan, error) {
	var settings []plan.FlagSetting
	for _, f := range flags {
		name, value, _ := strings.Cut(f, "=")
		settings = append(settings, plan.FlagSetting{Flag: name, Values: []string{value}})
	}
	return plan.FromFlags(settings...)
}

// play carries out a run and fails the test if that, or writing its files, fails.
func play(t *testing.T, ctx context.Context, d *deployment.File, p *plan.Plan) Result {
	t.Helper()
	result := testmust.Get(Run(ctx, Options{Deployment: d, Plan: p, Out: filepath.Join(t.TempDir(),
		"run"), Render: page}))(t)
	if result.Err != nil {
		t.Error(result.Err)
	}
	return result
}

// page is an Options.Render that keeps a copy of the run.json that it finds.
func page(folder string) error {
	data, err := os.ReadFile(filepath.Join(folder, runfolder.RunName))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "page"), data, 0o600)
}

// rendered fails the test unless the folder was rendered from its final run.json.
func rendered(t *testing.T, folder string) {
	t.Helper()
	run := testmust.Get(os.ReadFile(filepath.Join(folder, runfolder.RunName)))(t)
	if shown, err := os.ReadFile(filepath.Join(folder, "page")); err != nil ||
		!bytes.Equal(run, shown) {
		t.Errorf("%s was not rendered, or before its run.json was written: %v", folder, err)
	}
}
