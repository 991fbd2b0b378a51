package replay

import (
	"cmp"
	"context"
	"net/http"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// notRepeatableError returns why a first request cannot be repeated, or nil if it was accepted.
func (s *Suite) notRepeatableError(
	ctx context.Context, m rules.ReplayMode, x *client.Exchange,
) error {
	switch err := s.lab.TransientError(ctx, x); {
	case err != nil:
		return err
	case x.IsServerError(), s.lab.IsBesideOthers(x, true):
		return spec.Transientf("the first request got %s", answers.Describe(x))
	case x.IsSuccess():
		return nil
	}
	_, err := s.lab.ControlExport.Get(ctx)
	return cmp.Or(
		err,
		spec.Inconclusivef("the first request was not accepted (%s), so there is nothing "+
			"to repeat; see %s", answers.Describe(x), "replay."+m.Name+".first"),
	)
}

// inconclusiveError returns why a wrong result of a repeat is no finding, or nil if it is one.
func (s *Suite) inconclusiveError(
	ctx context.Context, m rules.ReplayMode, r repetition, got target.Answer,
) error {
	switch {
	case !r.isBlockedIn(m) && s.lab.IsRefusedLikeValid(ctx, got):
		return spec.Inconclusivef("refused (%s), as another valid export is", got)
	case r.requires == requiresAPIKey:
		// The deployment file has both credentials, but does not say whose they are.
		if one, err := s.lab.TokenAndKeyShareUser(ctx); err != nil || !one {
			return cmp.Or(err, spec.NotVerifiedf("", "the token and the API key may belong to different "+
				"users, and replay protection compares the user"))
		}
	case r.cell != cellFirst && !r.isBlockedIn(m) && got.IsClientError():
		// The rules on requests judge what the deployment never accepts, even without an earlier
		// request.
		repeat := repetition{prepare: func(call *target.Request) {
			followed := *call
			if f := s.findRepetition(r.follows); f != nil {
				followed = f.buildRepeat(followed, followed)
			}
			*call = r.buildRepeat(*call, followed)
		}}
		_, x := s.sendFirst(ctx, m, got.Condition, s.unmetRequirement(ctx, requiresUnknownQuery) == nil,
			r, repeat)
		if x.IsClientError() && !x.IsTransient() {
			return spec.NotVerifiedf("", "the deployment never accepts such a request (%s); see "+
				"export.success", answers.Describe(x))
		}
	}
	return nil
}

// isConclusive reports whether an answer shows replay protection at work. A lost attempt may
// count as an earlier request.
func (s *Suite) isConclusive(x *client.Exchange) bool {
	if x.Status == http.StatusTooManyRequests {
		return s.blocks429.Load()
	}
	return !x.IsTransient() && !x.IsServerError() && (x.Attempt == 1 || x.IsSuccess())
}

// classify429 finds out whether a 429 is a block or a throttle: a block comes each time, while a
// fresh request right after it is accepted.
func (s *Suite) classify429(ctx context.Context, met *client.Exchange, call target.Request) {
	if met.Status != http.StatusTooManyRequests || s.blocks429.Load() || s.throttles.Load() {
		return
	}
	const times = 3
	call.MayBlock = true
	for range times {
		x := s.target.Send(ctx, func() target.Request { return call })
		s.lab.MarkInvalid(x)
		fresh, accepted := s.lab.SendLivenessProbe(ctx, client.OperationExport)
		if ctx.Err() != nil {
			return
		}
		if x.Status != http.StatusTooManyRequests || !accepted || fresh.Attempt > 1 {
			s.throttles.Store(true)
			return
		}
	}
	s.blocks429.Store(true)
}
