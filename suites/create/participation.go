package create

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

func (s *Suite) participation() {
	const field = "participation_percentage"
	percent := func(value string) edit { return with(field, json.Number(value)) }

	Describe(field, func() {
		s.Rule("create.participation.zero", Must, Limits, "A participation of exactly 0 is accepted.", func() {
			accepted := s.vary(target.AboutField, percent("0"))
			It("accepts 0", func(ctx SpecContext) { Expect(accepted.Await(ctx)).To(BeAccepted()) })
		})

		s.Rule("create.participation.hundred", Must, Limits, "A participation of exactly 100 is accepted.", func() {
			accepted := s.vary(target.AboutField, percent("100"))
			It("accepts 100", func(ctx SpecContext) { Expect(accepted.Await(ctx)).To(BeAccepted()) })
		})

		s.Rule("create.participation.decimals", Must, RecordTable,
			"A participation with decimals between 0 and 100 is accepted.", func() {
				for _, value := range []string{"33.33", "0.01", "99.99", "0.29"} {
					accepted := s.vary(target.AboutField, percent(value))
					It("accepts "+value, func(ctx SpecContext) { Expect(accepted.Await(ctx)).To(BeAccepted()) })
				}
			})

		s.Rule("create.participation.below_zero", Must, Limits,
			"A participation below 0 is rejected, by however little.", func() {
				for _, value := range []string{"-0.01", "-1"} {
					refused := s.send(target.AboutField, percent(value))
					It("rejects "+value, func(ctx SpecContext) { Expect(refused.Await(ctx)).To(BeRejected()) })
				}
			})

		s.Rule("create.participation.above_hundred", Must, Limits,
			"A participation above 100 is rejected, by however little.", func() {
				for _, value := range []string{"100.01", "100.5", "101", "1e6"} {
					refused := s.send(target.AboutField, percent(value))
					It("rejects "+value, func(ctx SpecContext) { Expect(refused.Await(ctx)).To(BeRejected()) })
				}
			})

		s.Rule("create.participation.type", Should, Errors, "A participation that is a string or a boolean is rejected.", func() {
			text := s.sendTyped(field, "string", with(field, representative.Raw(`"50"`)))
			It("rejects a string", func(ctx SpecContext) { Expect(text.Await(ctx)).To(BeRejected()) })
			boolean := s.send(target.AboutField, with(field, true))
			It("rejects a boolean", func(ctx SpecContext) { Expect(boolean.Await(ctx)).To(BeRejected()) })
		})

		s.Rule("create.participation.null", Observe, Errors, "What a participation of null gets.", func() {
			null := s.send(target.AboutField, with(field, nil))
			It("sends null", func(ctx SpecContext) { spec.Note("null: %s", status(null.Await(ctx).Exchange)) })
		})
	})
}
