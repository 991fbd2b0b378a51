package create

import (
	"context"
	"net/http"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/invalidvalues"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

func (s *Suite) withProduct() lab.Probe {
	return concerningCaller(newProbe("a product of the user",
		func(r *target.Request) { r.Product = s.target.Deployment.Fixtures.ProductID }))
}

// forTargetUser returns a creation on behalf of the target user, with the product.
func (s *Suite) forTargetUser() lab.Probe {
	return concerningCaller(newProbe("a user of the product to act for", s.lab.SetOnBehalf))
}

// withCallersShareholder returns a creation for the caller's shareholder.
func (s *Suite) withCallersShareholder(p lab.Probe) lab.Probe {
	return concerningCaller(
		lab.CombineProbes(p, withField("shareholder_id", s.target.Deployment.Fixtures.ShareholderID)).
			As(p.Description + ", for the caller's shareholder"))
}

// forTargetUserWithoutProduct returns defects to combine with a user to act for: no product, for
// that user's shareholder and for the caller's. A deployment that ignores the header acts as the
// caller.
func (s *Suite) forTargetUserWithoutProduct() []lab.Probe {
	no := concerningCaller(newProbe("no product", func(r *target.Request) { r.Product = "" }))
	return []lab.Probe{no.InAllConfigurations(), s.withCallersShareholder(no)}
}

// asOtherUser returns a valid creation of a user outside of the product.
func (s *Suite) asOtherUser() lab.Probe {
	return concerningCaller(newProbe("the credential and the shareholder of another user",
		func(r *target.Request) {
			r.Credential, r.Product = s.target.Deployment.Credentials.OtherUser, ""
			r.SetField("shareholder_id", s.target.Deployment.Fixtures.ForeignShareholderID)
		}))
}

func (s *Suite) declareProductRules() {
	s.Describe("products", func() {
		s.GroupRules(spec.NeedsKeys("fixtures.product_id"), func() {
			s.Rule("create.header.product.accepted", Must, SectionCreate,
				"A product of the user is accepted.", func() {
					p := s.withProduct()
					p.InconclusiveChecks = []lab.InconclusiveCheck{s.lab.InconclusiveIfProductInvalid}
					s.itAccepts(p)
				})
			s.Rule("create.header.default_product", Must, SectionCreate,
				"A creation without a product is answered in the same way as one with the product.",
				s.declareDefaultProduct)
			s.lab.RuleRejects("create.header.product.malformed", Should, SectionCreate,
				"A product ID that is not a UUID is rejected.",
				s.withHeader("product", invalidvalues.MalformedUUIDs()...))
			s.lab.RuleRejects("create.header.product.unknown", Should, SectionCreate,
				"A product that does not exist is rejected.",
				s.withHeader("product", unknownUUIDs()...))
			s.lab.RuleRejects("create.header.product.foreign", Should, SectionCreate,
				"A product of another user is rejected.",
				s.withDefects(s.asOtherUser(), s.withProduct()),
				spec.NeedsKeys("credentials.other_user", "fixtures.foreign_shareholder_id"))
		})

		s.GroupRules(spec.NeedsKeys("fixtures.product_id", "fixtures.target_user_id"),
			spec.RestsOnNames(headerKeyPrefix+"on_behalf_of"), func() {
				s.declareOnBehalfRules()
				s.lab.RuleRejects("create.header.on_behalf_of.without_product", Must, SectionCreate,
					"An on-behalf-of user is rejected without a product.",
					s.withDefects(s.forTargetUser(), s.forTargetUserWithoutProduct()...))
				s.lab.RuleRejects("create.header.on_behalf_of.malformed", Should, SectionCreate,
					"An on-behalf-of user that is not a UUID is rejected, and so is one with an "+
						"empty product.",
					append(s.withHeader("on_behalf_of", invalidvalues.MalformedUUIDs()...),
						s.withDefects(s.forTargetUser(), concerningCaller(newProbe("an empty product",
							func(r *target.Request) { r.SetHeader(target.HeaderProduct, "") })))...))
				s.lab.RuleRejects("create.header.on_behalf_of.unknown", Should, SectionCreate,
					"An on-behalf-of user who does not belong to the product is rejected.",
					s.withHeader("on_behalf_of", unknownUUIDs()...))
			})
	})
}

const targetShareholderKey = "fixtures.target_user_shareholder_id"

// declareOnBehalfRules declares the rules on creations on behalf of another user. A deployment
// that refuses the target user's shareholder and accepts the caller's ignores the header.
func (s *Suite) declareOnBehalfRules() {
	own, product := s.observeValid(s.forTargetUser()), s.observeValid(s.withProduct())
	callers := s.withCallersShareholder(s.forTargetUser()).Requiring(
		func(ctx context.Context, _ *lab.Lab) error {
			a, err := own.Get(ctx)
			if err == nil && !a.IsClientError() {
				err = spec.NotVerifiedf("", "not sent: a creation for a shareholder of that user is accepted")
			}
			return err
		})
	s.Rule("create.header.on_behalf_of.accepted", Must, SectionCreate,
		"An on-behalf-of user is accepted together with a product.", spec.UsesObservations(own, product),
		func() {
			asCaller := s.lab.ObserveProbe(callers)
			p := s.forTargetUser()
			p.InconclusiveChecks = []lab.InconclusiveCheck{
				func(ctx spec.Context, a target.Answer) {
					if !product.Await(ctx).IsSuccess() {
						ctx.NotVerifiedf("",
							"the product alone is not accepted, see create.header.product.accepted")
					}
					s.stopForOtherShareholder(ctx, a, asCaller)
				},
				s.lab.InconclusiveIfTargetUserInvalid,
			}
			s.itAccepts(p)
		})
	s.Rule("create.header.on_behalf_of.runs_as", Should, SectionCreate,
		"A creation on behalf of a user runs as that user: shareholders are that user's and not the "+
			"caller's.",
		spec.NeedsKeys(targetShareholderKey), spec.UsesObservations(own),
		func() { s.itRunsAsTargetUser(own, s.lab.ObserveProbe(callers)) })
	// Two users may share a shareholder, so this is only observed.
	also := s.withCallersShareholder(s.forTargetUser())
	also.Description += " as well"
	s.GroupRules(spec.NeedsKeys(targetShareholderKey), func() {
		s.ruleObservesProbes("create.observed.callers_shareholder", SectionCreate,
			"How a creation on behalf of a user, but for the caller's shareholder, is answered.",
			also)
	})
}

// stopForOtherShareholder ends the case where a creation on behalf of a user may be refused for its
// shareholder. asCaller is the same creation for the caller's.
func (s *Suite) stopForOtherShareholder(
	ctx spec.Context, a target.Answer, asCaller lab.AnswerObservation,
) {
	other, sent := asCaller.TryGet(ctx)
	if !a.IsClientError() || a.Status == http.StatusUnauthorized {
		return
	}
	if !s.target.Deployment.Has(targetShareholderKey) {
		ctx.NotVerifiedf(targetShareholderKey,
			"refused with %s, possibly because this user may not use fixtures.shareholder_id", a)
	}
	_, read := s.EvidenceOfName(headerKeyPrefix + "on_behalf_of").TryGet(ctx)
	switch {
	case !read: // the name may be wrong
	case sent && other.IsSuccess():
		ctx.NotVerifiedf("",
			"the caller's shareholder is accepted in its place, see create.header.on_behalf_of.runs_as")
	case answers.MentionsShareholder(a.Exchange):
		ctx.Inconclusivef("refused with %s; check that %s belongs to fixtures.target_user_id",
			answers.DescribeWithMessage(a.Exchange), targetShareholderKey)
	}
}

// itRunsAsTargetUser declares a case on two creations on behalf of a user: own is for a shareholder
// of that user, asCaller for one of the caller.
func (s *Suite) itRunsAsTargetUser(own, asCaller lab.AnswerObservation) {
	spec.Helper()
	s.It("refuses the caller's shareholder where it refuses that of the user",
		func(ctx spec.Context) {
			refused := own.Await(ctx)
			if refused.IsSuccess() {
				return
			}
			other := asCaller.Await(ctx)
			flaw := FlawUnless(!other.IsSuccess(),
				"the caller, whose shareholder it accepts and not the user's",
				reproscript.ExpectStatus{Right: []string{"2xx"}}).ShownBy(refused.Exchange)
			flaw.Evidence.Control = other.Exchange
			ctx.Expect(flaw).To(BeFlawless("A creation on behalf of a user runs as", "that user"))
		})
}

// declareDefaultProduct declares the case on the default product. The control names no product,
// unless the deployment requires one, which it may.
func (s *Suite) declareDefaultProduct() {
	seen := s.observeValid(s.withProduct())
	s.It("gives a record with the same status", func(ctx spec.Context) {
		base, named := s.lab.ControlCreation.Await(ctx), seen.Await(ctx)
		if base.Sent.Product != "" {
			ctx.NotVerifiedf("", "the deployment requires a product, which is allowed")
		}
		if !named.IsSuccess() {
			ctx.NotVerifiedf("", "the product is not accepted, see create.header.product.accepted")
		}
		flaw := FlawUnless(base.Status == named.Status, base.String(), reproscript.ExpectSameStatus{})
		ctx.Expect(flaw.ShownBy(named.Exchange, base.Exchange)).
			To(BeFlawless("Creation without a product answered differently than with it", named.String()))
	})
}

// declareOptionCombinations declares the rule that options accepted alone are accepted together.
func (s *Suite) declareOptionCombinations() {
	s.Rule("create.header.together", Should, SectionCreate,
		"Headers, methods of authentication, qualifications and flags that are accepted alone are "+
			"accepted together.",
		func() {
			s.lab.ItAcceptsEveryConfiguration(client.OperationCreate,
				"accepts a valid creation in every context")
		})
}
