package replay

import (
	"slices"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// declareBlockRules declares the rules on the form of a block. They judge every repeat and every
// loser of a race that should be blocked.
func (s *Suite) declareBlockRules() {
	s.Rule("replay.blocked_is_4xx", rules.Should, rules.SectionExport,
		"A blocked request is answered with a 4xx.", func() {
			var repeats []lab.AnswerObservation
			var races []raceObservation
			for _, m := range rules.ReplayModes() {
				races = append(races, s.observeRace(m))
				for _, r := range s.table {
					if s.isTried(r, m) && r.isBlockedIn(m) {
						repeats = append(repeats, s.observeRepeat(m, r))
					}
				}
			}
			// Anything but a 4xx fails: a server error, a redirect, a 2xx that holds an error, a
			// dropped connection. A repeat that was let through is the finding of its own rule.
			s.It("answers every block with a 4xx", func(ctx spec.Context) {
				var judged RuleTally
				judge := func(x *client.Exchange, shown ...*client.Exchange) {
					judged.AddAnswer(x, FlawUnless(x.IsClientError(), answers.Describe(x),
						reproscript.ExpectStatus{Right: []string{"4xx"}}).ShownBy(shown...))
				}
				for _, r := range blockedAmong(ctx, repeats) {
					judge(r.Exchange, append(slices.Clone(r.Preceding), r.Exchange)...)
				}
				for _, o := range races {
					all, _ := o.TryGet(ctx)
					for _, round := range all {
						for _, x := range s.raceLosers(round) {
							judge(x, x, x)
						}
					}
				}
				if judged.Judged == 0 {
					ctx.Inconclusivef("no repeat was blocked, so there is no block to judge")
				}
				ctx.Expect(judged).To(HoldForEveryAnswer("blocked repeats", "a 4xx"))
			})
		})

	s.Rule("replay.observed.block_status", rules.Observe, rules.SectionExport,
		"Status and body of a block.", spec.NeedsOperation("export"), func() {
			var exact []lab.AnswerObservation
			for _, m := range rules.ReplayModes() {
				exact = append(exact, s.exactRepeatOf(m))
			}
			s.It("looks at exact repeats", func(ctx spec.Context) {
				var seen []string
				for _, r := range blockedAmong(ctx, exact) {
					looks := answers.Describe(r.Exchange) + ", " + answers.JSONShape(r.Exchange)
					seen = append(seen, looks)
				}
				if len(seen) == 0 {
					ctx.Inconclusivef("no repeat was blocked, so there is no block to judge")
				}
				ctx.RecordObservedSet(seen)
			})
		})
}

func blockedAmong(ctx spec.Context, repeats []lab.AnswerObservation) (blocks []target.Answer) {
	for _, o := range repeats {
		if r, ok := o.TryGet(ctx); ok && !wasLetThrough(r.Preceding[0], r.Exchange) {
			blocks = append(blocks, r)
		}
	}
	return blocks
}

// wasLetThrough reports whether a repeat started an export. A 2xx without a file ID counts as a
// block if the first request got one.
func wasLetThrough(first, again *client.Exchange) bool {
	_, started := answers.FileID(first)
	return again.IsSuccess() && (answers.StartsExport(again) || !started)
}

// raceLosers returns the requests of a race that were neither let through nor lost.
func (s *Suite) raceLosers(round []*client.Exchange) []*client.Exchange {
	at := slices.IndexFunc(round, answers.StartsExport)
	if at < 0 {
		return nil
	}
	first := round[at]
	return slices.DeleteFunc(slices.Clone(round), func(x *client.Exchange) bool {
		return s.lab.IsTransient(x) || wasLetThrough(first, x)
	})
}
