package lab

import (
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/suites/target"
)

// maxForms limits the forms of a creation that are tried. It is enough for every pair of
// variations, with and without a product.
const maxForms = 70

// sendFirstAcceptedForm sends the plain form of a valid request and, while it is refused as a
// bad request, other forms; each form also with a product, if there is one to name. It returns
// the first and the last answer, and stores the accepted form in followed for later requests. An
// endpoint may require a product, and the document does not say how it refuses a request without
// one, see nextProducts.
func sendFirstAcceptedForm[F any](
	forms []F, named func(F) F, followed *atomic.Pointer[F], send func() *client.Exchange,
) (first, last *client.Exchange) {
	defer func() {
		if !last.IsSuccess() {
			followed.Store(&forms[0])
		}
	}()
	products := []func(F) F{func(plain F) F { return plain }}
	if named != nil {
		products = append(products, named)
	}
	tried := 0
	for n, form := range forms {
		for i, product := range products {
			tried++
			if tried > maxForms {
				return first, last
			}
			form := product(form)
			followed.Store(&form)
			x := send()
			if first == nil {
				first = x
			}
			if isBadRequest(x) {
				last = x
				continue
			}
			left := nextProducts(products, i, x)
			if n > 0 || left == nil {
				return first, x
			}
			products = left
		}
	}
	return first, last
}

// nextProducts returns what of products is tried further after product i got x, which is no bad
// request; nil: nothing. The first of two products is none, and the second is that of the fixtures.
func nextProducts[P any](products []P, i int, x *client.Exchange) []P {
	switch {
	case len(products) < 2 || x.IsSuccess():
		return nil
	case i == 1: // the product itself is refused
		return products[:1]
	case x.Status == http.StatusForbidden: // a product may be required
		return products[1:]
	}
	return nil
}

func isBadRequest(x *client.Exchange) bool {
	return x.Status == http.StatusBadRequest || x.Status == http.StatusUnprocessableEntity
}

// alternativeForms returns the forms of a creation in the order in which they are tried:
//   - the plain form;
//   - four that each work around one finding: a qualification, no language, a CPF or a flag refused;
//   - every combination of what the document leaves open (the form of a phone number, a ZIP code and
//     a country, the type of the street number, the end date of a current relationship), those of
//     the fewest variations first.
func (l *Lab) alternativeForms() []target.CreationSpelling {
	field := func(name, logical string, change func(string) string) target.Variation {
		return target.Variation{Name: name, Change: func(r *target.Request) {
			if text, ok := r.Draft.Get(logical).(string); ok {
				r.SetField(logical, change(text))
			}
		}}
	}
	without := func(name, logical string) target.Variation {
		return target.Variation{Name: name, Change: func(r *target.Request) { r.RemoveFields(logical) }}
	}
	const phone = "phone_number"
	groups := [][]target.Variation{
		{
			field("phone number of digits only", phone,
				func(s string) string { return strings.TrimPrefix(s, "+") }),
			field("phone number without the country", phone,
				func(s string) string { return strings.TrimPrefix(s, "+55") }),
			field("phone number as (11) 91234-5678", phone, func(s string) string {
				n := strings.TrimPrefix(s, "+55")
				return "(" + n[:2] + ") " + n[2:len(n)-4] + "-" + n[len(n)-4:]
			}),
		},
		{without("no end of the relationship", "relationship_end_date")},
		{field("ZIP code with a dash", "address.zip_code",
			func(s string) string { return s[:5] + "-" + s[5:] })},
		{field("country of two letters", "address.country", func(string) string { return "BR" })},
	}
	if _, given := l.target.Deployment.LegalRepresentative.FieldTypes["address.number"]; !given {
		groups = append(groups, []target.Variation{{
			Name: "street number as text",
			Change: func(r *target.Request) {
				r.SetField("address.number", representative.RawJSON(`"120"`))
			},
		}})
	}
	all := []target.CreationSpelling{
		nil,
		{field("qualification OTHER", "qualification", func(string) string { return "OTHER" })},
		{{Name: "preferred language pt-BR", Change: func(r *target.Request) { r.Language = "pt-BR" }}},
		{without("no CPF", "document_number")},
		{{Name: "flags that are true", Change: func(r *target.Request) {
			r.SetField("pep", true)
			r.SetField("is_public_server", true)
		}}},
	}
	for parts := range groups {
		all = append(all, combineVariations(groups, parts+1)...)
	}
	return all
}

// combineVariations returns every combination of parts variations from different groups.
func combineVariations(groups [][]target.Variation, parts int) (all []target.CreationSpelling) {
	if parts == 0 {
		return []target.CreationSpelling{nil}
	}
	for i, group := range groups {
		for _, v := range group {
			for _, more := range combineVariations(groups[i+1:], parts-1) {
				all = append(all, append(target.CreationSpelling{v}, more...))
			}
		}
	}
	return all
}
