package replay

import (
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// modeFirsts are the requests that the run sends first in one mode. It repeats the accepted ones
// at its end.
type modeFirsts struct {
	accepted []target.Answer
	at       time.Time
}

const (
	// firstsPerMode is how many requests each mode sends first. Where the repeat of one fails, the
	// next is used.
	firstsPerMode = 2
	// minLateAge is the minimum age of a request when it is repeated, however short the run.
	minLateAge = 2 * time.Second
	// maxScriptExports limits how many exports a script sends before a late repeat.
	maxScriptExports = 500
)

// observeFirstRequests declares the first requests of the run in a mode. They are admitted
// before all others.
func (s *Suite) observeFirstRequests(m rules.ReplayMode) *spec.Observation[modeFirsts] {
	label := "first request of the run, " + modeLabel(m)
	return spec.ObserveAsCase(s.Plan, label, func(ctx spec.Context) (e modeFirsts) {
		ctx = ctx.WithContext(client.WithPriority(ctx, 0))
		s.lab.ControlExport.WaitDone(ctx)
		send := s.sender(ctx, func() target.Request { return s.newFirstRequest(m, label, nil) })
		var a target.Answer
		for range firstsPerMode {
			a, _ = send()
			if a = s.lab.RetryRefused(ctx, a, send); a.IsSuccess() {
				e.accepted = append(e.accepted, a)
			}
		}
		e.at = time.Now()
		if len(e.accepted) == 0 {
			ctx.StopOnError(s.lab.TransientError(ctx, a.Exchange))
			ctx.Inconclusivef("the first request was not accepted (%s); see %s",
				answers.Describe(a.Exchange), "replay."+m.Name+".first")
		}
		return e
	})
}

// declareExpiryRule declares the rule that earlier requests do not expire: the document sets no
// limit.
func (s *Suite) declareExpiryRule() {
	s.Rule("replay.late", rules.Must, rules.SectionExport,
		"The first request of a run is still blocked when it is repeated at its end.", func() {
			for _, m := range rules.ReplayModes() {
				repeat := s.observeLateRepeat(m)
				text := "blocks the first request of the run, repeated at its end, with " + modeLabel(m)
				s.It(text, func(ctx spec.Context) {
					got := repeat.Await(ctx)
					s.inconclusiveIfExactPasses(ctx, m, "", got.Exchange)
					more := min(s.target.Client.Stats().Exports, maxScriptExports)
					ctx.Expect(got).To(BeBlockedAfterMore(more))
				})
			}
		})
}

// observeLateRepeat repeats the first request of a mode, or the next one where the repeat got no
// answer: an unanswered attempt may be the reason why a later one is blocked.
func (s *Suite) observeLateRepeat(m rules.ReplayMode) lab.AnswerObservation {
	first, exact := s.observeFirstRequests(m), s.exactRepeatOf(m)
	label := "late repeat of the first request with " + modeLabel(m)
	return spec.ObserveAsCase(s.Plan, label, func(ctx spec.Context) (a target.Answer) {
		e := first.Await(ctx)
		if !target.SleepContext(ctx, minLateAge-time.Since(e.at)) {
			ctx.StopOnError(spec.ErrInterrupted)
		}
		for _, earlier := range e.accepted {
			sent := earlier.Sent
			sent.Label, sent.RepeatsExport, sent.MayBlock = label, true, s.blocks429.Load()
			a.Exchange = s.target.Send(ctx, func() target.Request { return sent })
			a.Attempts = append(a.Attempts, a.Exchange)
			s.lab.MarkInvalid(a.Exchange)
			s.classify429(ctx, a.Exchange, sent)
			if ctx.Err() != nil {
				ctx.StopOnError(spec.ErrInterrupted)
			}
			a.Preceding = []*client.Exchange{earlier.Exchange}
			if s.isConclusive(a.Exchange) {
				a.Attempts = a.Attempts[len(a.Attempts)-1:]
				return a
			}
		}
		if block, judged := exact.TryGet(ctx); judged && block.IsServerError() &&
			!slices.ContainsFunc(a.Attempts,
				func(x *client.Exchange) bool { return x.Status != block.Status }) {
			return a // the deployment blocks with this error
		}
		ctx.Inconclusivef("the late repeat got no answer that can be judged (%s): a later "+
			"attempt may have been blocked because of a lost one", answers.CountStatuses(a.Attempts))
		return a
	}, spec.PhaseLate)
}
