package suites

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// DeploymentVariable names the environment variable that holds the path of the deployment file for go test and ginkgo.
const DeploymentVariable = "GATEASSAY_DEPLOYMENT"

// tested notes that this process has run its suite: Ginkgo has one tree of specs for a process.
var tested atomic.Bool

// Test runs the suites inside go test or ginkgo, with Ginkgo's own console, flags and filters: suite and reporter are what
// ginkgo.GinkgoConfiguration returns. Without o.Deployment it takes the file that GATEASSAY_DEPLOYMENT names, else the embedded reference gateway. It may be called once in a
// package. Under ginkgo -p each process observes only what its own specs await, with its share of the limits.
//
// Ginkgo calls a run green in which everything was skipped; Test fails when the run comes to no verdict.
func Test(t *testing.T, o Options, suite types.SuiteConfig, reporter types.ReporterConfig) {
	t.Helper()
	if !tested.CompareAndSwap(false, true) {
		t.Fatal("suites.Test may be called once in a package: a second suite would run nothing under ginkgo -p, and look green")
	}
	ctx, stop := signal.NotifyContext(t.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	selected, err := o.Select.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	dep, release, err := testTarget(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if err := client.SignIn(ctx, dep); err != nil {
		t.Fatal(err)
	}
	o = share(o, dep, suite)
	if o.Seed == 0 {
		o.Seed = suite.RandomSeed
	}
	c, err := newClient(dep, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	gw := target.New(dep, c, o.Seed)
	p := Build(gw)
	o.Select.keep(p)
	p.Waive(waivedNow(dep))

	gomega.RegisterFailHandler(p.Fail)
	var checks []record.Check
	p.Register(func(c *plan.Check) { checks = append(checks, *c.Result()) })

	preview := ginkgo.PreviewSpecs("gateassay", suite, reporter)
	running := map[string]bool{}
	for _, spec := range preview.SpecReports {
		if spec.State != types.SpecStateSkipped && spec.State != types.SpecStatePending {
			running[spec.LeafNodeText] = true
		}
	}
	if len(running) == 0 {
		t.Fatal("the filter selects no spec")
	}
	if suite.DryRun {
		ginkgo.RunSpecs(t, "gateassay", suite, reporter)
		return
	}
	p.Only(func(c *plan.Check) bool { return running[c.Text()] })
	if suite.ParallelTotal > 1 {
		p.Share()
	}
	p.Launch(ctx, o.OneByOne || suite.ParallelTotal > 1)
	ginkgo.RunSpecs(t, "gateassay", suite, reporter)
	p.Wait()
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	run := record.Assemble(record.Found{
		Info:      record.Info{Deployment: dep.Name, BaseURL: dep.BaseURL, StartedAt: time.Now().UTC(), Seed: o.Seed},
		Catalogue: judgedRules(selected, checks), Waivers: dep.Waivers, Checks: checks,
	})
	// Under ginkgo -p this process judged some of the checks; that none of its own passed says nothing by itself.
	parallel := suite.ParallelTotal > 1
	if run.Verdict == record.NoVerdict && (!parallel || run.Counts.Inconclusive > 0) {
		t.Errorf("no verdict: %s\n%s", run.Reason, reasons(run))
	}
	for _, fault := range p.Faults() {
		t.Errorf("defect of the harness: %s", fault)
	}
}

// testTarget finds the deployment for go test and ginkgo.
func testTarget(ctx context.Context, o Options) (*deployment.File, func(), error) {
	if o.Deployment != nil {
		return o.Deployment, func() {}, nil
	}
	if path := os.Getenv(DeploymentVariable); path != "" {
		dep, err := deployment.Load(path)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", DeploymentVariable, err)
		}
		return dep, func() {}, nil
	}
	embedded, err := StartEmbedded(ctx)
	if err != nil {
		return nil, nil, err
	}
	return embedded.Deployment, embedded.Close, nil
}

// share divides the limits among the processes of ginkgo -p, so that together they keep to them.
func share(o Options, dep *deployment.File, suite types.SuiteConfig) Options {
	n := suite.ParallelTotal
	if n <= 1 {
		return o
	}
	if o.InFlight == 0 {
		o.InFlight = dep.Limits.InFlight
	}
	if o.Rate == 0 {
		o.Rate = dep.Limits.RequestsPerSecond
	}
	o.InFlight = max(1, o.InFlight/n)
	o.Rate /= float64(n)
	dep.Limits.MaxCreates = max(1, dep.Limits.MaxCreates/n)
	return o
}

func waivedNow(dep *deployment.File) func(string) bool {
	today := time.Now().UTC().Truncate(24 * time.Hour)
	return func(rule string) bool {
		for _, w := range dep.Waivers {
			if rules.Match(w.Rule, rule) && !today.After(w.Until) {
				return true
			}
		}
		return false
	}
}

func judgedRules(selected []rules.Rule, checks []record.Check) []rules.Rule {
	judged := map[string]bool{}
	for _, c := range checks {
		judged[c.Rule] = true
	}
	var list []rules.Rule
	for _, r := range selected {
		if judged[r.ID] {
			list = append(list, r)
		}
	}
	return list
}

// reasons lists why rules came to no verdict, each reason once.
func reasons(run record.Run) string {
	seen := map[string]int{}
	var order []string
	for _, r := range run.Rules {
		if r.Verdict != record.Inconclusive {
			continue
		}
		if seen[r.Reason] == 0 {
			order = append(order, r.Reason)
		}
		seen[r.Reason]++
	}
	for i, reason := range order {
		order[i] = fmt.Sprintf("  %d rules: %s", seen[reason], reason)
	}
	return strings.Join(order, "\n")
}
