package create

import (
	"context"
	"crypto/rand"

	"github.com/google/uuid"
	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/token"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// headersAccepted: languages, a product, and a user to act for.
func (s *suite) headersAccepted(v variations) {
	// Both languages, and none: the control sends none.
	s.controlAccepted("create.header.language", "none is accepted", "the same with pt-BR", func(valid target.Creation) target.Creation {
		valid.Language = "pt-BR"
		return valid
	})
	for _, l := range v.languages {
		s.accepts("create.header.language", l.value+" is accepted", l.seen)
	}
	// A product of the user.
	s.accepts("create.header.product.accepted", "the user's product is accepted", v.product)
	// A user to act for, together with a product.
	s.p.It("create.header.on_behalf_of.accepted", "a user of the product is accepted", plan.After(v.onBehalfOf, v.product), func(ctx context.Context) {
		if product := v.product.Await(ctx); !product.Success() {
			s.p.NotVerified("", "the product alone is not accepted, see create.header.product.accepted")
		}
		gomega.Expect(v.onBehalfOf.Await(ctx).Answer).To(matchers.BeAccepted())
	})
}

// notUUIDs names the first of token.NotUUIDs.
var notUUIDs = []string{
	token.NoUUID: "text that is no UUID", token.CutUUID: "a UUID with a digit too few",
	token.NoHex: "36 characters without hexadecimal digits", token.WithinText: "text around a UUID",
}

// headersRejected: identifiers and IDs in headers that are missing, malformed or incomplete.
func (s *suite) headersRejected(v variations) []kind {
	var kinds []kind
	for _, id := range []struct {
		name string
		set  func(*target.Creation, string)
	}{
		{"transaction_id", func(c *target.Creation, v string) { c.Transaction = v }},
		{"nonce", func(c *target.Creation, v string) { c.Nonce = v }},
	} {
		rule := "create.header." + id.name
		to := func(value func() string) change {
			return func(valid target.Creation) target.Creation {
				id.set(&valid, value())
				return valid
			}
		}
		// Every creation has one.
		absent := s.refuses(rule+".absent", "absent is refused", to(func() string { return "" }))
		// It is a UUID.
		var text *plan.Observation[target.Answer]
		for i, name := range notUUIDs {
			seen := s.refuses(rule+".malformed", name+" is refused", to(func() string { return token.NotUUIDs()[i] }))
			if i == token.NoUUID {
				text = seen
			}
		}
		// It is a random one, of version 4.
		for _, version := range []byte{1, 5, 7} {
			s.refuses(rule+".version", "version "+string('0'+rune(version))+" is refused", to(func() string { return uuidOf(version) }))
		}
		s.refuses(rule+".version", "the nil UUID is refused", to(func() string { return token.NilUUID }))
		if id.name == "transaction_id" {
			kinds = append(kinds, kind{"missing header", "", absent}, kind{"malformed header", "", text})
		}
	}
	fixtures := s.t.Deployment.Fixtures
	headers := func(product, onBehalfOf string) change {
		return func(valid target.Creation) target.Creation {
			valid.Product, valid.OnBehalfOf = product, onBehalfOf
			return valid
		}
	}
	// A product is named by its UUID.
	for i, name := range notUUIDs {
		s.refusesBeside(v.product, "create.header.product.malformed", name+" is refused", headers(token.NotUUIDs()[i], ""))
	}
	// Acting for a user needs a product.
	s.refusesBeside(v.onBehalfOf, "create.header.on_behalf_of.without_product", "a user without a product is refused", headers("", fixtures.TargetUserID))
	// The user is named by a UUID.
	for i, name := range notUUIDs {
		s.refusesBeside(v.onBehalfOf, "create.header.on_behalf_of.malformed", name+" is refused", headers(fixtures.ProductID, token.NotUUIDs()[i]))
	}
	return kinds
}

// refusesBeside is refuses for a request whose twin without the defect is not the control but a variation: where that
// was not accepted, a refusal says nothing about the defect.
func (s *suite) refusesBeside(twin *plan.Observation[made], rule, name string, edit change) {
	what := label(rule, name)
	seen := plan.Observe(s.p, what, func(ctx context.Context) (target.Answer, error) {
		m, err := twin.Get(ctx)
		if err != nil {
			return target.Answer{}, err
		}
		if !m.Success() {
			return target.Answer{}, plan.Unclear("the same request without the defect was not accepted (%s), so a refusal would say nothing",
				target.Describe(m.Exchange))
		}
		return s.c.Creations(ctx, target.AboutCaller, labelled(what, edit))
	})
	s.p.It(rule, name, plan.After(seen), func(ctx context.Context) {
		gomega.Expect(seen.Await(ctx)).To(matchers.BeRefused())
	})
}

// uuidOf is a fresh UUID of another version than 4. Those that would show this machine's clock or network card are made
// of chance as well.
func uuidOf(version byte) string {
	var id uuid.UUID
	_, _ = rand.Read(id[:]) // never fails
	if version == 7 {
		if timed, err := uuid.NewV7(); err == nil {
			id = timed
		}
	}
	id[6] = id[6]&0x0f | version<<4
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

// freshWith puts a random UUID v4 into a field.
func freshWith(field string) change {
	return func(valid target.Creation) target.Creation { return valid.With(field, target.UUID()) }
}
