package acceptance

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// importer is a Ginkgo suite of another module, and how it ends.
type importer struct {
	own     func(*suites.RuleDeclarer)                      // declares its rules; nil: none
	provide func(context.Context) (*deployment.File, error) // nil: with the fault, see broken
	nodes   func()                                          // declares nodes of its own; nil: none
	rules   string                                          // selected; empty: its own, house.*
	args    []string

	states   map[string]types.SpecState // expected, by the texts of specs
	verdicts map[string]record.Verdict  // expected of all rules in the run
	says     string                     // in the failure of run.verdict
}

var (
	passes = func(spec.Context) {}
	fails  = func(ctx spec.Context) { ctx.Expect(1).To(gomega.Equal(2)) }
	waits  = func(ctx spec.Context) { <-ctx.Done() }
)

// must declares a must rule with one case, which has its name.
func must(g *suites.RuleDeclarer, name string, judge func(spec.Context), decorators ...any) {
	spec.Helper()
	g.Rule("house."+name, rules.Must, "House rules", "Something holds.",
		func() { g.It(name, judge, decorators...) })
}

func importers() map[string]importer {
	attempts := 0 // DeclareRules is called again for each
	return map[string]importer{
		// cases that only Ginkgo can judge stay unjudged after a failure
		"fail-fast": {
			own: func(g *suites.RuleDeclarer) {
				must(g, "fails", fails)
				must(g, "cleans up", func(spec.Context) { ginkgo.DeferCleanup(func() {}) })
				must(g, "waits", waits)
			},
			args:   []string{"-ginkgo.fail-fast"},
			states: map[string]types.SpecState{"fails": types.SpecStateFailed},
			verdicts: map[string]record.Verdict{
				"house.fails": record.VerdictFail, "house.cleans up": record.VerdictNotVerified,
				"house.waits": record.VerdictNotVerified,
			},
			says: "no verdict: the run ended early",
		},
		"time is up": {
			own: func(g *suites.RuleDeclarer) { must(g, "waits", waits, ginkgo.SpecTimeout(time.Second)) },
			states: map[string]types.SpecState{
				"waits": types.SpecStateTimedout, "run.verdict": types.SpecStateFailed,
			},
			verdicts: map[string]record.Verdict{"house.waits": record.VerdictNotVerified},
			says:     "no verdict: the run ended early",
		},
		"the second attempt counts": {
			own: func(g *suites.RuleDeclarer) {
				must(g, "waits once", func(ctx spec.Context) {
					if attempts++; attempts == 1 {
						<-ctx.Done()
					}
				}, ginkgo.SpecTimeout(time.Second), ginkgo.FlakeAttempts(2))
			},
			states:   map[string]types.SpecState{"waits once": types.SpecStatePassed},
			verdicts: map[string]record.Verdict{"house.waits once": record.VerdictPass},
		},
		"a defect in the second attempt": {
			own: func(g *suites.RuleDeclarer) {
				g.Rule("house.breaks", rules.Must, "House rules", "Something holds.", func() {
					seen := spec.Observe(g.Plan, "something", func(context.Context) (int, error) {
						if attempts++; attempts > 1 {
							panic("boom")
						}
						return 1, nil
					})
					g.It("breaks", func(ctx spec.Context) { ctx.Expect(seen.Await(ctx)).To(gomega.Equal(2)) },
						ginkgo.FlakeAttempts(2))
				})
			},
			states:   map[string]types.SpecState{"breaks": types.SpecStateSkipped},
			verdicts: map[string]record.Verdict{"house.breaks": record.VerdictInconclusive},
			says:     "defect of the harness: observation \"something\" panicked: boom",
		},
		"assertions in other words": {
			own: func(g *suites.RuleDeclarer) {
				must(g, "not", func(ctx spec.Context) { ctx.Expect(1).NotTo(gomega.Equal(1)) })
				must(g, "should", func(ctx spec.Context) { ctx.Expect(1).Should(gomega.Equal(2)) })
				must(g, "eventually", func(ctx spec.Context) {
					ctx.Eventually(func() int { return 1 }, "1ms").Should(gomega.Equal(2))
				})
			},
			states: map[string]types.SpecState{
				"not": types.SpecStateFailed, "should": types.SpecStateFailed,
				"eventually": types.SpecStateFailed,
			},
			verdicts: map[string]record.Verdict{
				"house.not": record.VerdictFail, "house.should": record.VerdictFail,
				"house.eventually": record.VerdictFail,
			},
		},
		"requests of its own": {
			own: func(g *suites.RuleDeclarer) {
				with := func(header, value string) (p suites.Probe) {
					p.Description = header + " " + value
					p.Edit = func(r *target.Request) { r.SetHeader(header, value) }
					return p
				}
				g.Rule("house.headers", rules.Must, "House rules", "A header is known or rejected.", func() {
					export, creation := with("nonce", "none"), with("X-Ignored", "yes")
					export.Operation, creation.Operation = suites.OperationExport, suites.OperationCreate
					g.ItRejects(export)
					g.ItAccepts(export)
					g.ItRejects(creation)
					g.ItAccepts(creation)
				})
			},
			states: map[string]types.SpecState{
				"rejects an export with nonce none":     types.SpecStatePassed,
				"accepts an export with nonce none":     types.SpecStateFailed,
				"rejects a creation with X-Ignored yes": types.SpecStateFailed,
				"accepts a creation with X-Ignored yes": types.SpecStatePassed,
			},
			verdicts: map[string]record.Verdict{"house.headers": record.VerdictFail},
		},
		"observed, then failed": {
			own: func(g *suites.RuleDeclarer) {
				must(g, "fails", func(ctx spec.Context) {
					ctx.RecordObservedf("seen")
					gomega.Expect(1).To(gomega.Equal(2))
				})
			},
			states:   map[string]types.SpecState{"fails": types.SpecStateFailed},
			verdicts: map[string]record.Verdict{"house.fails": record.VerdictFail},
		},
		"Focus, Pending and SpecTimeout": {
			own: func(g *suites.RuleDeclarer) {
				g.Describe("focused", ginkgo.Focus, ginkgo.SpecTimeout(time.Minute), func() {
					must(g, "in", passes, ginkgo.Focus)
					must(g, "out", fails)
				})
				g.Describe("pending", ginkgo.Pending, func() { must(g, "later", fails, ginkgo.Focus) })
				g.Rule("house.pending", rules.Must, "House rules", "Something holds.", ginkgo.Pending,
					func() { g.It("never", fails) })
			},
			states: map[string]types.SpecState{
				"in": types.SpecStatePassed, "out": types.SpecStateSkipped,
				"later": types.SpecStatePending, "never": types.SpecStatePending,
			},
			verdicts: map[string]record.Verdict{"house.in": record.VerdictPass},
		},
		"filters that name the suite": {
			own: func(g *suites.RuleDeclarer) { must(g, "in", passes); must(g, "out", fails) },
			args: []string{
				"-ginkgo.label-filter=of the suite", "-ginkgo.focus=^importer the gateway",
				"-ginkgo.skip=out",
			},
			states:   map[string]types.SpecState{"in": types.SpecStatePassed},
			verdicts: map[string]record.Verdict{"house.in": record.VerdictPass},
		},
		// what the importer skips is not judged behind its back
		"Skip in BeforeEach": {
			nodes: func() {
				ginkgo.BeforeEach(func(ctx ginkgo.SpecContext) {
					if !strings.HasSuffix(ctx.SpecReport().LeafNodeText, "1e6") { // which is rejected
						ginkgo.Skip("not today")
					}
				})
			},
			rules: broken, provide: provideBroken,
			states:   map[string]types.SpecState{"run.verdict": types.SpecStatePassed},
			verdicts: map[string]record.Verdict{broken: record.VerdictNotVerified},
		},
		"Skip in BeforeSuite": {
			nodes: func() { ginkgo.BeforeSuite(func() { ginkgo.Skip("not today") }) },
			own:   func(g *suites.RuleDeclarer) { must(g, "in", passes) },
			states: map[string]types.SpecState{
				"in": types.SpecStateSkipped, "run.verdict": types.SpecStateSkipped,
			},
		},
		"no deployment": {
			own: func(g *suites.RuleDeclarer) { must(g, "in", passes) },
			provide: func(context.Context) (*deployment.File, error) {
				return nil, nil //nolint:nilnil // a mistake of the importer
			},
			states: map[string]types.SpecState{"in": types.SpecStateSkipped},
			says:   "the run did not start: the deployment: ProvideDeployment returned none",
		},
		"Fail in ProvideDeployment": {
			own: func(g *suites.RuleDeclarer) { must(g, "in", passes); must(g, "other", passes) },
			provide: func(context.Context) (*deployment.File, error) {
				gomega.Expect(1).To(gomega.Equal(2))
				return nil, errors.New("unreachable")
			},
			states: map[string]types.SpecState{
				"in": types.SpecStateFailed, "other": types.SpecStateSkipped,
			},
			says: "the run did not start: ",
		},
		"interrupted in ProvideDeployment": {
			own: func(g *suites.RuleDeclarer) { must(g, "in", passes) },
			provide: func(ctx context.Context) (*deployment.File, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			},
			args:   []string{"-ginkgo.timeout=1s"},
			states: map[string]types.SpecState{"in": types.SpecStateTimedout},
			says:   "the run did not start: the deployment: context canceled",
		},
	}
}

