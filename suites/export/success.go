package export

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// success: what an export may be asked with.
func (s *Suite) success() {
	s.Rule("export.success.steady", Should, Errors,
		"An export does not fail with a server error that disappears when it is requested again.", func() {
			s.Uses(s.c.Export, s.run)
			s.It("gets no server error before its answer", func(ctx spec.Context) {
				s.run.Await(ctx)
				ctx.Expect(Steadiness(s.t.Answered(client.Export))).To(HoldThroughout("export now and then",
					"the same answer each time"))
			})
		})
	s.Rule("export.success", Must, ExportOperation,
		"An export is accepted with an empty object, with each optional field alone, and with all of them; "+
			"no filter text breaks it.", func() {
			s.accept(s.emptyObject, s.formatAlone, s.startAlone, s.endAlone,
				s.filterAlone, // a type and its text; either without the other is only observed
				s.only("sort", "quote_created_at"), s.only("sort", "settled_date"), s.only("order", "asc"),
				s.only("order", "desc"), s.fieldsTogether())
			for _, r := range []control.Row{control.First, control.Second} {
				s.partsTogether(r)
			}
			s.wholeSeconds()
			s.freeText(special{"an apostrophe", "O'Brien"}, special{"a quotation mark", `"`})
			s.freeText(special{"letters beyond ASCII", "Conceição"}, special{"a percent sign", "%"},
				special{"a backslash", `\`})
			s.neverClash()
		})
}

// fieldsTogether is an export with all fields. Where that is refused, it goes without each that the refusal does not
// take: those that remain are named.
func (s *Suite) fieldsTogether() attempt {
	const label = "all fields together"
	all := target.Fields{"sort": "settled_date", "order": "asc", "type_extension": "CSV"}
	return s.attempt(label, func(ctx context.Context) (target.Answer, error) {
		send := func(left []string) (target.Answer, error) {
			return s.settle(ctx, label, func(c *target.ExportCall) {
				c.Fields = clientFilter(c.Fields, s.someClient())
				for name, value := range all {
					c.Fields = c.Fields.With(name, value)
				}
				c.Fields = c.Fields.Without(left...)
			})
		}
		a, err := send(nil)
		if err != nil || !a.Refusal() {
			return a, err
		}
		var left, kept []string
		for _, names := range [][]string{
			{"filter_type", "filter_text"}, {"date_start"}, {"date_end"}, {"type_extension"}, {"sort"}, {"order"},
		} {
			without := slices.Concat(left, names)
			if fewer, err := send(without); err == nil && fewer.Refusal() {
				a, left = fewer, without
			} else if value, known := all[names[0]]; known {
				kept = append(kept, fmt.Sprint(names[0], " ", value))
			} else {
				kept = append(kept, names[0])
			}
		}
		if len(kept) < 4 {
			a.Condition = settingsOf(kept...)
		}
		return a, nil
	})
}

// partsTogether: what is optional may stand beside each other, where nothing gives a reason to refuse just that.
func (s *Suite) partsTogether(r control.Row) {
	spec.Helper()
	o := s.c.Joint(client.Export, r)
	s.Uses(s.c.Export, o)
	s.It("accepts an export with "+optional(r)+" together", func(ctx spec.Context) {
		s.c.Export.Await(ctx)
		if refused := o.Await(ctx).Refused; refused != nil {
			ctx.Expect(*refused).To(BeAccepted())
		}
	})
}

// optional says what stands beside an export in a row.
func optional(r control.Row) string {
	return map[control.Row]string{
		control.First: "some optional headers and fields", control.Second: "other optional headers and fields",
	}[r]
}

// wholeSeconds: a date-time needs no fraction. Bounds that are refused are sent with one as well: where that is
// refused, too, it is something else that is refused.
func (s *Suite) wholeSeconds() {
	spec.Helper()
	bounds := s.t.Unique("whole seconds")
	written := func(ending string) build {
		f := target.Fields{}
		for field, value := range bounds {
			whole, _, _ := strings.Cut(fmt.Sprint(value), ".")
			f[field] = whole + ending
		}
		return fields(f)
	}
	whole := s.send("bounds in whole seconds", written("Z"))
	const label = "the same bounds with a fraction"
	twin := spec.Observe(s.Plan, label, func(ctx context.Context) (target.Answer, error) {
		if a, err := whole.Get(ctx); err != nil || !a.Refusal() {
			return a, err
		}
		return s.settle(ctx, label, written(".000Z"))
	})
	s.accepts(whole, func(ctx spec.Context, got target.Answer) {
		if other, ok := twin.Settled(ctx); got.Refusal() && ok && !other.Success() {
			ctx.Inconclusive("the same bounds are refused with a fraction as well (%s), so that it is something else "+
				"that is refused", other)
		}
	})
}

// special is what a filter text may hold, and how a headline calls it.
type special struct{ words, letters string }

// freeText: which texts name a client is up to the deployment, so it may refuse those that cannot; it may not break. A
// text with several of them that is not accepted is sent with each alone, to see which breaks it.
func (s *Suite) freeText(all ...special) {
	spec.Helper()
	var words []string
	for _, one := range all {
		words = append(words, one.words)
	}
	what := "a filter text with " + strings.Join(words, " and ")
	send := func(ctx context.Context, of ...special) (target.Answer, error) {
		text, label := "Ga", what
		for _, one := range of {
			text += " " + one.letters
			if len(of) == 1 {
				label = "a filter text with " + one.words + " alone"
			}
		}
		return s.beside(ctx, label, target.AboutField, nil, func(c *target.ExportCall) {
			c.Fields = clientFilter(c.Fields, text+" "+s.t.Run)
		})
	}
	a := s.attempt(what, func(ctx context.Context) (target.Answer, error) {
		together, err := send(ctx, all...)
		if err != nil || together.Success() {
			return together, err
		}
		for _, one := range all {
			alone, err := send(ctx, one)
			if err == nil && !alone.Success() && !alone.Refusal() {
				alone.Condition = record.Only(one.words)
				return alone, nil
			}
		}
		return together, nil
	})
	s.accepted = append(s.accepted, a)
	s.Uses(s.c.Export)
	s.It("does not break over an export with "+a.what, func(ctx spec.Context) {
		got := a.Await(ctx)
		ctx.Expect(got).To(BeAnswered())
	})
}
