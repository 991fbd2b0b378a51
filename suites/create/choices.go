package create

import (
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
)

// qualificationsAccepted: each of the four kinds of representation. PARTNER is what the control sends.
func (s *suite) qualificationsAccepted(v variations) {
	s.controlAccepted("create.qualification.partner", "PARTNER is accepted", "the same with OTHER", with("qualification", "OTHER"))
	for _, q := range v.qualifications {
		s.accepts("create.qualification."+strings.ToLower(q.value), q.value+" is accepted", q.seen)
	}
}

func (s *suite) qualificationsRejected() []kind {
	const field = "qualification"
	// Nothing outside the four, of whatever type.
	unknown := s.rejects("create.qualification.unknown", "DIRECTOR is rejected", with(field, "DIRECTOR"))
	s.rejects("create.qualification.unknown", "empty text is rejected", with(field, ""))
	s.rejects("create.qualification.unknown", "a number is rejected", with(field, representative.Raw("7")))
	// The four are written in capitals.
	s.rejects("create.qualification.lower_case", "partner is rejected", with(field, "partner"))
	return []kind{{"unknown qualification", "", unknown}}
}

// flagsRejected: a flag is a boolean, neither its name in quotes nor a number.
func (s *suite) flagsRejected() []kind {
	for _, field := range []string{"pep", "is_public_server"} {
		s.rejectsType("create.flags."+field, "a string is rejected", field, "string", with(field, representative.Raw(`"true"`)))
		s.rejectsType("create.flags."+field, "1 is rejected", field, "number", with(field, representative.Raw("1")))
	}
	return nil
}

// emailRejected: an address has an @ and no spaces.
func (s *suite) emailRejected() []kind {
	s.rejects("create.email.at_sign", "an address without @ is rejected", with("email", "no-at-sign.example.com"))
	s.rejects("create.email.spaces", "a space before the @ is rejected", with("email", "with space@example.com"))
	s.rejects("create.email.spaces", "a space behind the @ is rejected", with("email", "person@exam ple.com"))
	return nil
}
