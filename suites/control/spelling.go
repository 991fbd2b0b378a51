package control

import (
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/target"
)

// spellings lists other ways to write what the document leaves open, tried one by one when a deployment refuses the
// plain creation: the form of a phone number and of a ZIP code, the type of the street number, and an end date of a
// relationship that still goes on; then each form of the phone number together with one of the others.
func (c *Controls) spellings() (all []target.Spelling) {
	field := func(name, logical string, change func(string) string) target.Spelling {
		return target.Spelling{Name: name, Change: func(x target.Creation) target.Creation {
			text, ok := x.Draft.Get(logical).(string)
			if !ok {
				return x
			}
			return x.With(logical, change(text))
		}}
	}
	list := []target.Spelling{
		field("phone number of digits only", "phone_number", func(s string) string { return strings.TrimPrefix(s, "+") }),
		field("phone number without the country", "phone_number", func(s string) string { return strings.TrimPrefix(s, "+55") }),
		{Name: "no end of the relationship", Change: func(x target.Creation) target.Creation {
			return x.Without("relationship_end_date")
		}},
		field("ZIP code with a dash", "address.zip_code", func(s string) string { return s[:5] + "-" + s[5:] }),
	}
	if _, given := c.t.Deployment.LegalRepresentative.FieldTypes["address.number"]; !given {
		list = append(list, field("street number as text", "address.number", nil))
		list[len(list)-1].Change = func(x target.Creation) target.Creation {
			return x.With("address.number", representative.Raw(`"120"`))
		}
	}
	if id := c.t.Deployment.Fixtures.ProductID; id != "" && c.t.Product() == "" {
		defer func() {
			named := target.Spelling{Name: "a product named", Change: func(x target.Creation) target.Creation { x.Product = id; return x }}
			all = append([]target.Spelling{named}, all...)
		}()
	}
	const phones = 2
	singles := list
	for _, phone := range singles[:phones] {
		for _, other := range singles[phones:] {
			list = append(list, target.Spelling{
				Name:   phone.Name + ", " + other.Name,
				Change: func(x target.Creation) target.Creation { return other.Change(phone.Change(x)) },
			})
		}
	}
	return list
}
