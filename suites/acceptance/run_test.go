package acceptance

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

func start(t *testing.T, o reference.Options) *suites.EmbeddedGateway {
	t.Helper()
	gateway := testmust.Get(suites.StartReference(t.Context(), o))(t)
	t.Cleanup(gateway.Close)
	return gateway
}

func run(t *testing.T, o suites.Options) suites.RunResult {
	t.Helper()
	if o.Out == "" {
		o.Out = filepath.Join(t.TempDir(), "run")
	}
	var about int
	o.OnBegin = func(x suites.RunOutlook) { about = x.Requests }
	result := testmust.Get(suites.Run(t.Context(), o))(t)
	// other runs end early or send more
	sent, whole := result.Run.Run.Requests, result.Run.Verdict == record.RunConformant
	if about > 0 && whole && (about < sent*3/4 || about > sent*5/4) {
		t.Errorf("about %d requests were announced, %d were sent", about, sent)
	}
	for _, fault := range result.HarnessErrors {
		t.Errorf("defect of the harness: %s", fault)
	}
	return result
}

// verified fails the test unless every must and should rule passed.
func verified(t *testing.T, r record.Run) {
	t.Helper()
	if r.Verdict != record.RunConformant && r.Verdict != record.RunSelectionPassed {
		t.Errorf("verdict %s: %s", r.Verdict, r.Reason)
	}
	for _, rule := range r.Rules {
		if rule.Level != "observe" && rule.Verdict != record.VerdictPass {
			t.Errorf("%s: %s: %s", rule.Verdict, rule.ID, rule.Reason)
		}
	}
}

// A run sends requests concurrently and respects limits.max_creates. During its last requests, the
// journal already has the checks that do not depend on them.
func TestARunIsEconomical(t *testing.T) {
	out := filepath.Join(t.TempDir(), "run")
	r := run(t, suites.Options{
		Deployment: start(t, reference.Options{Seed: 4}).Deployment, DeclareRules: keeping(out),
		Out: out,
	}).Run
	verified(t, r)
	if n := r.Run.Created.LegalRepresentatives; n == 0 || n > 80 {
		t.Errorf("created %d representatives, at most 80 are allowed", n)
	}
	if r.Run.PeakFlight < 8 {
		t.Errorf("at most %d requests were in flight: the run was close to serial", r.Run.PeakFlight)
	}
}

// Two concurrent runs against one deployment have the same verdicts.
func TestRunsOverlap(t *testing.T) {
	gateway := start(t, reference.Options{Seed: 4})
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			verified(t, run(t, suites.Options{
				Deployment: gateway.Deployment,
				Select:     suites.Selection{Suites: []string{"auth", "replay"}},
			}).Run)
		})
	}
	both.Wait()
}

// keeping declares a rule that most checks are in the journal before the last requests are sent.
func keeping(folder string) func(*suites.RuleDeclarer) {
	const most = 650 // of about 850; most of the others need all requests
	return func(g *suites.RuleDeclarer) {
		g.Rule("own.kept", rules.Must, rules.SectionLimits, "Most checks are kept by then.", func() {
			kept := spec.Observe(g.Plan, "checks kept before the end",
				func(ctx context.Context) (n int, err error) {
					for until := time.Now().Add(20 * time.Second); n < most && time.Now().Before(until); {
						time.Sleep(20 * time.Millisecond)
						data, err := os.ReadFile(filepath.Join(folder, runfolder.JournalName))
						if err != nil {
							return 0, err
						}
						n = bytes.Count(data, []byte(`{"type":"check"`))
					}
					return n, nil
				}, spec.PhaseLate)
			g.It("holds them",
				func(ctx spec.Context) { ctx.Expect(kept.Await(ctx)).To(gomega.BeNumerically(">=", most)) })
		})
	}
}

// The first requests of the run are repeated after all others were sent.
func TestTheLastRequestsAreLast(t *testing.T) {
	const late, spent = "late repeat of the first request", "again, at the end"
	gateway := start(t, reference.Options{Seed: 14})
	result := run(t, suites.Options{
		Deployment: gateway.Deployment, Seed: 1,
		Select: suites.Selection{Rules: []string{
			"replay.late", "replay.nonce.*", "export.body.*", "auth.confidential", "export.response.file_id",
		}},
	})
	verified(t, result.Run)
	journal := testmust.Get(os.ReadFile(filepath.Join(result.Folder, runfolder.JournalName)))(t)
	lasting, repeats := false, 0
	for line := range strings.SplitSeq(string(journal), "\n") {
		switch {
		case !strings.Contains(line, `"label"`):
		case strings.Contains(line, late), strings.Contains(line, spent):
			lasting = true
			repeats++
		case lasting:
			t.Errorf("sent after what comes last: %s", line)
		}
	}
	if repeats < 5 {
		t.Errorf("%d late repeats", repeats)
	}
}

