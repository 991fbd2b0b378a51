package create

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/token"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

func (s *Suite) apiKey() edit {
	return changed("the API key", func(c *target.Creation) { c.Credential = s.t.Deployment.Credentials.APIKey })
}

func (s *Suite) product() edit {
	return changed("a product of the user", func(c *target.Creation) { c.Product = s.t.Deployment.Fixtures.ProductID })
}

// onBehalf names a user to act for, and the product.
func (s *Suite) onBehalf() edit {
	return changed("a user of the product to act for", func(c *target.Creation) {
		c.Product, c.OnBehalfOf = s.t.Deployment.Fixtures.ProductID, s.t.Deployment.Fixtures.TargetUserID
		*c = c.With("shareholder_id", s.targetShareholder())
	})
}

// onNobodysProduct names a user to act for, and no product. Whoever overlooks the header acts as the caller.
func (s *Suite) onNobodysProduct() edit {
	return s.beside(s.onBehalf(), changed("no product, for the caller's shareholder", func(c *target.Creation) {
		c.Product = ""
		*c = c.With("shareholder_id", s.t.Deployment.Fixtures.ShareholderID)
	}))
}

// targetShareholder is whom a creation for the target user names: a shareholder of its own, where the file gives one.
func (s *Suite) targetShareholder() string {
	return cmp.Or(s.t.Deployment.Fixtures.TargetUserShareholderID, s.t.Deployment.Fixtures.ShareholderID)
}

func (s *Suite) products() {
	s.Describe("products", func() {
		s.Group(spec.Needs("fixtures.product_id"), func() {
			own := s.product()
			own.doubts = []doubt{func(ctx spec.Context, a target.Answer) { s.c.DoubtProduct(ctx, a, client.Export) }}
			s.accepts("create.header.product.accepted", Must, CreateOperation, "A product of the user is accepted.", own)
			s.defaultProduct()
			product := s.header("product")
			s.rejects("create.header.product.malformed", Should, CreateOperation,
				"A product ID that is not a UUID is rejected.", ofCaller(), s.besides(s.product(), product.malformed()))
			s.rejects("create.header.product.unknown", Should, CreateOperation,
				"A product that does not exist is rejected.",
				ofCaller(), s.beside(s.product(), product("an unknown UUID as", target.UUID)),
				s.beside(s.product(), product("an unknown UUID of version 1 as", token.UUIDv1)))
			s.rejects("create.header.product.foreign", Should, CreateOperation,
				"A product of another user is rejected.",
				ofCaller(), spec.Needs("credentials.other_user", "fixtures.foreign_shareholder_id"),
				s.beside(s.otherUser(), s.product()))
		})

		s.Group(spec.Needs("fixtures.product_id", "fixtures.target_user_id"), func() {
			s.Rule("create.header.on_behalf_of.accepted", Must, CreateOperation,
				"An on-behalf-of user is accepted together with a product.", spec.Names(headerKeys+"on_behalf_of"),
				func() {
					product, seen := s.vary(target.AboutCaller, s.product()), s.vary(target.AboutCaller, s.onBehalf())
					s.It("accepts a creation on behalf of a user of the product", func(ctx spec.Context) {
						if !product.Await(ctx).Success() {
							ctx.NotVerified(
								"", "the product alone is not accepted, see %s", spec.Ref("create.header.product.accepted"))
						}
						a := seen.Await(ctx)
						if key := "fixtures.target_user_shareholder_id"; a.Refusal() &&
							a.Status != http.StatusUnauthorized && !s.t.Deployment.Has(key) {
							ctx.NotVerified(
								key, "refused with %s, possibly because this user may not use fixtures.shareholder_id",
								target.Describe(a.Exchange))
						}
						_, read := s.evidence(headerKeys + "on_behalf_of").Settled(ctx) // else the name may be wrong
						if read && a.Refusal() && control.AboutShareholder(a.Exchange) {
							ctx.Inconclusive("refused with %s; check that fixtures.target_user_shareholder_id "+
								"belongs to fixtures.target_user_id", target.Quoted(a.Exchange))
						}
						s.c.DoubtTargetUser(ctx, a, client.Export)
						ctx.Expect(a).To(BeAccepted())
					})
				})
			s.rejects("create.header.on_behalf_of.without_product", Must, CreateOperation,
				"An on-behalf-of user is rejected without a product.", ofCaller(), spec.Names(headerKeys+"on_behalf_of"),
				s.beside(s.onBehalf(), changed("no product", func(c *target.Creation) { c.Product = "" })),
				s.onNobodysProduct())
			s.rejects("create.header.on_behalf_of.malformed", Should, CreateOperation,
				"An on-behalf-of user that is not a UUID is rejected.", ofCaller(), spec.Names(headerKeys+"on_behalf_of"),
				s.besides(s.product(), s.header("on_behalf_of").malformed()))
			s.rejects("create.header.on_behalf_of.unknown", Should, CreateOperation,
				"An on-behalf-of user who does not belong to the product is rejected.", ofCaller(),
				spec.Names(headerKeys+"on_behalf_of"), s.besides(s.product(), []edit{
					s.header("on_behalf_of")("an unknown UUID as", target.UUID),
					s.header("on_behalf_of")("an unknown UUID of version 1 as", token.UUIDv1),
				}))
		})
	})
}

