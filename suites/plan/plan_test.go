package plan_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/suites/plan"
)

// some rule IDs of the catalogue to hang checks on.
const (
	ruleA = "create.cpf.letters"
	ruleB = "create.cpf.spaces"
	ruleC = "create.cpf.formatted"
	seen  = "create.observed.same_cpf"
)

func verdicts(p *plan.Plan) map[string]record.Verdict {
	found := map[string]record.Verdict{}
	for _, c := range p.Checks() {
		if r := c.Result(); r != nil {
			found[c.Name] = r.Verdict
		}
	}
	return found
}

func TestObservationsRunTogether(t *testing.T) {
	p := plan.New()
	var inFlight, peak atomic.Int32
	gate := make(chan struct{})
	for i, rule := range []string{ruleA, ruleB, ruleC} {
		o := plan.Observe(p, rule, func(context.Context) (int, error) {
			if n := inFlight.Add(1); n == 3 {
				close(gate) // all three are here at once, or the test hangs and fails by its deadline
			}
			peak.Store(max(peak.Load(), inFlight.Load()))
			<-gate
			inFlight.Add(-1)
			return i, nil
		})
		p.It(rule, rule, plan.After(o), func(ctx context.Context) { gomega.Expect(o.Await(ctx)).To(gomega.Equal(i)) })
	}
	p.JudgeAll(t.Context())
	for name, v := range verdicts(p) {
		if v != record.Pass {
			t.Errorf("%s: %s", name, v)
		}
	}
	if peak.Load() != 3 {
		t.Errorf("at most %d observations ran at once, want 3", peak.Load())
	}
}

func TestVerdicts(t *testing.T) {
	p := plan.New()
	fine := plan.Observe(p, "fine", func(context.Context) (int, error) { return 1, nil })
	unmet := plan.Observe(p, "unmet", func(context.Context) (int, error) { return 0, plan.Unmet("fixtures.client_id", "no rows") })
	unclear := plan.Observe(p, "unclear", func(context.Context) (int, error) { return 0, plan.Unclear("nothing %s", "came") })
	user := plan.Observe(p, "user", func(ctx context.Context) (int, error) { return unmet.Get(ctx) })
	p.It(ruleA, "pass", plan.After(fine), func(ctx context.Context) { fine.Await(ctx) })
	p.It(ruleA, "fail", plan.After(fine), func(ctx context.Context) {
		p.Attempts(20, 1)
		if fine.Await(ctx) != 2 {
			p.Fail(plan.Message("wrong number", "two", "one"))
		}
	})
	p.It(ruleA, "not verified", plan.After(unmet), func(ctx context.Context) { unmet.Await(ctx) })
	p.It(ruleA, "not verified through another", plan.After(user), func(ctx context.Context) { user.Await(ctx) })
	p.It(ruleA, "inconclusive", plan.After(unclear), func(ctx context.Context) { unclear.Await(ctx) })
	p.It(seen, "observed", plan.After(fine), func(ctx context.Context) { p.Note("saw %d", fine.Await(ctx)) })
	p.JudgeAll(t.Context())
	want := map[string]record.Verdict{
		"pass": record.Pass, "fail": record.Fail, "not verified": record.NotVerified,
		"not verified through another": record.NotVerified, "inconclusive": record.Inconclusive, "observed": record.Observed,
	}
	got := verdicts(p)
	for name, v := range want {
		if got[name] != v {
			t.Errorf("%s: got %q, want %q", name, got[name], v)
		}
	}
	for _, c := range p.Checks() {
		r := c.Result()
		switch c.Name {
		case "fail":
			if !strings.Contains(r.Message, "wrong number") || r.Expected != "two" || r.Actual != "one" {
				t.Errorf("the failure was taken apart as %q / %q / %q", r.Message, r.Expected, r.Actual)
			}
			if r.Attempts != 20 || r.Failed != 1 {
				t.Errorf("attempts %d, failed %d", r.Attempts, r.Failed)
			}
			if !strings.Contains(r.Location, "plan_test.go") {
				t.Errorf("the failure is placed at %q", r.Location)
			}
		case "not verified":
			if r.Need != "fixtures.client_id" {
				t.Errorf("need %q", r.Need)
			}
		case "inconclusive":
			if r.Message != "nothing came" {
				t.Errorf("reason %q", r.Message)
			}
		}
	}
	if o := p.Observations(); len(o) != 1 || o[0].Observed != "saw 1" {
		t.Errorf("observations %+v", o)
	}
	if f := p.Faults(); len(f) > 0 {
		t.Errorf("faults of the harness: %v", f)
	}
}

func TestTransientTroubleStartsTheChainAnew(t *testing.T) {
	p := plan.New()
	tries := 0
	o := plan.Observe(p, "second time lucky", func(context.Context) (int, error) {
		if tries++; tries == 1 {
			return 0, plan.Transient("503")
		}
		return tries, nil
	})
	p.It(ruleA, "check", plan.After(o), func(ctx context.Context) { gomega.Expect(o.Await(ctx)).To(gomega.Equal(2)) })
	p.JudgeAll(t.Context())
	if v := verdicts(p)["check"]; v != record.Pass {
		t.Errorf("got %s", v)
	}
	if p.Restarts() != 1 {
		t.Errorf("%d restarts, want 1", p.Restarts())
	}
}

