package create

import (
	. "github.com/onsi/ginkgo/v2"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// shareholder: the representative belongs to a shareholder of the caller's own legal person.
func (s *Suite) shareholder() {
	const field = "shareholder_id"
	foreign := changed("another legal person's shareholder", func(c *target.Creation) {
		*c = c.With(field, s.t.Deployment.Fixtures.ForeignShareholderID)
	})

	alike := s.send(target.AboutCaller, foreign)

	Describe(field, func() {
		s.rejects("create.shareholder.unknown", Must, RequestTable, "A shareholder that does not exist is rejected.",
			ofShareholder(), unknownShareholder())
		s.rejects("create.shareholder.malformed", Must, RequestTable, "A shareholder ID that is not a UUID is rejected.",
			ofShareholder(), with(field, "not-a-uuid"))

		s.Group(spec.Security, spec.Needs("fixtures.foreign_shareholder_id"), func() {
			s.rejects("create.shareholder.foreign", Must, RequestTable, "A shareholder of another legal person is rejected.",
				ofShareholder(), foreign)
			s.rejects("create.shareholder.foreign_by_api_key", Must, RequestTable,
				"A shareholder of another legal person is rejected from a caller with an API key, too.",
				ofShareholder(), spec.Needs("credentials.api_key"), unless(alike, s.beside(s.apiKey(), foreign)))
			s.rejects("create.shareholder.foreign_by_product", Must, RequestTable,
				"A shareholder of another legal person is rejected inside a product, too.",
				ofShareholder(), spec.Needs("fixtures.product_id"), unless(alike, s.beside(s.product(), foreign)))
			s.rejects("create.shareholder.foreign_on_behalf", Must, RequestTable,
				"A shareholder of another legal person is rejected on behalf of a user of the product, too.",
				ofShareholder(), spec.Needs("fixtures.product_id", "fixtures.target_user_id"), unless(alike, s.beside(s.onBehalf(),
					foreign)))
		})
	})
}

func unknownShareholder() edit {
	return changed("a shareholder that does not exist", func(c *target.Creation) {
		*c = c.With("shareholder_id", target.UUID())
	})
}
