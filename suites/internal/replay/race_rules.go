package replay

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/design"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// raceObservation holds the exchanges of each round of identical requests of a mode.
type raceObservation = *spec.Observation[[][]*client.Exchange]

// maxRoundTries limits the tries of an inconclusive round. Rounds after the first, in other
// configurations, have two requests.
const maxRoundTries = 4

// declareRaceRules declares the rules on identical requests that arrive at once. One of them,
// whichever it is, is the earlier one, and the others repeat it. The document does not mention
// simultaneous requests, so a round without an accepted request is not judged.
func (s *Suite) declareRaceRules() {
	s.Describe("identical requests at once", func() {
		for _, m := range rules.ReplayModes() {
			s.Rule("replay.race."+m.Name, rules.Should, rules.SectionExport,
				statementBeginning(m)+"at most one of several identical requests sent at once "+
					"is accepted.",
				spec.Security, func() {
					race, _ := s.observeRace(m), s.exactRepeatOf(m)
					s.It("accepts at most one of identical requests at once",
						func(ctx spec.Context) { s.judgeRace(ctx, m, race.Await(ctx)) })
				})
		}

		s.Rule("replay.observed.race", rules.Observe, rules.SectionExport,
			"How many of identical requests at once are accepted.", spec.NeedsOperation("export"), func() {
				for _, m := range rules.ReplayModes() {
					race := s.observeRace(m)
					s.It("counts those accepted with "+modeLabel(m), func(ctx spec.Context) {
						var counts []int
						for _, round := range race.Await(ctx) {
							counts = append(counts, answers.CountStartedExports(round))
						}
						ctx.RecordObserved(modeLabel(m), fmt.Sprint(counts))
					})
				}
			})
	})
}

// judgeRace checks that at most one request of each round is accepted.
func (s *Suite) judgeRace(ctx spec.Context, m rules.ReplayMode, all [][]*client.Exchange) {
	var judged RuleTally
	for _, round := range all {
		found, last := "", round[len(round)-1]
		if n := answers.CountStartedExports(round); n > 1 {
			found = fmt.Sprintf("%d of %d accepted", n, len(round))
			last = round[slices.IndexFunc(round, (*client.Exchange).IsSuccess)]
			s.inconclusiveIfExactPasses(ctx, m, "", last)
		}
		judged.AddAnswer(last, Flaw{Found: found, Evidence: spec.Evidence{
			Repeat: []spec.RepeatRequest{{Exchange: last, Concurrent: len(round)}},
			Sign:   reproscript.ExpectAtMostOne{},
		}})
	}
	what := "identical requests at once, with " + modeLabel(m)
	ctx.Expect(judged).To(HoldForEveryAnswer(what, "at most one accepted"))
}

// observeRace declares the rounds of a mode, one in each configuration of exact repeats. Lost
// answers can hide an acceptance but never add one, so a round with two accepted requests always
// counts; any other round counts only if every answer is clear. Each retry sends half as many
// requests, so that fewer answers are lost.
func (s *Suite) observeRace(m rules.ReplayMode) raceObservation {
	label := "identical requests at once, " + modeLabel(m)
	return spec.ObserveAsCase(s.Plan, label, func(ctx spec.Context) (counted [][]*client.Exchange) {
		s.lab.ControlExport.WaitDone(ctx)
		configs := s.configurationsOf(m, *s.findRepetition(exactRepeat))
		if len(configs) == 0 {
			configs = []design.Configuration{nil}
		}
		var unclear []*client.Exchange
		size := s.target.RaceSize()
		for _, config := range configs {
			valid, _ := s.lab.ObserveControl(client.OperationExport, config).Get(ctx)
			for range maxRoundTries {
				call := s.newFirstRequest(m, label, valid.Configuration)
				call.RepeatsExport, call.MayBlock = true, !s.throttles.Load()
				all := s.target.SendConcurrently(ctx, call, size)
				s.lab.MarkInvalid(all...) // one of them, it is not known which, should be accepted
				switch {
				case ctx.Err() != nil:
					ctx.StopOnError(spec.ErrInterrupted)
				case len(all) < 2:
					ctx.NotVerifiedf("limits.in_flight", "a race needs at least 2 requests in flight")
				}
				if s.isConclusiveRound(ctx, m, call, all) {
					counted = append(counted, all)
					break
				}
				unclear, size = append(unclear, all...), max(2, size/2)
			}
			size = 2
		}
		if len(counted) == 0 {
			ctx.Inconclusivef("every round of identical requests had errors: %s",
				answers.CountStatuses(unclear))
		}
		return counted
	})
}

// isConclusiveRound reports whether a round shows anything. A round without an accepted request
// counts where a single request is accepted. A round in which all others were throttled counts
// where 429 is the deployment's way to block.
func (s *Suite) isConclusiveRound(ctx context.Context, m rules.ReplayMode, call target.Request,
	all []*client.Exchange,
) bool {
	var accepted, transient int
	var throttled []*client.Exchange
	for _, x := range all {
		if x.IsSuccess() {
			accepted++
		}
		if x.IsTransient() {
			transient++
		}
		if x.Status == http.StatusTooManyRequests {
			throttled = append(throttled, x)
		}
	}
	switch {
	case accepted > 1:
		return true
	case transient > len(throttled) || accepted == 0 && len(throttled) > 0:
		return false
	case accepted == 0:
		_, err := s.sendInOrder(ctx, m, nil, nil)
		return err == nil
	case len(throttled) > 0:
		s.classify429(ctx, throttled[0], call)
		return s.blocks429.Load()
	}
	return true
}
