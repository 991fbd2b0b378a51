package spec_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// The same name is the same observation: it acts once, whoever asks, in the preview's tree or in the run's.
func TestAnObservationIsKnownByItsName(t *testing.T) {
	var acted atomic.Int32
	found, p := judge(t, spec.Options{}, func(p *spec.Plan) {
		for _, id := range []string{"a.b", "a.c"} {
			p.Rule(id, Must, Limits, "Something.", func() {
				o := spec.Observe(p, "shared", func(context.Context) (int32, error) { return acted.Add(1), nil })
				It("sees the first", func(ctx SpecContext) { Expect(o.Await(ctx)).To(Equal(int32(1))) })
			})
		}
	})
	if acted.Load() != 1 || found["a.b sees the first"].Verdict != record.Pass ||
		found["a.c sees the first"].Verdict != record.Pass {
		t.Errorf("acted %d times: %v", acted.Load(), found)
	}
	defer func() {
		if recover() == nil {
			t.Error("another type under the same name was taken")
		}
	}()
	spec.Observe(p, "shared", func(context.Context) (string, error) { return "", nil })
}

func TestUnmetNeedsSendNothing(t *testing.T) {
	sent := false
	unmet := func(r Rule) error {
		if slices.Contains(r.Needs, "fixtures.window") {
			return spec.Unmet("fixtures.window", "")
		}
		return nil
	}
	found, _ := judge(t, spec.Options{Unmet: unmet}, func(p *spec.Plan) {
		p.Group(spec.Needs("fixtures.window"), func() {
			p.Rule("a.b", Must, Limits, "Something.", func() {
				o := spec.Observe(p, "o", func(context.Context) (int, error) { sent = true; return 1, nil })
				It("sees", func(ctx SpecContext) { o.Await(ctx) })
			})
		})
	})
	if c := found["a.b sees"]; sent || c.Verdict != record.NotVerified || c.Need != "fixtures.window" ||
		c.Message != "add fixtures.window to the deployment file" {
		t.Errorf("sent %v: %+v", sent, c)
	}
}