// together: what is optional is accepted in every combination.
func (s *Suite) together() {
	s.Rule("create.header.together", Should, CreateOperation,
		"Headers, methods of authentication, qualifications and flags that are accepted alone are accepted together.",
		func() {
			for _, r := range control.Accompanied(client.Create) {
				o := s.c.Joint(client.Create, r)
				s.Uses(o)
				optional := map[control.Row]string{
					control.First:  "some optional headers and fields",
					control.Second: "other optional headers and fields",
					control.Third:  "optional fields and no optional header",
				}[r]
				s.It("accepts a creation with "+optional+" together", func(ctx spec.Context) {
					if refused := o.Await(ctx).Refused; refused != nil {
						ctx.Expect(*refused).To(BeAccepted())
					}
				})
			}
		})
}

// forms are a creation that names no product, and the same with a product.
type forms struct{ without, with target.Answer }

// differ says what of its answer is not as it is when the product is named, and how it should be. What is refused says
// nothing, nor does a deployment that requires a product, as an operation may.
func (s *Suite) differ(f forms) (found, expected string) {
	if f.without.Creation.Product != "" || !f.without.Success() || !f.with.Success() {
		return "", ""
	}
	without, with := s.read(f.without), s.read(f.with)
	if without.record == nil || with.record == nil {
		return "", ""
	}
	is := without.form()
	for i, part := range with.form() {
		if is[i] != part {
			return is[i], part
		}
	}
	return "", ""
}

// defaultProduct: the control names no product, unless the deployment was seen to require one.
func (s *Suite) defaultProduct() {
	const headline = "Creation without a product answered differently than with it"
	s.Rule("create.header.default_product", Must, CreateOperation,
		"Without a product a creation is answered as when the product is named.", func() {
			seen := s.vary(target.AboutCaller, s.product())
			s.It("gives a record of the same fields and types", func(ctx spec.Context) {
				base, named := s.c.Creation.Await(ctx), seen.Await(ctx)
				if base.Creation.Product != "" {
					ctx.NotVerified("", "the deployment requires a product, which it may")
				}
				if !named.Success() {
					ctx.NotVerified("", "the product is not accepted, see %s", spec.Ref("create.header.product.accepted"))
				}
				needRecord(ctx, s.read(base))
				needRecord(ctx, s.read(named))
				found, expected := s.differ(forms{base, named})
				ctx.Expect(found).To(BeNothing(headline, expected))
			})
			type formsIn struct {
				forms
				only []record.Setting
			}
			inCompany := spec.Observe(s.Plan, "creations without and with a product, in company",
				func(ctx context.Context) (f formsIn, err error) {
					right := func(f forms) bool { found, _ := s.differ(f); return found == "" }
					f.forms, f.only, err = control.Beside(ctx, s.c, client.Create, control.Accompanied(client.Create), right,
						func(with control.Company) (f forms, err error) {
							rest, named := with.Unscoped(), with
							if !with.Has(target.HeaderProduct) || len(rest) < len(with)-1 {
								named = append(slices.Clone(rest), control.Partner{
									Setting: record.Setting{Factor: target.HeaderProduct}, Create: s.product().apply,
								})
							}
							if f.without, err = s.c.Valid(ctx, rest); err == nil {
								f.with, err = s.c.Valid(ctx, named)
							}
							return f, err
						})
					return f, err
				})
			s.It("gives a record of the same fields and types, whatever else is sent", func(ctx spec.Context) {
				f := inCompany.Await(ctx)
				found, expected := s.differ(f.forms)
				ctx.Expect(found).To(Given(BeNothing(headline, expected), f.only))
			})
		})
}

