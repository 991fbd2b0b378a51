package spec_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// judge declares rules, runs them and returns the result of each spec by rule ID and spec name.
func judge(
	t *testing.T, o spec.Options, declare func(p *spec.Plan),
) (map[string]*spec.CaseResult, *spec.Plan) {
	t.Helper()
	p := spec.New(o)
	declare(p)
	p.Run(t.Context())
	return results(p), p
}

func results(p *spec.Plan) map[string]*spec.CaseResult {
	found := map[string]*spec.CaseResult{}
	for _, k := range p.Cases() {
		if c := p.CaseResult(k); c != nil {
			found[k.Rule.ID+" "+k.Text] = c
		}
	}
	return found
}

// one declares an observation of the value 1.
func one(p *spec.Plan, name string) *spec.Observation[int] {
	return spec.Observe(p, name, func(context.Context) (int, error) { return 1, nil })
}

func TestObservationsRunTogether(t *testing.T) {
	var arrived atomic.Int32
	gate := make(chan struct{})
	found, _ := judge(t, spec.Options{}, func(p *spec.Plan) {
		p.Rule("a.b", Must, SectionLimits, "Three meet.", func() {
			for _, name := range []string{"x", "y", "z"} {
				o := spec.Observe(p, name, func(context.Context) (int, error) {
					if arrived.Add(1) == 3 {
						close(gate) // all three must act at once: otherwise the test hangs until its deadline
					}
					<-gate
					return 1, nil
				})
				p.It("sees "+name, func(ctx spec.Context) { ctx.Expect(o.Await(ctx)).To(Equal(1)) })
			}
		})
	})
	for name, c := range found {
		testmust.Equal(t, c.Verdict, record.VerdictPass, name)
	}
	testmust.Equal(t, len(found), 3)
}

func TestVerdicts(t *testing.T) {
	secret := func(s string) string { return strings.ReplaceAll(s, "hush", "***") }
	found, p := judge(t, spec.Options{Redact: secret}, func(p *spec.Plan) {
		unmet := func() *spec.Observation[int] {
			return spec.Observe(p, "unmet", func(context.Context) (int, error) {
				return 0, spec.NotVerifiedf("fixtures.client_id", "no rows")
			})
		}
		p.Rule("a.b", Must, SectionLimits, "Something.", func() {
			fine := one(p, "fine")
			absent := unmet()
			user := spec.Observe(p,
				"user", func(ctx context.Context) (int, error) { return unmet().Get(ctx) })
			unclear := spec.Observe(p, "unclear", func(context.Context) (int, error) {
				return 0, spec.Inconclusivef("nothing %s", "came, hush")
			})
			p.It("passes", func(ctx spec.Context) { ctx.Expect(fine.Await(ctx)).To(Equal(1)) })
			p.It("fails", func(ctx spec.Context) { ctx.Expect(fine.Await(ctx)).To(beTwo{"one hush"}) })
			p.It("lacks a fixture", func(ctx spec.Context) { absent.Await(ctx) })
			p.It("lacks one through another", func(ctx spec.Context) { user.Await(ctx) })
			p.It("is unclear", func(ctx spec.Context) { unclear.Await(ctx) })
			p.It("ends itself", func(ctx spec.Context) { ctx.NotVerifiedf("", "no row shows it") })
			p.It("ends itself unclear", func(ctx spec.Context) { ctx.Inconclusivef("no answer") })
			p.It("panics", func(ctx spec.Context) { panic("oops") })
		})
		p.Rule("a.seen", Observe, SectionErrors, "What is seen.", func() {
			fine := one(p, "fine")
			p.It("is seen", func(ctx spec.Context) { ctx.RecordObservedf("saw %d", fine.Await(ctx)) })
			p.It("are seen", func(ctx spec.Context) {
				ctx.RecordObserved("titles", "id", "hush")
				ctx.RecordObservedSet([]string{"b", "a", "b"})
				ctx.RecordVarying("took", "1s")
			})
		})
	})
	for name, want := range map[string]struct {
		verdict record.Verdict
		text    string
	}{
		"a.b passes":                    {record.VerdictPass, ""},
		"a.b fails":                     {record.VerdictFail, "Wrong number"},
		"a.b lacks a fixture":           {record.VerdictNotVerified, "no rows (fixtures.client_id)"},
		"a.b lacks one through another": {record.VerdictNotVerified, "no rows (fixtures.client_id)"},
		"a.b is unclear":                {record.VerdictInconclusive, "nothing came, ***"},
		"a.b ends itself":               {record.VerdictNotVerified, "no row shows it"},
		"a.b ends itself unclear":       {record.VerdictInconclusive, "no answer"},
		"a.b panics":                    {record.VerdictInconclusive, "the harness failed here"},
		"a.seen is seen":                {record.VerdictObserved, "saw 1"},
		"a.seen are seen":               {record.VerdictObserved, "titles: id, ***; a; b; took: 1s"},
	} {
		c := found[name]
		if c == nil || c.Verdict != want.verdict || !strings.Contains(c.Message, want.text) {
			t.Errorf("%s: %+v", name, c)
		}
	}
	if c := found["a.b fails"]; c.Expected != "two" || c.Actual != "one ***" ||
		!strings.Contains(c.Location, "spec_test.go:") {
		t.Errorf("%+v", c.CheckResult)
	}
	if c := found["a.b lacks a fixture"]; c.MissingKey != "fixtures.client_id" {
		t.Errorf("%+v", c.CheckResult)
	}
	if faults := p.HarnessErrors(); len(faults) != 1 || !strings.Contains(faults[0], "oops") {
		t.Errorf("faults: %v", faults)
	}
}

