package suites

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
)

// Environment variables that go test and ginkgo are configured with.
const (
	// path of the deployment file; unset: the embedded reference gateway
	deploymentVariable = "GATEASSAY_DEPLOYMENT"
	// folder of the run; with a trailing slash, the parent of one folder per run; unset: none
	outVariable = "GATEASSAY_OUT"
	// depth: quick, standard or thorough; unset: the deployment file's limits.depth
	depthVariable = "GATEASSAY_DEPTH"
)

// Test runs the suites inside go test or ginkgo, with Ginkgo's console, flags and filters: it
// calls Register and RunSpecs. suite and reporter are the results of ginkgo.GinkgoConfiguration.
// Without o.Deployment and o.ProvideDeployment, Test uses the deployment file that
// GATEASSAY_DEPLOYMENT names, or else the embedded reference gateway. Without o.Out, it uses the
// folder that GATEASSAY_OUT names, or none.
func Test(t *testing.T, o Options, suite types.SuiteConfig, reporter types.ReporterConfig) {
	t.Helper()
	gomega.RegisterFailHandler(ginkgo.Fail)
	Register(o)
	ginkgo.RunSpecs(t, "gateassay", suite, reporter)
}

// applyEnvironment fills in missing options from the environment.
func applyEnvironment(o *Options) error {
	if o.Out == "" {
		o.Out = os.Getenv(outVariable)
	}
	if o.Depth == "" {
		o.Depth = os.Getenv(depthVariable)
		if err := CheckDepth(depthVariable, o.Depth); err != nil {
			return err
		}
	}
	path := os.Getenv(deploymentVariable)
	if o.Deployment != nil || o.ProvideDeployment != nil || path == "" {
		return nil
	}
	dep, err := deployment.Load(path)
	if err != nil {
		return fmt.Errorf("%s: %w", deploymentVariable, err)
	}
	o.Deployment, o.DeploymentPath = dep, path
	return nil
}

// outFolder returns the folder of the run. A name with a trailing slash is the parent of one
// folder per run, which --repeat needs.
func outFolder(out string) string {
	if strings.HasSuffix(out, "/") {
		out += time.Now().UTC().Format("20060102T150405.000Z") + "-ginkgo"
	}
	return out
}

// excuseFailure returns why a failure does not fail the spec: the rule is waived today, or it is a
// warning.
func (s *session) excuseFailure(r rules.Rule) string {
	for _, w := range s.deployment.Waivers {
		if record.WaiverCovers(w, r.ID, time.Now().UTC()) {
			return "waived"
		}
	}
	if r.Level == rules.Should && !r.Security && !s.options.Strict {
		return "warning"
	}
	return ""
}
