package create

import (
	. "github.com/onsi/ginkgo/v2"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/target"
)

func (s *Suite) participation() {
	const field = "participation_percentage"
	Describe(field, func() {
		s.accepts("create.participation.zero", Must, Limits, "A participation of exactly 0 is accepted.", percent("0"))
		s.accepts("create.participation.hundred", Must, Limits, "A participation of exactly 100 is accepted.", percent("100"))
		s.accepts("create.participation.decimals", Must, RecordTable,
			"A participation with decimals between 0 and 100 is accepted.",
			percent("33.33"), percent("0.01"), percent("99.99"), percent("0.29"))

		s.rejects("create.participation.below_zero", Must, Limits, "A participation below 0 is rejected, by however little.",
			ofValue(), percent("-0.01"), percent("-1"))
		above := []edit{percent("100.01"), percent("100.5"), percent("101"), percent("1e6")}
		for _, header := range s.optionalHeaders() {
			above = append(above, unless(s.send(target.AboutField, percent("101")), s.beside(header, percent("101"))))
		}
		s.rejects("create.participation.above_hundred", Must, Limits,
			"A participation above 100 is rejected, by however little, and whichever headers stand beside it.", ofValue(), above)

		s.rejects("create.participation.type", Should, Errors, "A participation that is a string or a boolean is rejected.",
			ofValue(), s.typed(field, "string", `"50"`), with(field, true))
		s.observes("create.participation.null", Errors, "What a participation of null gets.", with(field, nil))
	})
}