// otherUser is a valid creation of somebody who has nothing to do with the product.
func (s *Suite) otherUser() edit {
	return changed("the credential and the shareholder of another user", func(c *target.Creation) {
		c.Credential, c.Product = s.t.Deployment.Credentials.OtherUser, ""
		*c = c.With("shareholder_id", s.t.Deployment.Fixtures.ForeignShareholderID)
	})
}

// shareholder: the representative belongs to a shareholder of the caller's own legal person.
func (s *Suite) shareholder() {
	const field = "shareholder_id"
	foreign := changed("another legal person's shareholder", func(c *target.Creation) {
		*c = c.With(field, s.t.Deployment.Fixtures.ForeignShareholderID)
	})
	capitals := changed("another legal person's shareholder in capitals", func(c *target.Creation) {
		*c = c.With(field, strings.ToUpper(s.t.Deployment.Fixtures.ForeignShareholderID))
	})

	alike, again := s.send(target.AboutCaller, foreign), foreign
	again.name += ", with other options"
	again = unless(alike, again)
	accompanied := func() answer {
		return s.inCompany(ofShareholder(), again, control.Accompanied(client.Create))
	}

	s.Describe(field, func() {
		s.rejects("create.shareholder.unknown", Must, RequestTable, "A shareholder that does not exist is rejected.",
			ofShareholder(), s.namesOf(field), unknownShareholder(), changed("the shareholder's ID with another end",
				func(c *target.Creation) {
					const end = 12 // the last part of a UUID: part of an ID is not the ID
					id := s.t.Deployment.Fixtures.ShareholderID
					other := target.UUID()
					*c = c.With(field, id[:max(0, len(id)-end)]+other[len(other)-end:])
				}))
		s.rejects("create.shareholder.malformed", Must, RequestTable,
			"A shareholder ID that is not a UUID is rejected.", ofShareholder(), s.namesOf(field), with(field, "not-a-uuid"))

		s.Rule("create.shareholder.foreign_status", Must, RequestTable,
			"A shareholder of another legal person is refused with 400, 403, 404 or 422.",
			spec.Needs("fixtures.foreign_shareholder_id"), func() {
				plain, beside := s.send(target.AboutCaller, foreign), accompanied()
				judge := func(e edit, seen answer) {
					s.It("rejects a "+label(e), func(ctx spec.Context) {
						a := seen.Await(ctx)
						if !a.Refusal() {
							ctx.NotVerified("", "it is not refused, see %s", spec.Ref("create.shareholder.foreign"))
						}
						ctx.Expect(a).To(ofShareholder().matcher)
					})
				}
				judge(foreign, plain)
				judge(again, beside)
			})

		// Whatever refuses it reaches nothing of the other legal person: its status is judged above.
		s.Group(spec.Security, s.namesOf(field), spec.Needs("fixtures.foreign_shareholder_id"), func() {
			s.Rule("create.shareholder.foreign", Must, RequestTable,
				"A shareholder of another legal person is rejected.", func() {
					plain, beside := s.send(target.AboutCaller, foreign), s.refusedAtAll(accompanied(), foreign)
					inCapitals := s.send(target.AboutCaller, capitals)
					s.It("rejects a "+label(foreign), func(ctx spec.Context) {
						ctx.Expect(plain.Await(ctx)).To(BeRefused())
						a := beside.Await(ctx)
						ctx.Expect(a).To(BeRefused())
						ctx.Expect(inCapitals.Await(ctx)).To(Given(BeRefused(), record.Only("its ID in capitals")))
					})
				})
			by := func(id, statement, partner string, who func() edit, needs ...string) {
				spec.Helper()
				s.Rule(id, Must, RequestTable, "A shareholder of another legal person is rejected "+statement+", too.",
					spec.Needs(needs...), func() {
						s.foreignBeside(partner, unless(alike, s.beside(who(), foreign)),
							s.refusedAtAll(accompanied(), foreign))
					})
			}
			by("create.shareholder.foreign_by_api_key", "from a caller with an API key", control.ByKey, s.apiKey,
				"credentials.api_key")
			by("create.shareholder.foreign_by_product", "with a product", target.HeaderProduct, s.product,
				"fixtures.product_id")
			by("create.shareholder.foreign_on_behalf", "on behalf of a user of the product",
				s.t.Deployment.LegalRepresentative.Headers.OnBehalfOf, s.onBehalf,
				"fixtures.product_id", "fixtures.target_user_id")
		})
	})
}

