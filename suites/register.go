package suites

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Register declares the rules as containers and specs of the process's Ginkgo suite, next to its
// own specs. Call it once in a process, at the top level of a package or before RunSpecs.
//
// All specs of the rules share one run against one deployment. The first of them starts the run
// and sends all requests that the selected specs need. It also calls o.ProvideDeployment, so a
// BeforeSuite may start the deployment. Under ginkgo -p the specs are serial: the first process
// runs them all. A spec is skipped if the deployment file lacks what its case needs, or if its
// rule fails and is waived, or is a should rule and o.Strict is not set.
//
// Ginkgo passes a suite in which every spec was skipped. So Register also declares run.verdict, a
// report node that fails if the run has no verdict, the harness has a defect, or a file could not
// be written.
func Register(o Options) {
	ginkgo.GinkgoHelper()
	o.Seed = cmp.Or(o.Seed, ginkgoConfig().RandomSeed)
	all := target.New(completeDeployment(), nil, o.Seed)
	all.Depth = deployment.DepthThorough // the specs do not depend on the depth of a run
	tree, _ := declareRules(all, spec.Options{}, o.DeclareRules)
	tree.KeepCases(func(k *spec.Case) bool { return o.Select.includes(k.Rule.Rule) })
	r := &ginkgoRun{options: o, plan: tree}
	ginkgo.ReportBeforeSuite(func(suite ginkgo.Report) { r.suite = suite })
	tree.DeclareGinkgoSpecs("the gateway", r.judgeSpec)
	ginkgo.ReportAfterSuite("run.verdict", r.conclude)
}

// completeDeployment returns a deployment file with all settings that cases need: that of the
// embedded gateway.
var completeDeployment = sync.OnceValue(func() *deployment.File {
	gateway, err := reference.New(reference.Options{Seed: 1})
	if err != nil {
		panic(fmt.Sprintf("suites: the reference gateway: %v", err)) // the options are fixed
	}
	dep, err := deployment.Parse("embedded", ".", gateway.DeploymentYAML("http://127.0.0.1"),
		func(string) (string, bool) { return "", false })
	if err != nil {
		panic(fmt.Sprintf("suites: the deployment file of the reference gateway: %v", err))
	}
	return dep
})

// ginkgoRun is a run inside a Ginkgo suite.
type ginkgoRun struct {
	options Options
	plan    *spec.Plan    // the cases that Ginkgo has specs for
	suite   ginkgo.Report // before its specs run
	begin   sync.Once     // for beginRun
	session *session      // nil: no spec has started
	err     error         // why there is no session
}

// beginRun opens the session and starts the observations of the specs that Ginkgo selected. first
// is the context of the first spec.
func (r *ginkgoRun) beginRun(first context.Context) {
	// ProvideDeployment may panic, as Ginkgo's Fail and Skip do
	r.err = errors.New("its first spec ended before there was a deployment")
	ctx, interrupt := context.WithCancel(context.Background()) // the run outlives the first spec
	defer context.AfterFunc(first, interrupt)()
	r.session, r.err = r.openSession(ctx)
	if r.err == nil && r.session.runPreflight() {
		r.session.plan.StartObservations()
	}
}

func (r *ginkgoRun) openSession(ctx context.Context) (*session, error) {
	o := r.options
	if err := applyEnvironment(&o); err != nil {
		return nil, err
	}
	s, err := openSession(ctx, o)
	if err != nil {
		return nil, err
	}
	s.inGinkgo = true
	if s.embedded == nil {
		disableTestCache()
	}
	runs := r.plan.GinkgoFilter(r.suite)
	s.plan.KeepCases(func(k *spec.Case) bool {
		in := r.plan.FindCase(k.Rule.ID, k.Text)
		return in != nil && runs(in)
	})
	s.selected = s.plan.SelectedRules()
	if out := outFolder(o.Out); out != "" {
		if err := s.openRecord(out, "ginkgo"); err != nil {
			s.close()
			return nil, r.nameOutOption(err)
		}
	}
	return s, nil
}

