package create

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	. "github.com/gateassay/gateassay/gateway/rules"
)

// money: the largest amount is judged by its echo, where it is accepted.
func (s *Suite) money() {
	Describe("money", func() {
		s.accepts("create.money.income.integer", Must, Limits, "Whole cents, 0 among them, are accepted as income.",
			cents("income", nothing), cents("income", beyond32))
		s.rejects("create.money.income.fraction", Must, Limits, "A fraction of a cent is rejected as income.",
			ofValue(), cents("income", "1000.5"))
		s.rejects("create.money.income.string", Should, Errors, "A string is rejected as income.",
			ofValue(), s.typed("income", "string", `"1000"`))
		s.accepts("create.money.patrimony.integer", Must, Limits, "Whole cents, 0 among them, are accepted as patrimony.",
			cents("patrimony", nothing), cents("patrimony", beyond32))
		s.rejects("create.money.patrimony.fraction", Must, Limits, "A fraction of a cent is rejected as patrimony.",
			ofValue(), cents("patrimony", "1000.5"))
		s.rejects("create.money.patrimony.string", Should, Errors, "A string is rejected as patrimony.",
			ofValue(), s.typed("patrimony", "string", `"1000"`))
		s.observes("create.observed.negative_money", Limits, "What negative income and patrimony get.",
			with("income", json.Number("-1")), with("patrimony", json.Number("-1")))
	})
}

func (s *Suite) flags() {
	Describe("flags", func() {
		s.rejects("create.flags.pep", Should, RequestTable, "For pep a string or a number in place of a boolean is rejected.",
			ofValue(), namesOf("pep"), s.typed("pep", "string", `"true"`), s.typed("pep", "number", "1"))
		s.rejects("create.flags.is_public_server", Should, RequestTable,
			"For is_public_server a string or a number in place of a boolean is rejected.",
			ofValue(), namesOf("is_public_server"),
			s.typed("is_public_server", "string", `"true"`), s.typed("is_public_server", "number", "1"))
	})
}

func (s *Suite) qualification() {
	const field = "qualification"
	Describe(field, func() {
		s.Rule("create.qualification.partner", Must, RequestTable, "PARTNER is accepted as qualification.", func() {
			s.accepted(types.NewCodeLocation(0), "accepts PARTNER", s.blamed(qualified("OTHER")))
		})
		s.accepts("create.qualification.attorney", Must, RequestTable, "ATTORNEY is accepted as qualification.",
			qualified("ATTORNEY"))
		s.accepts("create.qualification.administrator", Must, RequestTable, "ADMINISTRATOR is accepted as qualification.",
			qualified("ADMINISTRATOR"))
		s.accepts("create.qualification.other", Must, RequestTable, "OTHER is accepted as qualification.", qualified("OTHER"))
		s.rejects("create.qualification.unknown", Must, RequestTable, "A qualification outside the four is rejected.",
			ofValue(), namesOf(field), qualified("DIRECTOR"), raw(field, "7"))
		s.rejects("create.qualification.lower_case", Should, RequestTable, "A qualification in lower case is rejected.",
			ofValue(), namesOf(field), qualified("partner"))
		s.observes("create.observed.empty_qualification", RequestTable, "What an empty qualification gets.", qualified(""))
	})
}

func (s *Suite) email() {
	Describe("email", func() {
		s.rejects("create.email.at_sign", Should, RequestTable, "An e-mail address without @ is rejected.",
			ofRequired(), with("email", "no-at-sign.example.com"))
		s.rejects("create.email.spaces", Should, RequestTable, "An e-mail address with spaces is rejected.",
			ofRequired(), with("email", "with space@example.com"), with("email", "person@exam ple.com"))
	})
}
