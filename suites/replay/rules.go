package replay

import (
	"cmp"
	"slices"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/repeat"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// cells: the table of the document. Compared is the group { method, params, path, query, body, userId }; with a value of
// the header, the identifiers that it names are compared too. A repeat is blocked when everything compared is the same.
func (s *Suite) cells() {
	for _, m := range rules.ReplayModes() {
		s.Describe(called(m), func() {
			for _, cell := range rules.RepeatKinds() {
				fate, needs := "passes", spec.NeedsKeys()
				if m.Blocks(cell) {
					fate = "is blocked"
				}
				if cell.User {
					needs = spec.NeedsKeys("credentials.other_user")
				}
				s.Rule("replay."+m.Name+"."+cell.Name, rules.Must, rules.SectionExport,
					with(m)+"a request that "+cell.Words+" "+fate+".", needs, func() {
						s.judge(func(c change) bool { return c.cell == cell.Name && c.rule == "" }, m)
					})
			}
		})
	}
}

// unlisted: repeats that the table does not list. Headers that identify nothing are not in the group, unless somebody
// takes them for its params, which the document does not explain.
func (s *Suite) unlisted() {
	about := func(id string) func() {
		return func() { s.judge(func(c change) bool { return c.rule == id }, rules.ReplayModes()...) }
	}
	s.Rule(otherHeaders, rules.Should, rules.SectionExport,
		"A request that changes only headers which are not compared, such as x-lang and User-Agent, is blocked.",
		about(otherHeaders))
	s.Rule(bothSpellings, rules.Should, rules.SectionExport,
		"A request that repeats one sent under the other order of the two names is blocked.", about(bothSpellings))
	s.Rule(sameUser, rules.Should, rules.SectionExport,
		"A request that repeats one of the same user's, sent by the other method of authentication, is blocked.",
		spec.NeedsKeys("credentials.platform_token", "credentials.api_key"), about(sameUser))
}

// judge declares the cases of the changes that a rule is about, in each of their modes. What the deployment need not
// accept leaves the further ones out.
func (s *Suite) judge(about func(change) bool, modes ...rules.ReplayMode) {
	spec.Helper()
	first := true
	for _, m := range modes {
		for _, c := range s.table {
			if !about(c) || !c.possible(m) {
				continue
			}
			verb, right, further, seen, plainer := "lets through", BeLetThrough(), !first, s.repeat(m, c), s.plainer(m, c)
			if first = false; c.blocks(m) {
				verb, right = "blocks", BeBlocked()
			}
			s.It(verb+" a request with "+called(m)+" that "+c.words, func(ctx spec.Context) {
				_, err := seen.Get(ctx)
				if unmet := spec.NotVerifiedReason(err); further && unmet != nil {
					ctx.RecordObservedf("%s", unmet)
					return
				}
				got := seen.Await(ctx)
				if c.blocks(m) && c.words != everything {
					s.unlessExact(ctx, c, m, got.Exchange)
				}
				for _, o := range plainer {
					other, ok := o.TryGet(ctx)
					if ok && o != seen && !c.blocks(m) && len(other.Condition) == 0 && !other.IsSuccess() && other.Status == got.Status {
						ctx.NotVerifiedf("", "a plainer one is blocked as well: %s", other.Description())
					}
				}
				ctx.Expect(got.Answer).To(right)
			}, c.turn(m))
		}
	}
}

// plainer are the first change of the cell that a change is of, and the first of these in its group: where one of them is
// blocked, the others say nothing more.
func (s *Suite) plainer(m rules.ReplayMode, c change) (all []repetition) {
	for _, group := range []string{"", c.group} {
		if at := slices.IndexFunc(s.table, func(o change) bool {
			return o.cell == c.cell && o.rule == c.rule && o.group == group && s.tries(o, m)
		}); at >= 0 {
			all = append(all, s.repeat(m, s.table[at]))
		}
	}
	return all
}

// unlessExact ends a check where a repeat passes, as an exact one of its modes does: that is the finding of another rule.
func (s *Suite) unlessExact(ctx spec.Context, c change, m rules.ReplayMode, x *client.Exchange) {
	modes := []rules.ReplayMode{m}
	if c.rule == bothSpellings {
		modes = append(modes, mode("transaction_nonce"), mode("nonce_transaction"))
	}
	for _, m := range modes {
		if exact, ok := s.exact(m).TryGet(ctx); ok && StartsExport(x) && StartsExport(exact.Exchange) {
			ctx.NotVerifiedf("", "an exact repeat passes as well, see %s", "replay."+m.Name+".same")
		}
	}
}

// exact is the repeat of everything.
func (s *Suite) exact(m rules.ReplayMode) repetition { return s.repeat(m, *s.named(everything)) }

// firstRequests: requests that repeat nothing pass. Whether a refusal is about replay protection at all shows in the
// other modes: where no export is accepted in any of them, the credential or the fixtures are to blame.
func (s *Suite) firstRequests() {
	for _, m := range rules.ReplayModes() {
		s.Rule("replay."+m.Name+".first", rules.Must, rules.SectionExport,
			with(m)+"a request that repeats no earlier one passes.", func() {
				seen := s.repeat(m, unrepeated())
				var firsts []*spec.Observation[early]
				for _, other := range rules.ReplayModes() {
					firsts = append(firsts, s.early(other))
				}
				s.It("lets every first request through", func(ctx spec.Context) {
					got := seen.Await(ctx)
					if !got.IsSuccess() && !slices.ContainsFunc(firsts, func(o *spec.Observation[early]) bool {
						_, accepted := o.TryGet(ctx)
						return accepted
					}) {
						_, err := s.lab.ControlExport.Get(ctx)
						ctx.StopOnError(cmp.Or(err, spec.Inconclusivef("no export was accepted in any mode (%s), see export.success", got)))
					}
					got.Subject = "Requests with " + called(m) + " that repeat nothing"
					ctx.Expect(got.Answer).To(BeAccepted())
				})
			})
	}
}

// blocks: how a block looks, over every repeat and every loser of a race that had to be blocked.
func (s *Suite) blocks() {
	s.Rule("replay.blocked_is_4xx", rules.Should, rules.SectionExport, "A blocked request is answered with a 4xx.",
		func() {
			var repeats []repetition
			var races []race
			for _, m := range rules.ReplayModes() {
				races = append(races, s.atOnce(m))
				for _, c := range s.table {
					if s.tries(c, m) && c.blocks(m) {
						repeats = append(repeats, s.repeat(m, c))
					}
				}
			}
			// Neither a server error, nor a redirect, nor a 2xx that holds an error, nor a dropped connection. A repeat
			// that was let through is the finding of its own rule and left out here.
			s.It("answers every block with a 4xx", func(ctx spec.Context) {
				var judged RuleTally
				judge := func(x *client.Exchange, shown []spec.RepeatRequest) {
					flaw := Flaw{Evidence: spec.Evidence{Repeat: shown, Sign: repeat.SignStatus{Right: []string{"4xx"}}}}
					if !x.IsClientError() {
						flaw.Found = target.DescribeAnswer(x)
					}
					judged.Add(x, flaw)
				}
				for _, r := range blocksOf(ctx, repeats) {
					judge(r.Exchange, append(spec.RepeatInOrder(r.Preceding...), spec.RepeatInOrder(r.Exchange)...))
				}
				for _, o := range races {
					rounds, _ := o.TryGet(ctx)
					for _, round := range rounds {
						for _, x := range s.losers(round) {
							judge(x, spec.RepeatInOrder(x, x))
						}
					}
				}
				if judged.Judged == 0 {
					ctx.Inconclusivef("no repeat was blocked, so there is no block to judge")
				}
				ctx.Expect(judged).To(HoldForEveryAnswer("blocked repeats", "a 4xx"))
			})
		})

	s.Rule("replay.observed.block_status", rules.Observe, rules.SectionExport, "Status and body of a block.",
		spec.NeedsOperation("export"), func() {
			var exact []repetition
			for _, m := range rules.ReplayModes() {
				exact = append(exact, s.exact(m))
			}
			s.It("looks at exact repeats", func(ctx spec.Context) {
				var seen []string
				for _, r := range blocksOf(ctx, exact) {
					seen = append(seen, target.DescribeAnswer(r.Exchange)+", "+target.JSONShape(r.Exchange))
				}
				if len(seen) == 0 {
					ctx.Inconclusivef("no repeat was blocked, so there is no block to judge")
				}
				slices.Sort(seen)
				ctx.RecordObserved(record.UnnamedValues(slices.Compact(seen))...)
			})
		})
}

func blocksOf(ctx spec.Context, repeats []repetition) (blocks []repeated) {
	for _, o := range repeats {
		if r, ok := o.TryGet(ctx); ok && !letThrough(r.First, r.Exchange) {
			blocks = append(blocks, r)
		}
	}
	return blocks
}

// letThrough reports whether a repeat started an export. A 2xx without the file that the first request got is a block
// in disguise.
func letThrough(first, again *client.Exchange) bool {
	_, started := target.FileID(first)
	return again.IsSuccess() && (StartsExport(again) || !started)
}

// losers are the requests of a race that were neither let through nor lost in the crowd.
func (s *Suite) losers(round []*client.Exchange) []*client.Exchange {
	at := slices.IndexFunc(round, StartsExport)
	if at < 0 {
		return nil
	}
	first := round[at]
	return slices.DeleteFunc(slices.Clone(round), func(x *client.Exchange) bool {
		return s.lab.IsTransient(x) || letThrough(first, x)
	})
}
