package acceptance

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

// module is the module path of Ginkgo.
const module = `github.com/onsi/ginkgo/v2`

// tools are the ginkgo command and a precompiled suite.
type tools struct {
	ginkgo, suite string
	tested        *served // the gateway of the go test that compiled the suite
}

// build compiles the ginkgo command, and the suites by running them with go test.
func build(t *testing.T) tools {
	t.Helper()
	dir := t.TempDir()
	b := tools{
		ginkgo: filepath.Join(dir, "ginkgo"), suite: filepath.Join(dir, "suites.test"),
		tested: serve(t, reference.Options{}),
	}
	c := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", b.ginkgo,
		module+"/ginkgo")
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	b.goTest(t, b.suite)
	return b
}

// goTest runs the suites with go test, which keeps their binary in a file, and checks that
// requests arrive.
func (b tools) goTest(t *testing.T, binary string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-ldflags=-s -w", "-o", binary,
		"-run", "TestConformance", "github.com/gateassay/gateassay/suites")
	c.Env = append(os.Environ(), "GATEASSAY_DEPLOYMENT="+b.tested.file, "GATEASSAY_DEPTH=quick")
	said, err := c.CombinedOutput()
	if err != nil || strings.Contains(string(said), "(cached)") || b.tested.arrivals.Swap(0) == 0 {
		t.Fatalf("%v\n%s", err, said)
	}
}

// served is a gateway and its deployment file.
type served struct {
	file     string
	arrivals atomic.Int64
}

// fault is the fault of most of these tests, and broken the rule that it breaks.
const (
	fault  = "create.participation.max_101"
	broken = "create.participation.above_hundred"
)

func provideBroken(ctx context.Context) (*deployment.File, error) {
	g, err := suites.StartReference(ctx, reference.Options{Seed: 1, Faults: []string{fault}})
	if err != nil {
		return nil, err
	}
	return g.Deployment, nil
}

func serve(t *testing.T, o reference.Options) *served {
	t.Helper()
	if o.Seed == 0 {
		o.Seed = 1
	}
	g := testmust.Get(reference.New(o))(t)
	s := &served{file: filepath.Join(t.TempDir(), "deployment.yaml")}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.arrivals.Add(1)
		g.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	testmust.Succeed(t, os.WriteFile(s.file, g.DeploymentYAML(server.URL), 0o600))
	return s
}

// called is the result of a call of ginkgo.
type called struct {
	out    string
	code   int
	dir    string // working directory
	folder string // folder of the run
}

// call calls ginkgo on the precompiled suite.
func (b tools) call(t *testing.T, s *served, args ...string) called {
	t.Helper()
	return b.callInto(t, filepath.Join(t.TempDir(), "run"), s, args...)
}

// callInto is call with another GATEASSAY_OUT.
func (b tools) callInto(t *testing.T, out string, s *served, args ...string) called {
	t.Helper()
	dir := t.TempDir()
	testmust.Succeed(t, os.Symlink(b.suite, filepath.Join(dir, "suites.test")))
	args = slices.Concat([]string{"--no-color", "--json-report=ginkgo.json"}, args,
		[]string{"./suites.test"})
	c := exec.CommandContext(t.Context(), b.ginkgo, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GATEASSAY_DEPLOYMENT="+s.file, "GATEASSAY_OUT="+out)
	said, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("ginkgo %s: %v\n%s", strings.Join(args, " "), err, said)
	}
	return called{out: string(said), code: c.ProcessState.ExitCode(), dir: dir, folder: out}
}

// ended fails the test unless the call ended with the exit code and without a defect of the
// harness.
func (c called) ended(t *testing.T, code int) {
	t.Helper()
	if c.code != code || strings.Contains(c.out, "defect of the harness:") {
		t.Errorf("exit code %d, expected %d:\n%s", c.code, code, c.out)
	}
}

// run returns the recorded run.
func (c called) run(t *testing.T) record.Run {
	t.Helper()
	r, err := record.LoadJournal(filepath.Join(c.folder, runfolder.JournalName))
	if err != nil {
		t.Fatalf("%v\n%s", err, c.out)
	}
	return r
}

// report returns Ginkgo's JSON report of the suite.
func (c called) report(t *testing.T) types.Report {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(c.dir, "ginkgo.json"))
	if err != nil {
		t.Fatalf("%v\n%s", err, c.out)
	}
	var reports []types.Report
	if err := json.Unmarshal(data, &reports); err != nil || len(reports) != 1 {
		t.Fatalf("%d reports, %v", len(reports), err)
	}
	return reports[0]
}

// specs returns the reports of the specs that ran, in their order.
func (c called) specs(t *testing.T) []types.SpecReport {
	t.Helper()
	var ran []types.SpecReport
	for _, s := range c.report(t).SpecReports {
		if s.LeafNodeType == types.NodeTypeIt &&
			(s.State != types.SpecStateSkipped || s.NumAttempts > 0) {
			ran = append(ran, s)
		}
	}
	return ran
}

// ids returns the IDs of the rules of a run.
func ids(r record.Run) []string {
	var list []string
	for _, rule := range r.Rules {
		list = append(list, rule.ID)
	}
	return list
}

// verdict returns the verdict of a rule; empty if the run does not include it.
func verdict(r record.Run, id string) record.Verdict {
	for _, rule := range r.Rules {
		if rule.ID == id {
			return rule.Verdict
		}
	}
	return ""
}

// line returns the line of a text that occurs once in a file of the suites.
func line(t *testing.T, file, text string) int {
	t.Helper()
	data := testmust.Get(os.ReadFile(filepath.Join("..", file)))(t)
	before, _, found := strings.Cut(string(data), text)
	if !found || strings.Count(string(data), text) != 1 {
		t.Fatalf("%s holds %q %d times", file, text, strings.Count(string(data), text))
	}
	return strings.Count(before, "\n") + 1
}
