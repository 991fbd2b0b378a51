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
	// folder of the run; with a / at its end, of one folder a run; unset: none
	outVariable = "GATEASSAY_OUT"
	// how much is tried: quick, standard or thorough; unset: the deployment file's limits.depth
	depthVariable = "GATEASSAY_DEPTH"
)

// Test runs the suites inside go test or ginkgo, with Ginkgo's own console, flags and filters: it
// is Register and RunSpecs. suite and reporter are what ginkgo.GinkgoConfiguration returns. Without
// o.Deployment and o.Ask it takes the file that GATEASSAY_DEPLOYMENT names, else the embedded
// reference gateway; without o.Out, the folder of the run that GATEASSAY_OUT names, else none.
func Test(t *testing.T, o Options, suite types.SuiteConfig, reporter types.ReporterConfig) {
	t.Helper()
	gomega.RegisterFailHandler(ginkgo.Fail)
	Register(o)
	ginkgo.RunSpecs(t, "gateassay", suite, reporter)
}

// applyEnvironment completes the options by the variables.
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

// outFolder is the folder of the run. A name with a slash at its end holds a folder for each
// run, as --repeat needs.
func outFolder(out string) string {
	if strings.HasSuffix(out, "/") {
		out += time.Now().UTC().Format("20060102T150405.000Z") + "-ginkgo"
	}
	return out
}

// excuseFailure says why a failure does not fail the spec: the rule is waived today, or it is a
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