func unknownShareholder() edit {
	return changed("a shareholder that does not exist", func(c *target.Creation) {
		*c = c.With("shareholder_id", target.UUID())
	})
}

const unprivilegedKey = "credentials.unprivileged"

// permission: 403 distinguishes a lack of permission from a lack of identity.
func (s *Suite) permission() {
	s.Rule("create.permission", Must, Errors, "An authenticated user without the permission gets 403.",
		spec.Needs(unprivilegedKey), func() {
			seen := s.send(target.AboutCaller, s.unprivileged())
			butKnown := BeRefusedBut(http.StatusUnauthorized)
			accompanied := s.inCompany(rejection{clear: target.AboutCaller, matcher: butKnown}, s.unprivileged(),
				control.Accompanied(client.Create)[:2])
			forbidden := rejection{clear: target.AboutCaller, matcher: HaveStatus(http.StatusForbidden), caller: true}
			unscoped := s.inCompany(forbidden, s.unprivileged(), control.Accompanied(client.Create))
			// A 401 is the wrong answer to somebody who is known, and the right one to a credential that is worth
			// nothing.
			known := spec.Observe(s.Plan, "export, "+unprivilegedKey, func(ctx context.Context) (bool, error) {
				a, err := seen.Get(ctx)
				if err != nil || a.Status != http.StatusUnauthorized {
					return true, err
				}
				export, err := s.t.Settle(ctx, target.AboutCaller, func() *client.Exchange {
					return s.t.StartExport(ctx, func() target.ExportCall {
						call := s.t.Export("export, "+unprivilegedKey, s.t.Unique(unprivilegedKey))
						call.Credential = s.t.Deployment.Credentials.Unprivileged
						return call
					})
				}, s.c.ExportAlive)
				return err == nil && export.Status != http.StatusUnauthorized, nil
			})
			s.It("refuses a creation by a user without the permission", func(ctx spec.Context) {
				a := seen.Await(ctx)
				if !known.Await(ctx) {
					ctx.Inconclusive("the credential gets 401 wherever it is sent: check the value of %s",
						unprivilegedKey)
				}
				ctx.Expect(a).To(HaveStatus(http.StatusForbidden))
				a = unscoped.Await(ctx)
				ctx.Expect(a).To(HaveStatus(http.StatusForbidden))
				// A product that stands beside it is not this user's, which may be what the answer is about; who asks
				// is known all the same.
				a = accompanied.Await(ctx)
				ctx.Expect(a).To(butKnown)
			})
		})
}

func (s *Suite) unprivileged() edit {
	return changed("a user without the permission",
		func(c *target.Creation) { c.Credential = s.t.Deployment.Credentials.Unprivileged })
}