// A failure that rests on a name which nothing shows to be right says nothing about the deployment.
func TestNamesThatNothingShows(t *testing.T) {
	known := map[string]bool{"pep": true}
	var p *spec.Plan
	evidence := func(name string) spec.AnyObservation {
		return spec.Observe(p, "evidence of "+name, func(context.Context) (int, error) {
			if known[name] {
				return 1, nil
			}
			return 0, spec.Unmet("fields."+name, "nothing shows it")
		})
	}
	p = spec.New(spec.Options{Evidence: evidence})
	err := p.JudgeAll(t.Context(), func() {
		p.Rule("a.known", Must, Limits, "Known.", spec.Names("pep"), func() {
			It("fails", func(SpecContext) { Expect(1).To(Equal(2)) })
		})
		p.Rule("a.guessed", Must, Limits, "Guessed.", spec.Names("pep", "nonce"), func() {
			It("fails", func(SpecContext) { Expect(1).To(Equal(2)) })
			It("passes", func(SpecContext) { Expect(1).To(Equal(1)) })
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	found := results(p)
	if found["a.known fails"].Verdict != record.Fail || found["a.guessed passes"].Verdict != record.Pass {
		t.Errorf("%v", found)
	}
	if c := found["a.guessed fails"]; c.Verdict != record.NotVerified || c.Need != "fields.nonce" {
		t.Errorf("%+v", c.Check)
	}
}

// What shows the names may come last of all: until then other specs are judged.
func TestNamesThatAreShownAtTheEnd(t *testing.T) {
	judged := make(chan string, 10)
	var p *spec.Plan
	p = spec.New(spec.Options{
		OnCheck: func(c *spec.Check) { judged <- c.Rule },
		Evidence: func(name string) spec.AnyObservation {
			return spec.ObserveLast(p, "evidence of "+name, func(context.Context) (int, error) {
				return 1, nil
			})
		},
	})
	declare := func() {
		p.Rule("a.doubtful", Must, Limits, "Doubtful.", spec.Names("pep"), func() {
			o := one(p, "o")
			It("fails", func(ctx SpecContext) { Expect(o.Await(ctx)).To(Equal(2)) })
		})
		p.Rule("a.sure", Must, Limits, "Sure.", func() {
			o := one(p, "o")
			It("passes", func(ctx SpecContext) { Expect(o.Await(ctx)).To(Equal(1)) })
		})
		p.Rule("a.slow", Must, Limits, "Slow.", func() {
			o := spec.Observe(p, "slow", func(context.Context) (string, error) { return <-judged, nil })
			It("sees what was judged before it", func(ctx SpecContext) { Expect(o.Await(ctx)).To(Equal("a.sure")) })
		})
	}
	if err := p.Prepare(spec.Order{}, declare); err != nil {
		t.Fatal(err)
	}
	p.Launch(t.Context(), false)
	p.Judge(spec.Order{})
	p.Wait()
	found := results(p)
	if found["a.doubtful fails"].Verdict != record.Fail || found["a.sure passes"].Verdict != record.Pass ||
		found["a.slow sees what was judged before it"].Verdict != record.Pass || len(judged) != 2 {
		t.Errorf("%v, and %d told", found, len(judged))
	}
}

func TestMistakesOfTheProgram(t *testing.T) {
	_, p := judge(t, spec.Options{}, func(p *spec.Plan) {
		elsewhere := one(p, "declared outside of the rule")
		p.Rule("a.b", Must, Limits, "Something.", func() {
			It("awaits what it did not ask for", func(ctx SpecContext) { elsewhere.Await(ctx) })
		})
		p.Rule("a.c", Must, Limits, "Something.", func() {
			p.Uses(elsewhere)
			It("asked for it", func(ctx SpecContext) { elsewhere.Await(ctx) })
		})
		p.Rule("a.d", Must, Limits, "Something.", spec.Using(elsewhere), func() {
			It("asked for it", func(ctx SpecContext) { elsewhere.Await(ctx) })
		})
	})
	if faults := p.Faults(); len(faults) != 1 || !strings.Contains(faults[0], "a.b awaits") {
		t.Errorf("faults %v", faults)
	}
	twice := spec.New(spec.Options{})
	err := twice.Prepare(spec.Order{}, func() {
		twice.Rule("a.b", Must, Limits, "Something.", func() {
			It("is called the same", func(SpecContext) {})
			It("is called the same", func(SpecContext) {})
		})
	})
	if err == nil || !strings.Contains(err.Error(), "two specs") {
		t.Errorf("two specs of one name: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a rule was declared twice")
		}
	}()
	again := spec.New(spec.Options{Wanted: func(Rule) bool { return false }})
	again.Rule("a.b", Must, Limits, "Something.", func() {})
	again.Rule("a.b", Must, Limits, "Something.", func() {})
}

// What is excused is recorded as a failure. A rule that is not wanted is in the catalogue only.
func TestExcusesAndSelections(t *testing.T) {
	var seen []string
	found, p := judge(t, spec.Options{
		Wanted:  func(r Rule) bool { return r.ID != "a.c" },
		Excuse:  func(r Rule) string { return "waived" },
		OnCheck: func(c *spec.Check) { seen = append(seen, c.About().ID) },
	}, func(p *spec.Plan) {
		p.Rule("a.b", Should, Limits, "Something.", spec.Security, func() {
			It("fails", func(SpecContext) { Expect(1).To(Equal(2)) })
		})
		p.Rule("a.c", Must, Limits, "Something.", func() { It("fails", func(SpecContext) { Fail("x") }) })
	})
	if len(found) != 1 || found["a.b fails"].Verdict != record.Fail || !slices.Equal(seen, []string{"a.b"}) {
		t.Errorf("%v, told %v", found, seen)
	}
	if c := p.Catalogue(); len(c) != 2 || !c[0].Security || c[1].ID != "a.c" {
		t.Errorf("catalogue %+v", c)
	}
}
