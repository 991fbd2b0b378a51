package suites

import (
	"cmp"
	"context"
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

// Register declares the rules as containers and specs of the Ginkgo suite that the process runs,
// beside whatever specs it has of its own. Call it at the top level of a package or in the test
// function ahead of RunSpecs, once in a process.
//
// The specs of the rules share one run against one deployment. It begins with the first of them,
// which sends what all that Ginkgo selected need; o.Ask is called then, so that a BeforeSuite may
// start the deployment. Under ginkgo -p the specs are serial: the first process runs them all. A
// spec whose case needs what the deployment file does not give is skipped, and so is the failure of
// a waived rule, and of a should rule without o.Strict.
//
// Ginkgo calls a run green in which everything was skipped. What fails then is run.verdict, a
// report node that ends the run: for a run without a verdict, a defect of the harness, and files
// that could not be written.
func Register(o Options) {
	ginkgo.GinkgoHelper()
	o.Seed = cmp.Or(o.Seed, ginkgoConfig().RandomSeed)
	all := target.New(completeDeployment(), nil, o.Seed)
	all.Depth = deployment.DepthThorough // so that the specs are the same whatever a run tries
	tree, _ := declareRules(all, spec.Options{}, o.DeclareRules)
	tree.SelectRules(o.Select.includes)
	r := &ginkgoRun{options: o, plan: tree}
	r.begin = sync.OnceFunc(r.beginRun)
	tree.DeclareGinkgoSpecs("the gateway", r.judgeSpec)
	ginkgo.ReportAfterSuite("run.verdict", r.conclude)
}

// completeDeployment is a deployment file that gives all a case can need: that of the embedded
// gateway.
var completeDeployment = sync.OnceValue(func() *deployment.File {
	gateway, err := reference.New(reference.Options{Seed: 1})
	if err != nil {
		panic(fmt.Sprintf("suites: the reference gateway: %v", err)) // its options are ours
	}
	dep, err := deployment.Parse("embedded", ".", gateway.DeploymentYAML("http://127.0.0.1"),
		func(string) (string, bool) { return "", false })
	if err != nil {
		panic(fmt.Sprintf("suites: the deployment file of the reference gateway: %v", err))
	}
	return dep
})

// ginkgoRun is a run inside of a Ginkgo suite.
type ginkgoRun struct {
	options Options
	plan    *spec.Plan // the cases of every deployment, which Ginkgo has specs for
	begin   func()     // once
	session *session   // nil: no spec began
	err     error      // why there is no session
}

// beginRun begins the run: it asks for the deployment, and sends what the specs need that Ginkgo
// selected.
func (r *ginkgoRun) beginRun() {
	o, suite := r.options, ginkgoConfig()
	if r.err = applyEnvironment(&o); r.err != nil {
		return
	}
	s, err := openSession(context.Background(), o)
	if err != nil {
		r.err = err
		return
	}
	r.session, s.inGinkgo = s, true
	if s.embedded == nil {
		disableTestCache()
	}
	runs := r.plan.GinkgoFilter(suite)
	s.plan.KeepCases(func(k *spec.Case) bool {
		in := r.plan.FindCase(k.Rule.ID, k.Text)
		return in != nil && runs(in)
	})
	s.selected = s.plan.SelectedRules()
	if out := outFolder(o.Out); out != "" {
		if r.err = s.openRecord(out, "ginkgo"); r.err != nil {
			return
		}
	}
	if s.runPreflight() {
		s.plan.StartObservations()
	}
}

// ginkgoConfig is how Ginkgo runs the suite.
func ginkgoConfig() types.SuiteConfig {
	suite, _ := ginkgo.GinkgoConfiguration()
	return suite
}

// judgeSpec judges the case of a spec. A further attempt at it observes anew.
func (r *ginkgoRun) judgeSpec(ctx ginkgo.SpecContext, in *spec.Case) {
	r.begin()
	if r.err != nil {
		ginkgo.Skip("the run did not begin, see run.verdict")
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

// conclude ends the run, and fails for what no spec says.
func (r *ginkgoRun) conclude(report ginkgo.Report) {
	var problems []string
	switch {
	case report.SuiteConfig.DryRun:
		return
	case report.PreRunStats.SpecsThatWillRun == 0:
		problems = append(problems, "the filter selects no spec")
	case r.err != nil:
		problems = append(problems, "the run did not begin: "+r.err.Error())
	}
	if r.session != nil {
		problems = append(problems, r.session.concludeSuite()...)
	}
	if len(problems) > 0 {
		ginkgo.Fail(strings.Join(problems, "\n"))
	}
}

// concludeSuite judges what was seen and no spec judged, as after --fail-fast, writes the run, and
// says what is in the way of a verdict.
func (s *session) concludeSuite() (problems []string) {
	defer s.close()
	s.abort(nil) // what no spec awaits any more is not sent
	s.inGinkgo = false
	if s.startObstacle() == nil {
		s.plan.JudgeCases()
	}
	s.plan.Wait()
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

// disableTestCache has go test run the suite again next time: what a deployment answered is no
// result to cache. go test keeps a result only with the log of what the test looked at.
func disableTestCache() {
	if log := flag.Lookup("test.testlogfile"); log != nil && log.Value.String() != "" {
		_ = os.Remove(log.Value.String()) // where that fails, go test may print a cached result
	}
}