// If limits.max_creates is too low, rules are not verified, none fails, and the limit holds.
func TestTheBudgetOfCreationsIsKept(t *testing.T) {
	dep := *start(t, reference.Options{Seed: 6}).Deployment
	dep.Limits.MaxCreates = 10
	r := run(t,
		suites.Options{Deployment: &dep, Select: suites.Selection{Suites: []string{"create"}}}).Run
	if n := r.Run.Created.LegalRepresentatives; n == 0 || n > 10 {
		t.Errorf("created %d representatives, 10 were allowed", n)
	}
	if r.Counts.Fail+r.Counts.Warn > 0 || r.Counts.NotVerified == 0 {
		t.Errorf("counts %+v", r.Counts)
	}
}

// A deployment that accepts everything cannot make a run exceed limits.max_creates, and its rules
// fail.
func TestTheBudgetHoldsAgainstADeploymentThatAcceptsEverything(t *testing.T) {
	var all []string
	for _, f := range reference.Faults() {
		if strings.HasPrefix(f.Name, "create.") && strings.HasSuffix(f.Name, "_accepted") {
			all = append(all, f.Name)
		}
	}
	r := run(t, suites.Options{
		Deployment: start(t, reference.Options{Seed: 7, Faults: all}).Deployment,
		Select:     suites.Selection{Suites: []string{"create"}},
	}).Run
	if n := r.Run.Created.LegalRepresentatives; n > 80 {
		t.Errorf("created %d representatives, at most 80 are allowed", n)
	}
	if r.Counts.Fail+r.Counts.Warn < 10 {
		t.Errorf("%d rules failed", r.Counts.Fail+r.Counts.Warn)
	}
}

// A deployment that answers every invalid creation with a server error uses up limits.max_creates,
// because each may have created a record. What was sent is judged; the other rules name the limit.
func TestRejectionsThatAreAllServerErrorsAreFound(t *testing.T) {
	gateway := start(t, reference.Options{Seed: 12, Faults: []string{"create.rejections_500"}})
	r := run(t, suites.Options{
		Deployment: gateway.Deployment, Select: suites.Selection{Suites: []string{"create"}},
	}).Run
	if n := r.Run.Created.LegalRepresentatives; n > 80 || r.Counts.Fail+r.Counts.Warn < 6 {
		t.Errorf("created %d representatives, %d rules failed", n, r.Counts.Fail+r.Counts.Warn)
	}
	for _, rule := range r.Rules {
		if rule.Level == "observe" {
			continue // whether a refusal was observed depends on the order of requests
		}
		held := strings.Contains(rule.Reason, "limits.max_creates") ||
			// a simpler defect was accepted
			strings.Contains(rule.Reason, "a request with a similar defect was not rejected") ||
			strings.Contains(rule.Reason, "is not rejected, see ") // the corrected request
		// its repeats got server errors
		unsent := strings.HasPrefix(rule.ID, "create.repeat.")
		if rule.Verdict == record.VerdictInconclusive && !unsent ||
			rule.Verdict == record.VerdictNotVerified && !held {
			t.Errorf("%s: %s: %s", rule.Verdict, rule.ID, rule.Reason)
		}
	}
}

// A deployment that dies during a run is given up soon, and no rule fails.
func TestADeploymentThatDiesIsGivenUp(t *testing.T) {
	t.Parallel() // mostly waits
	gateway := start(t, reference.Options{
		Seed: 11, Choices: reference.Choices{Latency: 50 * time.Millisecond},
	})
	time.AfterFunc(800*time.Millisecond, gateway.Close)
	result := run(t, suites.Options{
		Deployment: gateway.Deployment,
		Select:     suites.Selection{Suites: []string{"auth", "export"}},
	})
	for _, r := range result.Run.Rules {
		if r.Verdict == record.VerdictFail {
			t.Errorf("%s failed: %s", r.ID, r.Reason)
		}
	}
	testmust.Equal(t, result.Run.Verdict, record.RunNoVerdict)
	testmust.Equal(t, result.ExitCode(false), 3)
}
