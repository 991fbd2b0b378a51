package create

import (
	"encoding/json"

	"github.com/gateassay/gateassay/gateway/representative"
)

const participation = "participation_percentage"

// participationAccepted: both ends of the range, and decimals between them.
func (s *suite) participationAccepted(v variations) {
	for _, p := range v.participations {
		rule := "create.participation.decimals"
		switch p.value {
		case "0": // exactly 0 is within the range
			rule = "create.participation.zero"
		case "100": // and so is exactly 100
			rule = "create.participation.hundred"
		}
		s.accepts(rule, p.value+" is accepted", p.seen)
	}
}

func (s *suite) participationRejected() []kind {
	var kinds []kind
	for _, bound := range []struct {
		rule   string
		values []string
	}{
		// Below 0, by however little.
		{"create.participation.below_zero", []string{"-0.01", "-1"}},
		// Above 100, by however little.
		{"create.participation.above_hundred", []string{"100.01", "100.5", "101", "1e6"}},
	} {
		for _, value := range bound.values {
			seen := s.rejects(bound.rule, value+" is rejected", with(participation, json.Number(value)))
			if value == "101" {
				kinds = append(kinds, kind{"out of range", "", seen})
			}
		}
	}
	// A participation is a number: no string, no boolean.
	s.rejectsType("create.participation.type", "a string is rejected", participation, "string", with(participation, representative.Raw(`"50"`)))
	s.rejects("create.participation.type", "a boolean is rejected", with(participation, true))
	// Nor is it null.
	s.rejects("create.participation.null", "null is rejected", with(participation, nil))
	return kinds
}