// beTwo fails with a finding that has several parts.
type beTwo struct{ found string }

func (beTwo) Match(actual any) (bool, error) { return actual == 2, nil }
func (m beTwo) Finding(any) (record.Finding, spec.Evidence) {
	return record.Finding{
		Subject: "wrong number", Got: "one", Expected: "two", Actual: m.found,
	}, spec.Evidence{}
}

func (m beTwo) FailureMessage(a any) string {
	f, _ := m.Finding(a)
	return spec.FailureMessage(f)
}
func (m beTwo) NegatedFailureMessage(a any) string { return m.FailureMessage(a) }

func TestTransientTroubleStartsTheChainAnew(t *testing.T) {
	tries := 0
	found, _ := judge(t, spec.Options{}, func(p *spec.Plan) {
		p.Rule("a.b", Must, SectionLimits, "Something.", func() {
			o := spec.Observe(p, "o", func(context.Context) (int, error) {
				if tries++; tries < 3 {
					return 0, spec.Transientf("503")
				}
				return 1, nil
			})
			p.It("sees", func(ctx spec.Context) { ctx.Expect(o.Await(ctx)).To(Equal(1)) })
		})
	})
	if found["a.b sees"].Verdict != record.VerdictPass || tries != 3 {
		t.Errorf("%d tries: %+v", tries, found["a.b sees"])
	}
}

// Observations of a later phase act after the needed ones of earlier phases have ended.
func TestWhatComesLastActsLast(t *testing.T) {
	var order []string // each acts after the one before has ended
	act := func(name string) func(context.Context) (int, error) {
		return func(context.Context) (int, error) { order = append(order, name); return 1, nil }
	}
	found, _ := judge(t, spec.Options{}, func(p *spec.Plan) {
		p.Rule("a.late", Must, SectionLimits, "Late.", func() {
			end := spec.Observe(p, "end", act("end"), spec.PhaseLast)
			last := spec.Observe(p, "last", act("last"), spec.PhaseLate)
			p.It("looks at all", func(ctx spec.Context) { last.Await(ctx); end.Await(ctx) })
		})
		p.Rule("a.early", Must, SectionLimits, "Early.", func() {
			o := spec.Observe(p, "o", act("ordinary"))
			p.It("sees", func(ctx spec.Context) { o.Await(ctx) })
		})
	})
	if !slices.Equal(order, []string{"ordinary", "last", "end"}) || len(found) != 2 {
		t.Errorf("acted in the order %v, %d judged", order, len(found))
	}
}

