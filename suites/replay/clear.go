package replay

import (
	"context"
	"net/http"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// pairs is how often a repeat has to get 429 while a fresh request right after it does not, before 429 is taken for the
// deployment's way to block rather than for a throttle.
const pairs = 3

// unthrottled separates a block by 429 from a throttle. Once a deployment was seen to throttle, 429 is waited out as
// ever.
func (s *Suite) unthrottled(ctx context.Context, x *client.Exchange, again target.ExportCall) error {
	if x.Status != http.StatusTooManyRequests || !again.MayBlock || s.blocks429.Load() {
		return nil
	}
	return s.paired(ctx, again)
}

// paired sends a repeat that got 429 again, each time with a fresh request right after it.
func (s *Suite) paired(ctx context.Context, again target.ExportCall) error {
	again.MayBlock = true
	for range pairs {
		x := s.t.StartExport(ctx, func() target.ExportCall { return again })
		fresh := s.t.StartExport(ctx, func() target.ExportCall {
			return s.t.Export("fresh request after a repeat that got 429", s.t.Unique("429"))
		})
		if ctx.Err() != nil {
			return spec.Interrupted
		}
		if x.Status != http.StatusTooManyRequests || !fresh.Success() || fresh.Attempt > 1 {
			s.throttles.Store(true)
			return spec.Transient("throttled")
		}
	}
	s.blocks429.Store(true)
	return nil
}

// clear reports whether the answer to a repeat speaks about replay protection. A throttle that does not go away while
// another export is accepted is a way to block. One that went away leaves a doubt about every later refusal: the
// throttled attempt may have counted as an earlier request. One that asks to wait longer than a run does was not sent
// again so far.
func (s *Suite) clear(ctx context.Context, x *client.Exchange, sent target.ExportCall) (bool, error) {
	switch {
	case ctx.Err() != nil:
		return false, spec.Interrupted
	case x.Status == http.StatusTooManyRequests && x.Attempt == 1 && !sent.MayBlock && !s.blocks429.Load():
		err := s.paired(ctx, sent)
		return err == nil, err
	case x.Status == http.StatusTooManyRequests:
		alive, ok := s.c.ExportAlive(ctx)
		if !ok {
			return false, spec.Transient("throttled, and another export was not accepted either (%s)",
				target.Describe(alive))
		}
		return true, nil
	case x.Transient(), x.Crashed():
		return false, nil
	}
	return x.Attempt == 1 || x.Success(), nil
}

// steps sends requests one after the other, whatever each of them gets, for what is only observed; accepted: unless the
// first is refused. requests is asked for all of them anew when the deployment was out of order in between.
func (s *Suite) steps(ctx context.Context, accepted bool, requests func() []target.ExportCall,
) ([]*client.Exchange, error) {
	var seen []*client.Exchange
	for i, call := range requests() {
		call.MayBlock = i > 0 && !s.throttles.Load()
		x := s.t.StartExport(ctx, func() target.ExportCall { return call })
		if i > 0 {
			s.t.Disown(x)
		}
		clear, err := s.clear(ctx, x, call)
		if err != nil {
			return nil, err
		}
		if !clear || i == 0 && x.Status == http.StatusTooManyRequests {
			return nil, spec.Transient("%s", target.Describe(x))
		}
		if seen = append(seen, x); accepted && !seen[0].Success() {
			break
		}
	}
	return seen, nil
}
