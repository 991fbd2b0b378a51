package replay

import (
	"cmp"
	"slices"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// declareTableRules declares the rules of the document's table. The group { method, params,
// path, query, body, userId } is always compared. A value of the header adds the identifiers
// that it names. A repeat is blocked when everything compared is the same.
func (s *Suite) declareTableRules() {
	for _, m := range rules.ReplayModes() {
		s.Describe(modeLabel(m), func() {
			for _, cell := range rules.RepeatKinds() {
				outcome, needs := "passes", spec.NeedsKeys()
				if m.Blocks(cell) {
					outcome = "is blocked"
				}
				if cell.User {
					needs = spec.NeedsKeys("credentials.other_user")
				}
				s.Rule("replay."+m.Name+"."+cell.Name, rules.Must, rules.SectionExport,
					statementBeginning(m)+"a request that "+cell.Words+" "+outcome+".", needs,
					func() { s.declareCases(cell.Name, "", m) })
			}
		})
	}
}

// declareOtherRules declares rules on repeats that the table does not list. Headers that
// identify nothing are not part of the group, unless a deployment counts them among its params,
// which the document does not explain.
func (s *Suite) declareOtherRules() {
	s.Rule(ruleOtherHeaders, rules.Should, rules.SectionExport,
		"A request that changes only headers which are not compared, such as x-lang and "+
			"User-Agent, is blocked.",
		func() { s.declareCases("same", ruleOtherHeaders, rules.ReplayModes()...) })
	s.Rule(ruleBothSpellings, rules.Should, rules.SectionExport,
		"A request that repeats one sent under the other order of the two names is blocked.",
		func() { s.declareCases("same", ruleBothSpellings, rules.ReplayModes()...) })
	s.Rule(ruleSameUser, rules.Should, rules.SectionExport,
		"A request that repeats one by the same user, sent by the other method of "+
			"authentication, is blocked.",
		spec.NeedsKeys("credentials.platform_token", "credentials.api_key"),
		func() { s.declareCases("same", ruleSameUser, rules.ReplayModes()...) })
	for _, r := range s.table { // or it would be sent, and judged by nobody
		isItsRule := func(declared *spec.Rule) bool { return declared.ID == r.rule }
		if r.rule != "" && !slices.ContainsFunc(s.Rules(), isItsRule) {
			panic("replay: nobody declares " + r.rule + ", which a repetition names")
		}
	}
}

// declareCases declares a case for each repetition of a rule in each of the modes.
func (s *Suite) declareCases(cell, rule string, modes ...rules.ReplayMode) {
	spec.Helper()
	optional := false // only the first case is not verified where a requirement is unmet
	for _, m := range modes {
		for _, r := range s.table {
			if r.cell != cell || r.rule != rule || !r.appliesTo(m) {
				continue
			}
			verb := "lets through"
			if r.isBlockedIn(m) {
				verb = "blocks"
			}
			skippable := optional
			optional = true
			seen, plainer := s.observeRepeat(m, r), s.plainerRepeats(m, r)
			s.It(verb+" a request with "+modeLabel(m)+" that "+r.description, func(ctx spec.Context) {
				_, err := seen.Get(ctx)
				if unmet := spec.NotVerifiedReason(err); skippable && unmet != nil {
					ctx.RecordObservedf("%s", unmet)
					return
				}
				s.judgeRepeat(ctx, m, r, seen, plainer)
			}, r.samplingIn(m))
		}
	}
}

// judgeRepeat compares the result of a repeat with the table, unless another rule or case judges
// it.
func (s *Suite) judgeRepeat(
	ctx spec.Context, m rules.ReplayMode, r repetition, seen lab.AnswerObservation,
	plainer []lab.AnswerObservation,
) {
	got := seen.Await(ctx)
	if r.isBlockedIn(m) {
		if r.description != exactRepeat {
			s.inconclusiveIfExactPasses(ctx, m, r.rule, got.Exchange)
		}
		ctx.Expect(got).To(BeBlockedAfterMore(requestsBetween(got)))
		return
	}
	for _, o := range plainer {
		other, ok := o.TryGet(ctx)
		if ok && o != seen && len(other.Condition) == 0 && !other.IsSuccess() &&
			other.Status == got.Status {
			ctx.NotVerifiedf("", "a plainer one is blocked as well: %s", other.DescribeRequest())
		}
	}
	ctx.Expect(got).To(BeLetThrough())
}

// requestsBetween returns how many other requests the run sent between a request and its repeat.
func requestsBetween(repeat target.Answer) int {
	if len(repeat.Preceding) == 0 {
		return 0
	}
	others := repeat.Seq - repeat.Preceding[0].Seq - len(repeat.Preceding)
	return min(max(others, 0), maxScriptExports)
}

// plainerRepeats returns the first repetition of the same cell and rule, and the first of these
// in its group. Where one of them is blocked, the others show nothing more.
func (s *Suite) plainerRepeats(m rules.ReplayMode, r repetition) (all []lab.AnswerObservation) {
	for _, group := range []string{"", r.group} {
		at := slices.IndexFunc(s.table, func(o repetition) bool {
			return o.cell == r.cell && o.rule == r.rule && o.group == group && s.isTried(o, m)
		})
		if at >= 0 {
			all = append(all, s.observeRepeat(m, s.table[at]))
		}
	}
	return all
}

// inconclusiveIfExactPasses ends the case where even an exact repeat of the mode passes, which
// is the finding of another rule.
func (s *Suite) inconclusiveIfExactPasses(
	ctx spec.Context, m rules.ReplayMode, rule string, x *client.Exchange,
) {
	modes := []rules.ReplayMode{m}
	if rule == ruleBothSpellings {
		modes = append(modes, modeByName("transaction_nonce"), modeByName("nonce_transaction"))
	}
	for _, m := range modes {
		exact, ok := s.exactRepeatOf(m).TryGet(ctx)
		if ok && answers.StartsExport(x) && answers.StartsExport(exact.Exchange) {
			ctx.NotVerifiedf("", "an exact repeat passes as well, see %s", "replay."+m.Name+".same")
		}
	}
}

func (s *Suite) exactRepeatOf(m rules.ReplayMode) lab.AnswerObservation {
	return s.observeRepeat(m, *s.findRepetition(exactRepeat))
}

// declareFirstRequestRules declares the rules that first requests pass. Where no mode accepts
// any export, the credential or the fixtures are to blame.
func (s *Suite) declareFirstRequestRules() {
	for _, m := range rules.ReplayModes() {
		s.Rule("replay."+m.Name+".first", rules.Must, rules.SectionExport,
			statementBeginning(m)+"a request that repeats no earlier one passes.", func() {
				seen := s.observeRepeat(m, noRepetition)
				var firsts []*spec.Observation[modeFirsts]
				for _, other := range rules.ReplayModes() {
					firsts = append(firsts, s.observeFirstRequests(other))
				}
				s.It("lets every first request through", func(ctx spec.Context) {
					got := seen.Await(ctx)
					accepted := func(o *spec.Observation[modeFirsts]) bool {
						_, ok := o.TryGet(ctx)
						return ok
					}
					if !got.IsSuccess() && !slices.ContainsFunc(firsts, accepted) {
						_, err := s.lab.ControlExport.Get(ctx)
						ctx.StopOnError(cmp.Or(err,
							spec.Inconclusivef("no export was accepted in any mode (%s), see export.success", got)))
					}
					got.Subject = "Requests with " + modeLabel(m) + " that repeat nothing"
					ctx.Expect(got).To(BeAccepted())
				})
			})
	}
}