// Waiting for an observation of a later phase would deadlock: it is an error at once, also when
// another observation is in between.
func TestToWaitForALaterPhaseIsAFault(t *testing.T) {
	found, p := judge(t, spec.Options{}, func(p *spec.Plan) {
		p.Rule("a.b", Must, SectionLimits, "Something.", func() {
			after := spec.Observe(p,
				"after", func(context.Context) (int, error) { return 1, nil }, spec.PhaseLast)
			between := spec.Observe(p, "between", after.Get)
			first := spec.Observe(p, "first", between.Get)
			p.It("sees", func(ctx spec.Context) { first.Await(ctx) })
		})
	})
	if c := found["a.b sees"]; c == nil || c.Verdict != record.VerdictInconclusive {
		t.Errorf("%+v", c)
	}
	want := `observation "between" waits for "after", which comes later in a run`
	if faults := p.HarnessErrors(); !slices.Equal(faults, []string{want}) {
		t.Errorf("faults: %v", faults)
	}
}

// A case that waits for nothing is judged once, with its failures, while earlier cases still wait.
func TestSpecsAreJudgedWhileOthersWait(t *testing.T) {
	judged := make(chan string, 10)
	var p *spec.Plan
	p = spec.New(
		spec.Options{OnCheck: func(c *spec.CaseResult) { judged <- c.Rule + " " + string(c.Verdict) }})
	p.Rule("a.late", Must, SectionLimits, "Late.", func() {
		end := spec.Observe(p, "end", func(context.Context) ([]string, error) {
			seen := []string{}
			for range 2 {
				select {
				case name := <-judged:
					seen = append(seen, name)
				case <-time.After(10 * time.Second):
				}
			}
			return seen, nil
		}, spec.PhaseLast)
		p.It("sees what was judged before", func(ctx spec.Context) {
			ctx.Expect(end.Await(ctx)).To(ConsistOf("a.holds pass", "a.fails fail"))
		})
	})
	p.Rule("a.holds", Must, SectionLimits, "Holds.", func() {
		o := one(p, "o")
		p.It("sees", func(ctx spec.Context) { ctx.Expect(o.Await(ctx)).To(Equal(1)) })
	})
	p.Rule("a.fails", Must, SectionLimits, "Fails.", func() {
		o := one(p, "o")
		p.It("sees", func(ctx spec.Context) { ctx.Expect(o.Await(ctx)).To(Equal(2)) })
	})
	p.Run(t.Context())
	if c := results(p)["a.late sees what was judged before"]; c == nil ||
		c.Verdict != record.VerdictPass {
		t.Errorf("%+v", c)
	}
	if got := <-judged; got != "a.late pass" || len(judged) > 0 || len(p.HarnessErrors()) > 0 {
		t.Errorf("last judged %s, %d more; faults %v", got, len(judged), p.HarnessErrors())
	}
}

// An interrupt ends the context of an importer's case, which may wait for anything.
func TestAnInterruptEndsCasesOfImporters(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := spec.New(spec.Options{})
	p.Rule("a.b", Must, SectionLimits, "Something.", spec.OfImporter, func() {
		p.It("waits", func(ctx spec.Context) { cancel(); <-ctx.Done() })
	})
	p.Run(ctx)
	if found := results(p); len(found) > 0 {
		t.Errorf("judged %v", found)
	}
}

// After an interrupt, only what was seen by then is judged.
func TestAnInterruptJudgesWhatWasSeen(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := spec.New(spec.Options{})
	p.Rule("a.b", Must, SectionLimits, "Something.", func() {
		never := spec.Observe(p, "never", func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		})
		seen := spec.Observe(p, "seen", func(context.Context) (int, error) { cancel(); return 1, nil })
		p.It("waits", func(ctx spec.Context) { never.Await(ctx) })
		p.It("was seen", func(ctx spec.Context) { ctx.Expect(seen.Await(ctx)).To(Equal(1)) })
	})
	p.Run(ctx)
	found := results(p)
	if len(found) != 1 || found["a.b was seen"].Verdict != record.VerdictPass {
		t.Errorf("judged %v", found)
	}
}
