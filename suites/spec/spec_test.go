package spec_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// judge declares rules, runs them and returns what each spec found, by the rule's ID and the spec's name.
func judge(t *testing.T, o spec.Options, declare func(p *spec.Plan)) (map[string]*spec.Check, *spec.Plan) {
	t.Helper()
	p := spec.New(o)
	if err := p.JudgeAll(t.Context(), func() { declare(p) }); err != nil {
		t.Fatal(err)
	}
	return results(p), p
}

func results(p *spec.Plan) map[string]*spec.Check {
	found := map[string]*spec.Check{}
	for _, s := range p.Specs() {
		if c := p.Result(s); c != nil {
			found[s.Rule.ID+" "+s.Name] = c
		}
	}
	return found
}

// one declares an observation that gives 1.
func one(p *spec.Plan, name string) *spec.Observation[int] {
	return spec.Observe(p, name, func(context.Context) (int, error) { return 1, nil })
}

func TestObservationsRunTogether(t *testing.T) {
	var arrived atomic.Int32
	gate := make(chan struct{})
	found, _ := judge(t, spec.Options{}, func(p *spec.Plan) {
		p.Rule("a.b", Must, Limits, "Three meet.", func() {
			for _, name := range []string{"x", "y", "z"} {
				o := spec.Observe(p, name, func(context.Context) (int, error) {
					if arrived.Add(1) == 3 {
						close(gate) // all three are here at once, or the test hangs and fails by its deadline
					}
					<-gate
					return 1, nil
				})
				It("sees "+name, func(ctx SpecContext) { Expect(o.Await(ctx)).To(Equal(1)) })
			}
		})
	})
	for name, c := range found {
		if c.Verdict != record.Pass {
			t.Errorf("%s: %s", name, c.Verdict)
		}
	}
	if len(found) != 3 {
		t.Errorf("found %v", found)
	}
}

func TestVerdicts(t *testing.T) {
	secret := func(s string) string { return strings.ReplaceAll(s, "hush", "***") }
	found, p := judge(t, spec.Options{Redact: secret}, func(p *spec.Plan) {
		unmet := func() *spec.Observation[int] {
			return spec.Observe(p, "unmet", func(context.Context) (int, error) {
				return 0, spec.Unmet("fixtures.client_id", "no rows")
			})
		}
		p.Rule("a.b", Must, Limits, "Something.", func() {
			fine := one(p, "fine")
			absent := unmet()
			user := spec.Observe(p, "user", func(ctx context.Context) (int, error) { return unmet().Get(ctx) })
			unclear := spec.Observe(p, "unclear", func(context.Context) (int, error) {
				return 0, spec.Unclear("nothing %s", "came, hush")
			})
			It("passes", func(ctx SpecContext) { Expect(fine.Await(ctx)).To(Equal(1)) })
			It("fails", func(ctx SpecContext) {
				spec.Attempts(20, 1)
				Expect(fine.Await(ctx)).To(beTwo{})
			})
			It("fails with words before", func(ctx SpecContext) { Expect(fine.Await(ctx)).To(beTwo{}, "of the first") })
			It("fails by Ginkgo", func(SpecContext) { Fail("plainly, hush") })
			It("lacks a fixture", func(ctx SpecContext) { absent.Await(ctx) })
			It("lacks one through another", func(ctx SpecContext) { user.Await(ctx) })
			It("is unclear", func(ctx SpecContext) { unclear.Await(ctx) })
			It("ends itself", func(SpecContext) { spec.NotVerified("", "no row shows it") })
			It("ends itself unclear", func(SpecContext) { spec.Inconclusive("no answer") })
			It("skips", func(SpecContext) { Skip("not today") })
			It("panics", func(SpecContext) { panic("oops") })
		})
		p.Rule("a.seen", Observe, Errors, "What is seen.", func() {
			fine := one(p, "fine")
			It("is seen", func(ctx SpecContext) { spec.Note("saw %d", fine.Await(ctx)) })
		})
	})
	for name, want := range map[string]struct {
		verdict record.Verdict
		text    string
	}{
		"a.b passes":                    {record.Pass, ""},
		"a.b fails":                     {record.Fail, "Wrong number"},
		"a.b fails with words before":   {record.Fail, "of the first"},
		"a.b fails by Ginkgo":           {record.Fail, "plainly, ***"},
		"a.b lacks a fixture":           {record.NotVerified, "no rows (fixtures.client_id)"},
		"a.b lacks one through another": {record.NotVerified, "no rows (fixtures.client_id)"},
		"a.b is unclear":                {record.Inconclusive, "nothing came, ***"},
		"a.b ends itself":               {record.NotVerified, "no row shows it"},
		"a.b ends itself unclear":       {record.Inconclusive, "no answer"},
		"a.b skips":                     {record.NotVerified, "not today"},
		"a.b panics":                    {record.Inconclusive, "the harness failed here"},
		"a.seen is seen":                {record.Observed, "saw 1"},
	} {
		c := found[name]
		if c == nil || c.Verdict != want.verdict || !strings.Contains(c.Message, want.text) {
			t.Errorf("%s: %+v", name, c)
		}
	}
	if c := found["a.b fails"]; c.Expected != "two" || c.Actual != "one ***" || c.Check.Attempts != 20 ||
		c.Failed != 1 ||
		!strings.Contains(c.Location, "spec_test.go:") {
		t.Errorf("%+v", c.Check)
	}
	if c := found["a.b lacks a fixture"]; c.Need != "fixtures.client_id" ||
		c.String() != "a.b, add fixtures.client_id" {
		t.Errorf("%+v", c.Check)
	}
	if faults := p.Faults(); len(faults) != 1 || !strings.Contains(faults[0], "oops") {
		t.Errorf("faults: %v", faults)
	}
}

