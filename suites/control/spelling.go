package control

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/target"
)

// mostSpellings bounds how many creations are tried: enough for every two spellings together, with and without a
// product.
const mostSpellings = 70

// search tries the plain creation and, as long as it is refused as a bad request, other spellings of it. It returns the
// first answer and the last, and makes later creations follow the spelling that was accepted. The document lets an endpoint
// require a product, and does not say how one that is missing is refused: where that is 403, only creations that name one
// are of use, and where a product is refused for itself, it is named no more.
func (c *Controls) search(send func(target.Spelling) *client.Exchange) (first, last *client.Exchange) {
	bases := []target.Spelling{{}}
	if id := c.t.Deployment.Fixtures.ProductID; id != "" && c.t.Product() == "" {
		bases = append(bases, target.Spelling{
			Name:   "a product named",
			Change: func(x target.Creation) target.Creation { x.Product = id; return x },
		})
	}
	tried := 0
	for n, s := range append([]target.Spelling{{}}, c.spellings()...) {
		for i, base := range bases {
			if tried++; tried > mostSpellings {
				return first, last
			}
			form := both(base, s)
			x := send(form)
			if first == nil {
				first, last = x, x
			}
			switch {
			case x.Success():
				if form.Change != nil {
					c.t.Spell(form)
				}
				return first, x
			case badRequest(x):
				last = x
			case n == 0 && i == 0 && x.Status == http.StatusForbidden && len(bases) > 1:
				bases = bases[1:]
			case n == 0 && i == 1 && badRequest(first):
				bases = bases[:1]
			default:
				return first, x
			}
		}
	}
	return first, last
}

func badRequest(x *client.Exchange) bool {
	return x.Status == http.StatusBadRequest || x.Status == http.StatusUnprocessableEntity
}

// spellings lists other ways to write what the document leaves open: the form of a phone number, a ZIP code and a
// country, the type of the street number, and an end date of a relationship that still goes on; each alone, then two
// together, and so on. First of all another qualification, a preferred language, and no CPF: that PARTNER is refused, or
// no language, or a right CPF, is a finding, and should not keep everything else from being judged.
func (c *Controls) spellings() []target.Spelling {
	field := func(name, logical string, change func(string) string) target.Spelling {
		return target.Spelling{Name: name, Change: func(x target.Creation) target.Creation {
			if text, ok := x.Draft.Get(logical).(string); ok {
				return x.With(logical, change(text))
			}
			return x
		}}
	}
	without := func(name, logical string) target.Spelling {
		return target.Spelling{Name: name, Change: func(x target.Creation) target.Creation { return x.Without(logical) }}
	}
	groups := [][]target.Spelling{
		{
			field("phone number of digits only", "phone_number", func(s string) string { return strings.TrimPrefix(s, "+") }),
			field("phone number without the country", "phone_number", func(s string) string { return strings.TrimPrefix(s, "+55") }),
			field("phone number as (11) 91234-5678", "phone_number", masked),
		},
		{without("no end of the relationship", "relationship_end_date")},
		{field("ZIP code with a dash", "address.zip_code", func(s string) string { return s[:5] + "-" + s[5:] })},
		{field("country of two letters", "address.country", func(string) string { return "BR" })},
	}
	if _, given := c.t.Deployment.LegalRepresentative.FieldTypes["address.number"]; !given {
		groups = append(groups, []target.Spelling{{
			Name:   "street number as text",
			Change: func(x target.Creation) target.Creation { return x.With("address.number", representative.Raw(`"120"`)) },
		}})
	}
	return append([]target.Spelling{
		field("qualification OTHER", "qualification", func(string) string { return "OTHER" }),
		{
			Name:   "preferred language pt-BR",
			Change: func(x target.Creation) target.Creation { x.Language = "pt-BR"; return x },
		},
		without("no CPF", "document_number"),
	}, combined(groups)...)
}

// masked is a number of Brazil as people there write it: (11) 91234-5678.
func masked(phone string) string {
	n := strings.TrimPrefix(phone, "+55")
	if len(n) != len("11912345678") {
		return phone
	}
	return "(" + n[:2] + ") " + n[2:7] + "-" + n[7:]
}

// combined gives every combination of at most one spelling out of each group, those of few spellings first.
func combined(groups [][]target.Spelling) []target.Spelling {
	byParts := make([][]target.Spelling, len(groups)+1) // by how many are in one
	byParts[0] = []target.Spelling{{}}
	for _, group := range groups {
		for parts := len(groups); parts > 0; parts-- {
			for _, fewer := range byParts[parts-1] {
				for _, s := range group {
					byParts[parts] = append(byParts[parts], both(fewer, s))
				}
			}
		}
	}
	return slices.Concat(byParts[1:]...)
}

// both is one spelling after another; either may be the plain one.
func both(a, b target.Spelling) target.Spelling {
	switch {
	case a.Change == nil:
		return b
	case b.Change == nil:
		return a
	}
	return target.Spelling{
		Name:   a.Name + ", " + b.Name,
		Change: func(x target.Creation) target.Creation { return b.Change(a.Change(x)) },
	}
}
