package create

import (
	"encoding/json"

	"github.com/gateassay/gateassay/gateway/representative"
)

// moneyAccepted: whole cents, none at all and more than 32 bits hold among them. The largest amount is judged by its
// echo, where it is accepted.
func (s *suite) moneyAccepted(v variations) {
	for _, name := range []string{"income", "patrimony"} {
		for _, amount := range v.money[name] {
			if amount.value != most53 {
				s.accepts("create.money."+name+".integer", amount.value+" cents are accepted", amount.seen)
			}
		}
	}
}

func (s *suite) moneyRejected() []kind {
	for _, name := range []string{"income", "patrimony"} {
		rule := "create.money." + name
		// There is nothing smaller than a cent.
		s.rejects(rule+".fraction", "1000.5 cents are rejected", with(name, json.Number("1000.5")))
		// Money is a number.
		s.rejectsType(rule+".string", "a string is rejected", name, "string", with(name, representative.Raw(`"1000"`)))
	}
	return nil
}