// beTwo fails with a finding in parts.
type beTwo struct{}

func (beTwo) Match(actual any) (bool, error) { return actual == 2, nil }
func (beTwo) FailureMessage(any) string {
	return spec.Found(record.Finding{Subject: "wrong number", Got: "one", Expected: "two", Actual: "one hush"})
}
func (m beTwo) NegatedFailureMessage(a any) string { return m.FailureMessage(a) }

func TestTransientTroubleStartsTheChainAnew(t *testing.T) {
	tries := 0
	found, p := judge(t, spec.Options{}, func(p *spec.Plan) {
		p.Rule("a.b", Must, Limits, "Something.", func() {
			o := spec.Observe(p, "o", func(context.Context) (int, error) {
				if tries++; tries < 3 {
					return 0, spec.Transient("503")
				}
				return 1, nil
			})
			It("sees", func(ctx SpecContext) { Expect(o.Await(ctx)).To(Equal(1)) })
		})
	})
	if found["a.b sees"].Verdict != record.Pass || tries != 3 || p.Restarts() != 2 {
		t.Errorf("%d tries, %d restarts: %+v", tries, p.Restarts(), found["a.b sees"])
	}
}

// Observations of later turns act when all that the run needs of earlier ones has ended, in a lazy plan too.
func TestWhatComesLastActsLast(t *testing.T) {
	for _, lazy := range []bool{false, true} {
		var order []string
		mu := make(chan struct{}, 1)
		act := func(name string) func(context.Context) (int, error) {
			return func(context.Context) (int, error) {
				mu <- struct{}{}
				order = append(order, name)
				<-mu
				return 1, nil
			}
		}
		p := spec.New(spec.Options{})
		declare := func() {
			p.Rule("a.late", Must, Limits, "Late.", func() {
				end, last := spec.ObserveEnd(p, "end", act("end")), spec.ObserveLast(p, "last", act("last"))
				It("looks at all", func(ctx SpecContext) { end.Await(ctx); last.Await(ctx) })
			})
			p.Rule("a.early", Must, Limits, "Early.", func() {
				o := spec.Observe(p, "o", act("ordinary"))
				It("sees", func(ctx SpecContext) { o.Await(ctx) })
			})
		}
		if err := p.Prepare(spec.Order{}, declare); err != nil {
			t.Fatal(err)
		}
		p.Launch(t.Context(), lazy)
		p.Judge(spec.Order{})
		p.Wait()
		if !slices.Equal(order, []string{"ordinary", "last", "end"}) {
			t.Errorf("lazy %v: acted in the order %v", lazy, order)
		}
		if len(p.Faults()) > 0 || p.Ready() != 2 {
			t.Errorf("faults %v, %d ready", p.Faults(), p.Ready())
		}
	}
}

