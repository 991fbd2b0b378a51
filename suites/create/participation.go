package create

import (
	"fmt"
	"math/big"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/target"
)

func (s *Suite) participation() {
	const field = "participation_percentage"
	s.Describe(field, func() {
		s.accepts("create.participation.zero", Must, Limits, "A participation of exactly 0 is accepted.", percent("0"))
		s.accepts("create.participation.hundred", Must, Limits, "A participation of exactly 100 is accepted.",
			percent("100"))
		s.accepts("create.participation.decimals", Must, RecordTable,
			"A participation with decimals between 0 and 100 is accepted.",
			percent("33.33"), percent("0.01"), percent("99.99"), percent("0.29"))

		s.rejects("create.participation.below_zero", Must, Limits,
			"A participation below 0 is rejected, however close to 0 it is.",
			percent("-0.01").inEveryContext(), percent("-1"), percent("-0.000001").unlessFine(s.inRange()))
		s.rejects("create.participation.above_hundred", Must, Limits,
			"A participation above 100 is rejected, however close to 100 it is and whatever headers are sent.",
			percent("100.000001").unlessFine(s.inRange()).inEveryContext(), percent("100.01"), percent("1e6"), percent("101"))

		s.rejects("create.participation.type", Should, Errors,
			"A participation that is a string or a boolean is rejected.",
			s.typed(field, "string", `"50"`), with(field, true), raw(field, "[]"))
		s.observes("create.participation.null", Errors, "How a participation of null is answered.", with(field, nil))
	})
}

// inRange excuses an acceptance where the record shows a participation that nothing is wrong with: its decimals were cut,
// which are not said to be kept.
func (s *Suite) inRange() func(target.Answer) bool {
	return s.ifShown("participation_percentage", func(got any, _ target.Creation) bool {
		share, ok := representative.ExactNumber(fmt.Sprint(got))
		return ok && share.Sign() >= 0 && share.Cmp(big.NewRat(100, 1)) <= 0
	})
}