func TestUnmetNeedsSendNothing(t *testing.T) {
	p := plan.New()
	p.Require(func(r rules.Rule) error {
		if r.ID == ruleA {
			return plan.Unmet("fixtures.shareholder_id", "")
		}
		return nil
	})
	var sent atomic.Int32
	act := func(context.Context) (int, error) { return int(sent.Add(1)), nil }
	unneeded, needed := plan.Observe(p, "unneeded", act), plan.Observe(p, "needed", act)
	p.It(ruleA, "a", plan.After(unneeded), func(ctx context.Context) { unneeded.Await(ctx) })
	p.It(ruleB, "b", plan.After(needed), func(ctx context.Context) { needed.Await(ctx) })
	p.JudgeAll(t.Context())
	if got := verdicts(p); got["a"] != record.NotVerified || got["b"] != record.Pass {
		t.Errorf("got %v", got)
	}
	if sent.Load() != 1 {
		t.Errorf("%d observations acted, want 1", sent.Load())
	}
}

func TestLastActsAfterAllOthers(t *testing.T) {
	p := plan.New()
	var ended atomic.Int32
	var before int32
	last := plan.ObserveLast(p, "last", func(context.Context) (int, error) { before = ended.Load(); return 0, nil })
	p.It(ruleA, "last", plan.After(last), func(ctx context.Context) { last.Await(ctx) })
	for _, name := range []string{"x", "y", "z"} {
		o := plan.Observe(p, name, func(context.Context) (int, error) {
			time.Sleep(20 * time.Millisecond)
			ended.Add(1)
			return 0, nil
		})
		p.It(ruleB, name, plan.After(o), func(ctx context.Context) { o.Await(ctx) })
	}
	p.JudgeAll(t.Context())
	if before != 3 {
		t.Errorf("the last observation acted after %d of 3 others", before)
	}
}

func TestInterruptJudgesWhatWasSeen(t *testing.T) {
	p := plan.New()
	ctx, cancel := context.WithCancel(t.Context())
	done := plan.Observe(p, "done", func(context.Context) (int, error) { return 1, nil })
	stuck := plan.Observe(p, "stuck", func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() })
	p.It(ruleA, "stuck", plan.After(stuck), func(ctx context.Context) { stuck.Await(ctx) })
	p.It(ruleB, "done", plan.After(done), func(ctx context.Context) { gomega.Expect(done.Await(ctx)).To(gomega.Equal(1)) })
	p.Launch(ctx, false)
	time.AfterFunc(50*time.Millisecond, cancel)
	p.Execute(plan.Order{}, nil)
	p.Wait()
	got := verdicts(p)
	if got["done"] != record.Pass {
		t.Errorf("what was seen before the interrupt got %q", got["done"])
	}
	if v, judged := got["stuck"]; judged {
		t.Errorf("what was never seen got %q", v)
	}
}

func TestDefectsOfTheHarnessAreTold(t *testing.T) {
	p := plan.New()
	bad := plan.Observe(p, "bad", func(context.Context) (int, error) { panic("oops") })
	hidden := plan.Observe(p, "hidden", func(context.Context) (int, error) { return 1, nil })
	p.It(ruleA, "observation panics", plan.After(bad), func(ctx context.Context) { bad.Await(ctx) })
	p.It(ruleB, "check panics", nil, func(context.Context) { panic(errors.New("oops")) })
	p.It(ruleC, "undeclared", nil, func(ctx context.Context) { hidden.Await(ctx) })
	p.JudgeAll(t.Context())
	got := verdicts(p)
	if got["observation panics"] != record.Inconclusive || got["check panics"] != record.Inconclusive {
		t.Errorf("a panic is neither a pass nor a failure of the deployment: %v", got)
	}
	if n := len(p.Faults()); n != 3 {
		t.Errorf("%d faults told, want 3: %v", n, p.Faults())
	}
}

func TestWaivedFailureIsRecorded(t *testing.T) {
	p := plan.New()
	p.Waive(func(rule string) bool { return rule == ruleA })
	o := plan.Observe(p, "o", func(context.Context) (int, error) { return 1, nil })
	p.It(ruleA, "waived", plan.After(o), func(ctx context.Context) { gomega.Expect(o.Await(ctx)).To(gomega.Equal(2)) })
	p.JudgeAll(t.Context())
	if v := verdicts(p)["waived"]; v != record.Fail {
		t.Errorf("got %q: the rule still runs, and its failure is recorded", v)
	}
}

func TestUnknownRuleIsRefused(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a check of a rule that the catalogue does not hold was taken")
		}
	}()
	plan.New().It("create.no.such", "x", nil, func(context.Context) {})
}