// What has nothing to wait for is judged, once and with its failures, while specs before it still wait.
func TestSpecsAreJudgedWhileOthersWait(t *testing.T) {
	judged := make(chan string, 10)
	var p *spec.Plan
	p = spec.New(spec.Options{OnCheck: func(c *spec.Check) { judged <- c.Rule + " " + string(c.Verdict) }})
	declare := func() {
		p.Rule("a.late", Must, Limits, "Late.", func() {
			end := spec.ObserveEnd(p, "end", func(context.Context) ([]string, error) {
				seen := []string{}
				for range 2 {
					select {
					case name := <-judged:
						seen = append(seen, name)
					case <-time.After(10 * time.Second):
					}
				}
				return seen, nil
			})
			It("sees what was judged before", func(ctx SpecContext) {
				Expect(end.Await(ctx)).To(ConsistOf("a.holds pass", "a.fails fail"))
			})
		})
		p.Rule("a.holds", Must, Limits, "Holds.", func() {
			o := one(p, "o")
			It("sees", func(ctx SpecContext) { Expect(o.Await(ctx)).To(Equal(1)) })
		})
		p.Rule("a.fails", Must, Limits, "Fails.", func() {
			o := one(p, "o")
			It("sees", func(ctx SpecContext) { Expect(o.Await(ctx)).To(Equal(2)) })
		})
	}
	if err := p.Prepare(spec.Order{}, declare); err != nil {
		t.Fatal(err)
	}
	p.Launch(t.Context(), false)
	p.Judge(spec.Order{})
	p.Wait()
	if c := results(p)["a.late sees what was judged before"]; c == nil || c.Verdict != record.Pass {
		t.Errorf("%+v", c)
	}
	if got := <-judged; got != "a.late pass" || len(judged) > 0 || len(p.Faults()) > 0 {
		t.Errorf("last judged %s, %d more; faults %v", got, len(judged), p.Faults())
	}
}

// What an observation declares while a tree of specs is built belongs to no rule of that tree.
func TestObservationsDeclareOthersBetweenTrees(t *testing.T) {
	building, trees := make(chan struct{}), 0
	var p *spec.Plan
	p = spec.New(spec.Options{})
	declare := func() {
		trees++
		p.Rule("a.b", Must, Limits, "Something.", func() {
			o := spec.Observe(p, "o", func(ctx context.Context) (bool, error) {
				<-building
				var observing bool
				_, err := spec.Meanwhile(p, func() *spec.Observation[int] {
					observing = p.Observing()
					return one(p, "declared late")
				}).Get(ctx)
				return observing, err
			})
			It("is of no rule that only observes", func(ctx SpecContext) { Expect(o.Await(ctx)).To(BeFalse()) })
		})
		p.Rule("a.c", Observe, Limits, "Seen.", func() {
			if trees == 2 {
				close(building)
				time.Sleep(50 * time.Millisecond) // in which the other one would declare
			}
			It("sees", func(SpecContext) { spec.Note("it") })
		})
	}
	if err := p.Prepare(spec.Order{}, declare); err != nil {
		t.Fatal(err)
	}
	p.Launch(t.Context(), false)
	p.Judge(spec.Order{})
	p.Wait()
	if c := results(p)["a.b is of no rule that only observes"]; c == nil || c.Verdict != record.Pass {
		t.Errorf("%+v", c)
	}
}

