package suites

import (
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// Environment variables that go test and ginkgo are configured with.
const (
	DeploymentVariable = "GATEASSAY_DEPLOYMENT" // path of the deployment file; unset: the embedded reference gateway
	// folder of the run; with a / at its end, of one folder a run; unset: none
	OutVariable = "GATEASSAY_OUT"
)

// Test runs the suites inside go test or ginkgo, with Ginkgo's own console, flags and filters, beside whatever specs
// the process has of its own. suite and reporter are what ginkgo.GinkgoConfiguration returns. Without o.Deployment it
// takes the file that GATEASSAY_DEPLOYMENT names, else the embedded reference gateway; without o.Out, the folder of the
// run that GATEASSAY_OUT names, else none. It may be called once in a process, as Ginkgo runs one suite. Under ginkgo -p the
// specs of the rules are serial: the first process runs them all, since they share one run against one deployment.
//
// Ginkgo calls a run green in which everything was skipped; Test fails when the run comes to no verdict. The failure of
// a waived rule, and of a should rule without o.Strict, is shown as skipped.
func Test(t *testing.T, o Options, suite types.SuiteConfig, reporter types.ReporterConfig) {
	t.Helper()
	ctx, stop := signal.NotifyContext(t.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := fromEnvironment(&o); err != nil {
		t.Fatal(err)
	}
	if o.Seed == 0 {
		o.Seed = suite.RandomSeed
	}
	s, err := open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()

	const text = "gateassay"
	gomega.RegisterFailHandler(ginkgo.Fail) // of specs that the process has of its own
	s.plan.Register("the gateway", sync.OnceFunc(s.plan.Launch))
	preview := ginkgo.PreviewSpecs(text, suite, reporter)
	if !slices.ContainsFunc(preview.SpecReports, spec.WillRun) { // Ginkgo would call the run green
		t.Error("the filter selects no spec")
	}
	s.plan.Follow(preview)
	s.selected = s.plan.Selected()
	if suite.DryRun || suite.ParallelProcess > 1 || len(s.selected) == 0 { // another process has the rules, or none has
		ginkgo.RunSpecs(t, text, suite, reporter)
		return
	}
	if out := folder(o.Out); out != "" {
		if err := s.record(out, "ginkgo"); err != nil {
			t.Fatal(err)
		}
	}
	switch {
	case s.testable():
		ginkgo.RunSpecs(t, text, suite, reporter)
	case s.obstacle() != nil:
		t.Error(s.obstacle().Lines())
	}
	s.giveUp(nil) // what no spec awaits any more is not sent
	s.plan.Wait()
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	s.concludeTest(t)
}

// concludeTest writes what was found, and fails the test for what Ginkgo does not know of: a run without a verdict,
// faults of the harness, and files that could not be written.
func (s *session) concludeTest(t *testing.T) {
	t.Helper()
	result := s.conclude()
	if result.Folder != "" {
		fmt.Println(result.Folder)
	}
	switch r := result.Run; {
	case r.Run.Partial:
		t.Error("no verdict: the run ended early")
	case r.Verdict == record.NoVerdict && result.Obstacle == nil:
		t.Errorf("no verdict: %s", r.Reason)
	}
	for _, fault := range result.Faults {
		t.Errorf("defect of the harness: %s", fault)
	}
	for _, err := range result.Errors {
		t.Errorf("the run was not recorded: %v", err)
	}
}

// fromEnvironment completes the options by the variables.
func fromEnvironment(o *Options) error {
	if o.Out == "" {
		o.Out = os.Getenv(OutVariable)
	}
	path := os.Getenv(DeploymentVariable)
	if o.Deployment != nil || path == "" {
		return nil
	}
	dep, err := deployment.Load(path)
	if err != nil {
		return fmt.Errorf("%s: %w", DeploymentVariable, err)
	}
	o.Deployment, o.DeploymentPath = dep, path
	return nil
}

// folder is the folder of the run. A name with a slash at its end holds a folder for each
// run, as --repeat needs.
func folder(out string) string {
	if strings.HasSuffix(out, "/") {
		out += time.Now().UTC().Format("20060102T150405.000Z") + "-ginkgo"
	}
	return out
}

// excuse says why a failure does not fail the spec: the rule is waived today, or it is a warning.
func (s *session) excuse(r rules.Rule) string {
	for _, w := range s.dep.Waivers {
		if record.Covers(w, r.ID, time.Now().UTC()) {
			return "waived"
		}
	}
	if r.Level == rules.Should && !r.Security && !s.o.Strict {
		return "warning"
	}
	return ""
}
