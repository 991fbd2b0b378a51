package replay

import (
	"context"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// early is what the run sent first in one mode, and when. It is repeated when the run ends.
type early struct {
	sent target.ExportCall
	at   time.Time
}

// lateAfter is how old a request is at least when it is repeated, however short the run.
const lateAfter = 2 * time.Second

// early declares the first request of the run in a mode. It goes ahead of everything else at the gate.
func (s *Suite) early(m rules.Mode) *spec.Observation[early] {
	label := "first request of the run, " + called(m)
	return spec.Observe(s.Plan, label, func(ctx context.Context) (e early, _ error) {
		x := s.t.StartExport(client.WithRank(ctx, 0), func() target.ExportCall {
			e.sent = s.request(m, label, nil)
			return e.sent
		})
		e.at = time.Now()
		if err := s.t.Usable(ctx, x); err != nil || x.Success() {
			return e, err
		}
		return e, spec.Unclear("the first request was not accepted (%s); see %s", target.Describe(x), spec.Ref("replay."+m.Name+".first"))
	})
}

// late: the document sets no end to what counts as an earlier request.
func (s *Suite) late() {
	s.Rule("replay.late", rules.Must, rules.ExportOperation,
		"The first request of a run is still blocked when it is repeated as the last.", func() {
			for _, m := range rules.Modes() {
				repeat, _ := s.lateRepeat(m), s.exact(m)
				s.It("blocks the first request of the run, repeated as the last, with "+called(m), func(ctx spec.Context) {
					got := repeat.Await(ctx)
					s.unlessExact(ctx, change{}, m, got.Exchange)
					ctx.Expect(got).To(BeBlocked())
				})
			}
		})
}

// lateRepeat repeats the first request of a mode.
func (s *Suite) lateRepeat(m rules.Mode) *spec.Observation[target.Answer] {
	first, label := s.early(m), "first request of the run, repeated as the last, "+called(m)
	return spec.Observe(s.Plan, label, func(ctx context.Context) (a target.Answer, _ error) {
		e, err := first.Get(ctx)
		if err != nil {
			return a, err
		}
		if !target.Wait(ctx, lateAfter-time.Since(e.at)) {
			return a, spec.Interrupted
		}
		e.sent.Label, e.sent.MayBlock = label, s.blocks429.Load()
		x := s.t.StartExport(ctx, func() target.ExportCall { return e.sent })
		s.t.Disown(x)
		if s.pair(ctx, x, e.sent); ctx.Err() != nil {
			return a, spec.Interrupted
		}
		if !s.clear(x) {
			return a, spec.Unclear("the late repeat got no answer that can be judged (%s): a later attempt may be blocked because of a "+
				"lost one", target.Describe(x))
		}
		return target.Answer{Exchange: x, Attempts: []*client.Exchange{x}}, nil
	}, spec.AtEnd)
}