// After an interrupt what was seen is judged, and nothing else.
func TestAnInterruptJudgesWhatWasSeen(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := spec.New(spec.Options{})
	err := p.Prepare(spec.Order{}, func() {
		p.Rule("a.b", Must, Limits, "Something.", func() {
			never := spec.Observe(p, "never", func(ctx context.Context) (int, error) {
				<-ctx.Done()
				return 0, ctx.Err()
			})
			seen := spec.Observe(p, "seen", func(context.Context) (int, error) { cancel(); return 1, nil })
			It("waits", func(ctx SpecContext) { never.Await(ctx) })
			It("was seen", func(ctx SpecContext) { Expect(seen.Await(ctx)).To(Equal(1)) })
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Launch(ctx, false)
	p.Judge(spec.Order{})
	p.Wait()
	found := results(p)
	if len(found) != 1 || found["a.b was seen"].Verdict != record.Pass {
		t.Errorf("judged %v", found)
	}
}

// A check names the exchanges of what it awaits and of what that used, and no more.
func TestChecksNameTheirExchanges(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter,
		*http.Request,
	) {
		time.Sleep(5 * time.Millisecond)
	}))
	defer server.Close()
	c, err := client.New(&deployment.File{Name: "t", BaseURL: server.URL}, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	send := func(ctx context.Context) int {
		return c.Once(ctx, &client.Request{Method: http.MethodGet, Path: "/"}).Seq
	}
	found, p := judge(t, spec.Options{}, func(p *spec.Plan) {
		deepest := func() *spec.Observation[int] {
			return spec.Observe(p, "deepest", func(ctx context.Context) (int, error) { return send(ctx), nil })
		}
		deep := func() *spec.Observation[int] {
			return spec.Observe(p, "deep", func(ctx context.Context) (int, error) {
				_, err := deepest().Get(ctx)
				return send(ctx), err
			})
		}
		p.Rule("a.b", Must, Limits, "Something.", func() {
			top := spec.Observe(p, "top", func(ctx context.Context) (int, error) {
				_, err := deep().Get(ctx)
				return send(ctx), err
			})
			silent := one(p, "silent")
			It("is at the top", func(ctx SpecContext) { silent.Await(ctx); top.Await(ctx) })
			It("is silent", func(ctx SpecContext) { silent.Await(ctx) })
		})
	})
	top, silent := found["a.b is at the top"], found["a.b is silent"]
	if !slices.Equal(top.Exchanges, []int{3, 2}) || !slices.Equal(top.Own(), []int{3}) {
		t.Errorf("exchanges %v, of its own %v", top.Exchanges, top.Own())
	}
	if want := (c.Exchange(2).Service + c.Exchange(3).Service).Milliseconds(); top.DurationMS != want {
		t.Errorf("took %d ms, want %d", top.DurationMS, want)
	}
	if silent.Exchanges == nil || len(silent.Exchanges) > 0 || silent.Own() != nil {
		t.Errorf("silent: %+v", silent.Check)
	}
	chain := c.Exchange(1).Service + c.Exchange(2).Service + c.Exchange(3).Service
	if got := p.LongestChain(); got != chain {
		t.Errorf("the longest chain took %s, want %s", got, chain)
	}
}

func TestReasonsInWords(t *testing.T) {
	for want, err := range map[string]error{
		"add k to the deployment file":         spec.Unmet("k", ""),
		"no rows":                              spec.Unmet("", "no %s", "rows"),
		"no rows (k)":                          spec.Unmet("k", "no rows"),
		"inconclusive: 3 of 4":                 spec.Unclear("%d of %d", 3, 4),
		"the deployment was out of order: 503": spec.Transient("503"),
	} {
		if err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
	if !errors.Is(spec.Transient("x"), spec.ErrTransient) || !errors.Is(spec.Unclear("x"), spec.ErrInconclusive) {
		t.Error("reasons have no kind")
	}
}
