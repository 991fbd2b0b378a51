package spec_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	. "github.com/onsi/gomega"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// Observations with the same name are one: it acts once for all callers.
func TestAnObservationIsKnownByItsName(t *testing.T) {
	var acted atomic.Int32
	found, p := judge(t, spec.Options{}, func(p *spec.Plan) {
		for _, id := range []string{"a.b", "a.c"} {
			p.Rule(id, Must, SectionLimits, "Something.", func() {
				o := spec.Observe(p, "shared",
					func(context.Context) (int32, error) { return acted.Add(1), nil })
				p.It("sees the first", func(ctx spec.Context) { ctx.Expect(o.Await(ctx)).To(Equal(int32(1))) })
			})
		}
	})
	if acted.Load() != 1 || found["a.b sees the first"].Verdict != record.VerdictPass ||
		found["a.c sees the first"].Verdict != record.VerdictPass {
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
			return spec.NotVerifiedf("fixtures.window", "")
		}
		return nil
	}
	found, _ := judge(t, spec.Options{Unmet: unmet}, func(p *spec.Plan) {
		p.GroupRules(spec.NeedsKeys("fixtures.window"), func() {
			p.Rule("a.b", Must, SectionLimits, "Something.", func() {
				o := spec.Observe(p, "o", func(context.Context) (int, error) { sent = true; return 1, nil })
				p.It("sees", func(ctx spec.Context) { o.Await(ctx) })
			})
		})
	})
	if c := found["a.b sees"]; sent || c.Verdict != record.VerdictNotVerified ||
		c.MissingKey != "fixtures.window" || c.Message != "add fixtures.window to the deployment file" {
		t.Errorf("sent %v: %+v", sent, c)
	}
}

// A failure says nothing about the deployment if no answer shows the undocumented name it rests
// on.
func TestNamesThatNothingShows(t *testing.T) {
	known := map[string]bool{"pep": true}
	var p *spec.Plan
	evidence := func(name string) spec.AnyObservation {
		return spec.Observe(p, "evidence of "+name, func(context.Context) (int, error) {
			if known[name] {
				return 1, nil
			}
			return 0, spec.NotVerifiedf("fields."+name, "nothing shows it")
		})
	}
	p = spec.New(spec.Options{Evidence: evidence})
	p.Rule("a.known", Must, SectionLimits, "Known.", spec.RestsOnNames("pep"), func() {
		p.It("fails", func(ctx spec.Context) { ctx.Expect(1).To(Equal(2)) })
	})
	p.Rule("a.guessed", Must, SectionLimits, "Guessed.", spec.RestsOnNames("pep", "nonce"), func() {
		p.It("fails", func(ctx spec.Context) { ctx.Expect(1).To(Equal(2)) })
		p.It("passes", func(ctx spec.Context) { ctx.Expect(1).To(Equal(1)) })
	})
	p.Run(t.Context())
	found := results(p)
	if found["a.known fails"].Verdict != record.VerdictFail ||
		found["a.guessed passes"].Verdict != record.VerdictPass {
		t.Errorf("%v", found)
	}
	if c := found["a.guessed fails"]; c.Verdict != record.VerdictNotVerified ||
		c.MissingKey != "fields.nonce" {
		t.Errorf("%+v", c.CheckResult)
	}
}

