package replay

import (
	"cmp"
	"slices"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// tableRules: the table of the document. Compared is the group { method, params, path, query, body,
// userId }; with a value of the header, the identifiers that it names are compared too. A repeat is
// blocked when everything compared is the same.
func (s *Suite) tableRules() {
	for _, m := range rules.ReplayModes() {
		s.Describe(called(m), func() {
			for _, cell := range rules.RepeatKinds() {
				fate, credential := "passes", spec.NeedsKeys()
				if m.Blocks(cell) {
					fate = "is blocked"
				}
				if cell.User {
					credential = spec.NeedsKeys("credentials.other_user")
				}
				s.Rule("replay."+m.Name+"."+cell.Name, rules.Must, rules.SectionExport,
					with(m)+"a request that "+cell.Words+" "+fate+".", credential,
					func() { s.declareCases(cell.Name, "", m) })
			}
		})
	}
}

// otherRules: repeats that the table does not list. Headers that identify nothing are not in the
// group, unless somebody takes them for its params, which the document does not explain.
func (s *Suite) otherRules() {
	s.Rule(otherHeaders, rules.Should, rules.SectionExport,
		"A request that changes only headers which are not compared, such as x-lang and "+
			"User-Agent, is blocked.",
		func() { s.declareCases("same", otherHeaders, rules.ReplayModes()...) })
	s.Rule(bothSpellings, rules.Should, rules.SectionExport,
		"A request that repeats one sent under the other order of the two names is blocked.",
		func() { s.declareCases("same", bothSpellings, rules.ReplayModes()...) })
	s.Rule(sameUser, rules.Should, rules.SectionExport,
		"A request that repeats one of the same user's, sent by the other method of "+
			"authentication, is blocked.",
		spec.NeedsKeys("credentials.platform_token", "credentials.api_key"),
		func() { s.declareCases("same", sameUser, rules.ReplayModes()...) })
}

// declareCases declares a case for each repetition that a rule is about, in each of its modes.
func (s *Suite) declareCases(cell, rule string, modes ...rules.ReplayMode) {
	spec.Helper()
	optional := false // what the deployment need not accept leaves out all cases but the first
	for _, m := range modes {
		for _, r := range s.table {
			if r.cell != cell || r.rule != rule || !r.fits(m) {
				continue
			}
			verb, skippable := "lets through", optional
			if optional = true; r.blocked(m) {
				verb = "blocks"
			}
			seen, plainer := s.observe(m, r), s.plainer(m, r)
			s.It(verb+" a request with "+called(m)+" that "+r.words, func(ctx spec.Context) {
				_, err := seen.Get(ctx)
				if unmet := spec.NotVerifiedReason(err); skippable && unmet != nil {
					ctx.RecordObservedf("%s", unmet)
					return
				}
				s.judge(ctx, m, r, seen, plainer)
			}, r.depth(m))
		}
	}
}

// judge holds what a repeat got against the table, unless another rule or case is about that.
func (s *Suite) judge(ctx spec.Context, m rules.ReplayMode, r repetition, seen observation,
	plainer []observation,
) {
	got := seen.Await(ctx)
	if r.blocked(m) {
		if r.words != exactRepeat {
			s.blameExact(ctx, m, r.rule, got.Exchange)
		}
		ctx.Expect(got.Answer).To(BeBlocked())
		return
	}
	for _, o := range plainer {
		other, ok := o.TryGet(ctx)
		if ok && o != seen && len(other.Condition) == 0 && !other.IsSuccess() &&
			other.Status == got.Status {
			ctx.NotVerifiedf("", "a plainer one is blocked as well: %s", other.Description())
		}
	}
	ctx.Expect(got.Answer).To(BeLetThrough())
}

// plainer are the first repetition of the same cell and rule, and the first of these in its group:
// where one of them is blocked, the others say nothing more.
func (s *Suite) plainer(m rules.ReplayMode, r repetition) (all []observation) {
	for _, group := range []string{"", r.group} {
		at := slices.IndexFunc(s.table, func(o repetition) bool {
			return o.cell == r.cell && o.rule == r.rule && o.group == group && s.tried(o, m)
		})
		if at >= 0 {
			all = append(all, s.observe(m, s.table[at]))
		}
	}
	return all
}

// blameExact ends a check where a repeat passes, as an exact one of its modes does: that is the
// finding of another rule.
func (s *Suite) blameExact(ctx spec.Context, m rules.ReplayMode, rule string, x *client.Exchange) {
	modes := []rules.ReplayMode{m}
	if rule == bothSpellings {
		modes = append(modes, mode("transaction_nonce"), mode("nonce_transaction"))
	}
	for _, m := range modes {
		exact, ok := s.exact(m).TryGet(ctx)
		if ok && StartsExport(x) && StartsExport(exact.Exchange) {
			ctx.NotVerifiedf("", "an exact repeat passes as well, see %s", "replay."+m.Name+".same")
		}
	}
}

// exact is the repeat of everything.
func (s *Suite) exact(m rules.ReplayMode) observation { return s.observe(m, *s.find(exactRepeat)) }

// firstRequests: requests that repeat nothing pass. Whether a refusal is about replay protection at
// all shows in the other modes: where no export is accepted in any of them, the credential or the
// fixtures are to blame.
func (s *Suite) firstRequests() {
	for _, m := range rules.ReplayModes() {
		s.Rule("replay."+m.Name+".first", rules.Must, rules.SectionExport,
			with(m)+"a request that repeats no earlier one passes.", func() {
				seen := s.observe(m, repeatsNone)
				var firsts []*spec.Observation[runFirsts]
				for _, other := range rules.ReplayModes() {
					firsts = append(firsts, s.sendRunFirsts(other))
				}
				s.It("lets every first request through", func(ctx spec.Context) {
					got := seen.Await(ctx)
					accepted := func(o *spec.Observation[runFirsts]) bool {
						_, ok := o.TryGet(ctx)
						return ok
					}
					if !got.IsSuccess() && !slices.ContainsFunc(firsts, accepted) {
						_, err := s.lab.ControlExport.Get(ctx)
						ctx.StopOnError(cmp.Or(err, spec.Inconclusivef(
							"no export was accepted in any mode (%s), see export.success", got)))
					}
					got.Subject = "Requests with " + called(m) + " that repeat nothing"
					ctx.Expect(got.Answer).To(BeAccepted())
				})
			})
	}
}