// importerVariable names the suite that a process of this test runs.
const importerVariable = "GATEASSAY_TEST_IMPORTER"

// A suite of another module ends as Ginkgo's users expect, and the record agrees with Ginkgo.
func TestSuitesOfImporters(t *testing.T) {
	all := importers()
	if name := os.Getenv(importerVariable); name != "" {
		runImporter(t, all[name])
		return
	}
	for name, i := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // mostly waits
			dir := t.TempDir()
			c := called{dir: dir, folder: filepath.Join(dir, "run")}
			ctx, stop := context.WithTimeout(t.Context(), time.Minute) // it may hang
			defer stop()
			cmd := exec.CommandContext(ctx, testmust.Get(os.Executable())(t), append(i.args,
				"-test.run=^TestSuitesOfImporters$", "-ginkgo.json-report="+dir+"/ginkgo.json")...)
			cmd.Env = append(os.Environ(), importerVariable+"="+name, "GATEASSAY_OUT="+c.folder)
			said, _ := cmd.CombinedOutput() // the report says how it ended
			c.out = string(said)
			states, why := map[string]types.SpecState{}, ""
			for _, s := range c.report(t).SpecReports {
				states[s.LeafNodeText] = s.State
				at := s.Failure.Location
				switch {
				case s.LeafNodeText == "run.verdict":
					why = s.Failure.Message
				case s.State == types.SpecStateFailed && filepath.Base(at.FileName) != "importer_test.go":
					t.Errorf("%s failed at %s, which is not in the importer's file", s.LeafNodeText, at)
				}
			}
			failed := states["run.verdict"] == types.SpecStateFailed
			if !strings.Contains(why, i.says) || i.says != "" && !failed {
				t.Errorf("run.verdict is %s and says %q", states["run.verdict"], why)
			}
			for text, want := range i.states {
				testmust.Equal(t, states[text], want, text)
			}
			verdicts := map[string]record.Verdict{}
			if _, err := os.Stat(c.folder); err == nil {
				for _, r := range c.run(t).Rules {
					verdicts[r.ID] = r.Verdict
				}
			}
			if !maps.Equal(verdicts, i.verdicts) {
				t.Errorf("recorded %v", verdicts)
			}
		})
	}
}

func runImporter(t *testing.T, i importer) {
	gomega.RegisterFailHandler(ginkgo.Fail)
	if i.nodes != nil {
		i.nodes()
	}
	suites.Register(suites.Options{
		ProvideDeployment: i.provide, DeclareRules: i.own,
		Select: suites.Selection{Rules: []string{cmp.Or(i.rules, "house.*")}},
	})
	ginkgo.RunSpecs(t, "importer", ginkgo.Label("of the suite"))
}