// Name evidence may arrive last: until then other specs are judged.
func TestNamesThatAreShownAtTheEnd(t *testing.T) {
	judged := make(chan string, 10)
	var p *spec.Plan
	p = spec.New(spec.Options{
		OnCheck: func(c *spec.CaseResult) { judged <- c.Rule },
		Evidence: func(name string) spec.AnyObservation {
			return spec.Observe(p, "evidence of "+name, func(context.Context) (int, error) {
				return 1, nil
			}, spec.PhaseLate)
		},
	})
	p.Rule("a.doubtful", Must, SectionLimits, "Doubtful.", spec.RestsOnNames("pep"), func() {
		o := one(p, "o")
		p.It("fails", func(ctx spec.Context) { ctx.Expect(o.Await(ctx)).To(Equal(2)) })
	})
	p.Rule("a.sure", Must, SectionLimits, "Sure.", func() {
		o := one(p, "o")
		p.It("passes", func(ctx spec.Context) { ctx.Expect(o.Await(ctx)).To(Equal(1)) })
	})
	p.Rule("a.slow", Must, SectionLimits, "Slow.", func() {
		o := spec.Observe(p, "slow", func(context.Context) (string, error) { return <-judged, nil })
		p.It("sees what was judged before it",
			func(ctx spec.Context) { ctx.Expect(o.Await(ctx)).To(Equal("a.sure")) })
	})
	p.Run(t.Context())
	found := results(p)
	if found["a.doubtful fails"].Verdict != record.VerdictFail ||
		found["a.sure passes"].Verdict != record.VerdictPass ||
		found["a.slow sees what was judged before it"].Verdict != record.VerdictPass ||
		len(judged) != 2 {
		t.Errorf("%v, and %d told", found, len(judged))
	}
}

func TestMistakesOfTheProgram(t *testing.T) {
	_, p := judge(t, spec.Options{}, func(p *spec.Plan) {
		elsewhere := one(p, "declared outside of the rule")
		p.Rule("a.b", Must, SectionLimits, "Something.", func() {
			p.It("awaits what it did not ask for", func(ctx spec.Context) { elsewhere.Await(ctx) })
		})
		p.Rule("a.c", Must, SectionLimits, "Something.", func() {
			p.UseObservations(elsewhere)
			p.It("asked for it", func(ctx spec.Context) { elsewhere.Await(ctx) })
		})
		p.Rule("a.d", Must, SectionLimits, "Something.", spec.UsesObservations(elsewhere), func() {
			p.It("asked for it", func(ctx spec.Context) { elsewhere.Await(ctx) })
		})
	})
	if faults := p.HarnessErrors(); len(faults) != 1 || !strings.Contains(faults[0], "a.b awaits") {
		t.Errorf("faults %v", faults)
	}
	for what, declare := range map[string]func(*spec.Plan){
		"a rule twice": func(p *spec.Plan) {
			p.Rule("a.b", Must, SectionLimits, "Something.", func() {})
			p.Rule("a.b", Must, SectionLimits, "Something.", func() {})
		},
		"two cases of one name": func(p *spec.Plan) {
			p.Rule("a.b", Must, SectionLimits, "Something.", func() {
				p.It("is called the same", func(spec.Context) {})
				p.It("is called the same", func(spec.Context) {})
			})
		},
		"a case of no rule": func(p *spec.Plan) { p.It("hangs in the air", func(spec.Context) {}) },
		"a rule of nothing": func(p *spec.Plan) {
			p.Rule("a.b", Must, SectionLimits, "Something.")
		},
		"a text that is no option": func(p *spec.Plan) { p.GroupRules("topic", func() {}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was declared", what)
				}
			}()
			declare(spec.New(spec.Options{}))
		}()
	}
}

// An excused failure is recorded as a failure. An unselected rule is in the catalogue only.
func TestExcusesAndSelections(t *testing.T) {
	var seen []string
	found, p := judge(t, spec.Options{
		ExcuseFailure: func(r Rule) string { return "waived" },
		OnCheck:       func(c *spec.CaseResult) { seen = append(seen, c.Rule) },
	}, func(p *spec.Plan) {
		defer p.SelectRules(func(r Rule) bool { return r.ID != "a.c" })
		p.Rule("a.b", Should, SectionLimits, "Something.", spec.Security, func() {
			p.It("fails", func(ctx spec.Context) { ctx.Expect(1).To(Equal(2)) })
		})
		p.Rule("a.c", Must, SectionLimits, "Something.",
			func() { p.It("fails", func(ctx spec.Context) { ctx.Expect(1).To(Equal(2)) }) })
	})
	if len(found) != 1 || found["a.b fails"].Verdict != record.VerdictFail || !slices.Equal(seen,
		[]string{"a.b"}) {
		t.Errorf("%v, told %v", found, seen)
	}
	if c := p.Catalogue(); len(c) != 2 || !c[0].Security || c[1].ID != "a.c" {
		t.Errorf("catalogue %+v", c)
	}
}