// nameOutOption returns an error about the folder with what sets it here in place of --out.
func (r *ginkgoRun) nameOutOption(err error) error {
	option := outVariable
	if r.options.Out != "" {
		option = "Options.Out"
	}
	if text, is := strings.CutSuffix(err.Error(), "--out"); is {
		return &UsageError{text + option}
	}
	return err
}

// ginkgoConfig returns Ginkgo's configuration of the suite.
func ginkgoConfig() types.SuiteConfig {
	suite, _ := ginkgo.GinkgoConfiguration()
	return suite
}

// judgeSpec judges the case of a spec. A repeated attempt observes everything again.
func (r *ginkgoRun) judgeSpec(ctx ginkgo.SpecContext, in *spec.Case) {
	r.begin.Do(func() { r.beginRun(ctx) })
	if r.err != nil {
		ginkgo.Skip("the run did not start; see run.verdict")
	}
	if o := r.session.startObstacle(); o != nil {
		ginkgo.Skip("inconclusive: " + o.Cause + ", see run.verdict")
	}
	plan := r.session.plan
	if ctx.SpecReport().NumAttempts > 1 {
		plan = r.session.redeclareRules()
	}
	k := plan.FindCase(in.Rule.ID, in.Text)
	if k == nil {
		ginkgo.Skip(
			"not part of this run: it needs what the deployment file does not give, or another seed or " +
				"depth",
		)
	}
	plan.JudgeSpec(ctx, k)
}

// conclude ends the run and fails for problems that no spec reports.
func (r *ginkgoRun) conclude(report ginkgo.Report) {
	var problems []string
	switch {
	case report.SuiteConfig.DryRun:
		return
	case report.PreRunStats.SpecsThatWillRun == 0:
		problems = append(problems, "the filter selects no spec")
	case r.err != nil:
		problems = append(problems, "the run did not start: "+r.err.Error())
	case r.session == nil:
		ginkgo.Skip("no spec of the rules has begun")
	default:
		problems = r.session.concludeSuite(report.SuiteSucceeded)
	}
	if len(problems) > 0 {
		ginkgo.Fail(strings.Join(problems, "\n"))
	}
}

// concludeSuite judges the remaining cases if the suite failed, for example after --fail-fast. It
// writes the run, and returns what prevents a verdict.
func (s *session) concludeSuite(succeeded bool) (problems []string) {
	defer s.close()
	s.abort(nil) // cancels requests that no spec awaits
	s.inGinkgo, s.succeeded = false, succeeded
	if s.startObstacle() == nil && !succeeded {
		s.plan.JudgeCases()
	}
	for _, p := range append(s.repeated, s.plan) {
		p.Wait()
	}
	result := s.conclude()
	if result.Folder != "" {
		fmt.Println(result.Folder)
	}
	switch r := result.Run; {
	case result.Obstacle != nil:
		problems = append(problems, "no verdict: "+result.Obstacle.Lines())
	case r.Run.Partial:
		problems = append(problems, "no verdict: the run ended early")
	case r.Verdict == record.RunNoVerdict:
		problems = append(problems, "no verdict: "+r.Reason)
	}
	for _, fault := range result.HarnessErrors {
		problems = append(problems, "defect of the harness: "+fault)
	}
	for _, err := range result.Errors {
		problems = append(problems, fmt.Sprintf("the run was not recorded: %v", err))
	}
	return problems
}

// disableTestCache prevents go test from caching the result, which depends on the deployment. go
// test caches a result only together with the log of what the test read.
func disableTestCache() {
	if log := flag.Lookup("test.testlogfile"); log != nil && log.Value.String() != "" {
		_ = os.Remove(log.Value.String()) // if this fails, go test may print a cached result
	}
}
