package replay

import (
	"context"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/target"
)

// variation is one of several repeats of the same first request, all of which end alike.
type variation struct {
	only  []record.Setting // by which a repeat goes wrong for this one
	later bool             // it repeats the last request in between, and goes without where that was not accepted
	// it may be refused for what it is, and is left out where it is refused when it repeats nothing
	doubtful bool
	change
}

// attempt is a variation of a repeat that was sent.
type attempt struct {
	*client.Exchange
	place int              // among the variations
	clear bool             // its answer speaks about replay protection
	only  []record.Setting // see variation; none: it went as it should
}

// vary sends the variations of a repeat until one of them goes wrong, or gets no clear answer, and returns the last.
func (s *Suite) vary(ctx context.Context, m rules.Mode, how repeat, sent target.ExportCall, earlier bool,
) (last attempt, err error) {
	for i, one := range how.variations() {
		if one.later && !earlier {
			continue
		}
		next := attempt{place: i}
		if next.Exchange, next.clear, err = s.again(ctx, m, how, one.of(sent)); err != nil {
			return last, err
		}
		if next.clear && one.doubtful && next.Refusal() && s.unsound(ctx, m, how, one) {
			continue
		}
		if last = next; !last.clear {
			break
		}
		if len(how.each) > 0 && last.Success() == how.blocks {
			last.only = one.only
			break
		}
	}
	return last, nil
}

// variations are the repeats of one first request.
func (how repeat) variations() []variation {
	if len(how.each) > 0 {
		return how.each
	}
	return []variation{{change: how.again}}
}

// again sends a repeat, and reports whether its answer speaks about replay protection.
func (s *Suite) again(ctx context.Context, m rules.Mode, how repeat, call target.ExportCall) (*client.Exchange, bool,
	error,
) {
	call.Label = called(m) + ", a request that " + how.words
	call.MayBlock = how.blocks && !s.throttles.Load()
	x := s.t.StartExport(ctx, func() target.ExportCall { return call })
	if how.blocks {
		s.t.Disown(x)
	}
	if err := s.unthrottled(ctx, x, call); err != nil {
		return x, false, err
	}
	clear, err := s.clear(ctx, x, call)
	return x, clear, err
}
