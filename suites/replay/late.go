package replay

import (
	"context"
	"time"

	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

const (
	// lateAfter is how old a request is at least when it is repeated, however short the run.
	lateAfter = 2 * time.Second
	// lateTries bounds how often one late repeat is sent when it gets no clear answer.
	lateTries = 4
)

// checkLate repeats, when everything else has ended, what the run sent first. The document sets no end to what counts
// as an earlier request.
func (s *suite) checkLate() {
	for _, m := range rules.Modes() {
		o := spec.ObserveLast(s.p, "the first request of the run once more, as its last, "+called(m), func(ctx context.Context) (target.Answer, error) {
			return s.late(ctx, m)
		})
		// The first request of the run, repeated as the last, is still blocked.
		s.p.It("replay.late", called(m), spec.After(o), func(ctx context.Context) {
			Expect(o.Await(ctx)).To(BeBlocked())
		})
	}
}

// late repeats the early requests of a mode, the next one when trouble spoiled the repeat of the one before: an attempt
// that got no answer may be what a later one is blocked for.
func (s *suite) late(ctx context.Context, m rules.Mode) (target.Answer, error) {
	first, err := s.early[m.Name].Get(ctx)
	if err != nil {
		return target.Answer{}, err
	}
	if len(first.accepted) == 0 {
		return target.Answer{}, spec.Unclear("the first request was not accepted (%s); see replay.%s.first", target.Describe(first.Exchange), m.Name)
	}
	if err := wait(ctx, lateAfter-time.Since(first.at)); err != nil {
		return target.Answer{}, err
	}
	var a target.Answer
	for _, sent := range first.accepted {
		sent.Label = "first request of the run, repeated as the last, " + called(m)
		sent.MayBlock = s.blocks429.Load()
		spoilt, pause := false, 200*time.Millisecond
		for range lateTries {
			x := s.t.StartExport(ctx, func() target.ExportCall { return sent })
			a.Exchange = x
			a.Attempts = append(a.Attempts, x)
			s.t.Disown(x)
			clear, err := s.clear(ctx, x)
			switch {
			case ctx.Err() != nil:
				return a, spec.Interrupted
			case x.Success(), clear && !spoilt:
				a.Attempts = a.Attempts[len(a.Attempts)-1:]
				return a, nil
			case err == nil && !x.Transient(), clear:
				spoilt = true // refused, after an attempt that may have counted
			default:
				spoilt = true
				if err := wait(ctx, pause); err != nil {
					return a, err
				}
				pause *= 2
				continue
			}
			break
		}
	}
	return a, spec.Unclear("the late repeat got no answer that can be judged (%s): an attempt that was lost may be what a later one is blocked for",
		Outcomes(a.Attempts))
}

func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return spec.Interrupted
	}
}
