package replay

import (
	"context"
	"fmt"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// repeated is a request that was accepted, and what its repeat got.
type repeated struct {
	target.Answer // of the repeat
	First         *client.Exchange
}

const (
	// chains is how often an observation starts a chain anew when the repeat had no usable answer.
	chains = 4
	// mostChains is how often it does where repeats get lost by accident.
	mostChains = 3 * chains
)

// request makes a first request: nothing in it was ever sent before.
func (s *Suite) request(m rules.Mode, label string, chain ...string) target.ExportCall {
	call := s.t.Export(label, s.t.Unique(fmt.Sprint(label, chain)))
	call.Mode, call.Transaction = m.Header, target.UUID()
	return call
}

// repeat is one way to repeat a request.
type repeat struct {
	words  string // "a request that ..."
	blocks bool   // it has to be blocked
	exact  bool   // it differs in nothing

	in      control.Row                                 // what stands beside both requests
	both    bool                                        // it is tried in both rows with partners
	where   func(context.Context) control.Row           // in which of those, known when the run has partners; nil: all
	grouped bool                                        // others repeat the same first request, see together.go
	among   func(g *group) []target.ExportCall          // what it comes to there; nil: as again says
	apart   bool                                        // what stands beside is as right for another credential
	tagged  bool                                        // the first request has a query
	queried bool                                        // it has one where the deployment allows it
	query   bool                                        // the two differ in their queries
	user    bool                                        // another user takes part, and so nothing of the caller's
	strange bool                                        // the deployment may know no such body at all
	first   change                                      // what else the first request has
	company control.Company                             // which is this, and nothing besides
	between func(target.ExportCall) []target.ExportCall // what is sent before the repeat; nil: nothing
	again   change                                      // of the first request into the repeat
	each    []variation                                 // in place of again: one repeat each, until one goes wrong
}

// change is what is different about a request; nil: nothing.
type change func(*target.ExportCall)

func (f change) of(call target.ExportCall) target.ExportCall {
	if f != nil {
		f(&call)
	}
	return call
}

// repeat declares a chain: a first request, and one that repeats it in some way.
func (s *Suite) repeat(m rules.Mode, how repeat) *repetition {
	return spec.Observe(s.Plan, called(m)+", a request that "+how.words, func(ctx context.Context) (repeated, error) {
		if err := s.impossible(ctx, how); err != nil {
			return repeated{}, err
		}
		if how.queried {
			_, unknown := s.unknownQuery().Get(ctx)
			how.tagged = unknown == nil
		}
		fate := Pass()
		if how.blocks {
			fate = BeBlocked()
		}
		asked := map[control.Row]bool{}
		right := func(r repeated) bool { ok, err := fate.Match(r.Answer); return ok && err == nil }
		r, only, err := control.Beside(ctx, s.c, client.Export, how.goes(ctx), right,
			func(with control.Company) (repeated, error) {
				if how.apart {
					with = with.Apart()
				}
				if r, ok := s.amongOthers(ctx, m, how, with, asked); ok {
					return r, nil
				}
				r, err := s.chain(ctx, m, how.beside(with))
				if how.strange { // it is the body that is asked for, which needs no company
					err = s.understood(ctx, m, how, r, err)
				}
				if how.strange && err == nil && len(with) > 0 && !right(r) {
					err = s.understoodBeside(ctx, m, how, with, r)
				}
				return r, err
			})
		r.Subject = "request with " + called(m) + " that " + how.words
		if len(only) > 0 {
			r.Condition = only
		} else if how.queried && how.tagged && how.first == nil && err == nil && !right(r) {
			plain := how
			plain.tagged, plain.first = false, func(*target.ExportCall) {} // one that is not repeated at the end
			if without, err := s.chain(ctx, m, plain); err == nil && right(without) {
				r.Condition = record.Only("a query")
			}
		}
		if how.blocks && err == nil && len(r.Condition) == 0 && !right(r) {
			r.Condition = s.forgotten(ctx, m, how, r, right)
		}
		return r, err
	})
}

// forgotten is the condition that a request was forgotten for those after it, where a repeat that comes ahead of them is blocked.
func (s *Suite) forgotten(ctx context.Context, m rules.Mode, how repeat, late repeated, right func(repeated) bool,
) []record.Setting {
	others := s.exportsBetween(late.First, late.Exchange)
	soon, err := s.chain(client.WithRank(ctx, 0), m, how)
	if err != nil || !right(soon) || s.exportsBetween(soon.First, soon.Exchange) >= others {
		return nil
	}
	return record.Only("other exports in between")
}

// exportsBetween is how many exports were sent between two requests.
func (s *Suite) exportsBetween(first, last *client.Exchange) (n int) {
	for seq := first.Seq + 1; seq < last.Seq; seq++ {
		if x := s.t.Client.Exchange(seq); x != nil && x.Operation == client.Export {
			n++
		}
	}
	return n
}

// rows are those that the repeat is tried in.
func (how repeat) rows() []control.Row {
	if how.both {
		return control.Accompanied(client.Export)
	}
	return []control.Row{how.in}
}

// goes is in which of its rows the repeat goes.
func (how repeat) goes(ctx context.Context) []control.Row {
	if how.where != nil {
		return []control.Row{how.where(ctx)}
	}
	return how.rows()
}

// beside is the repeat in company.
func (how repeat) beside(with control.Company) repeat {
	if own := how.first; len(with) > 0 {
		if own == nil {
			how.company = with
		}
		how.first = func(c *target.ExportCall) {
			accompany(c, with)
			*c = own.of(*c)
		}
	}
	return how
}

// accompany puts partners beside a request, but for another replay value.
func accompany(c *target.ExportCall, with control.Company) {
	mode, transaction := c.Mode, c.Transaction
	with.Export(c)
	c.Mode, c.Transaction = mode, transaction
}

// send sends a first request and returns the call that was accepted.
func (s *Suite) send(ctx context.Context, m rules.Mode, how repeat) (target.ExportCall, *client.Exchange, error) {
	var sent target.ExportCall
	x := s.t.StartExport(ctx, func() target.ExportCall {
		sent = how.first.of(s.request(m, "first request, "+called(m), spec.Acting(ctx)))
		if how.tagged {
			tagged(&sent)
		}
		return sent
	})
	if err := s.t.Usable(ctx, x); err != nil {
		return sent, x, err
	}
	if !how.tagged && how.first == nil {
		s.sighted(m, x)
	}
	if x.Crashed() {
		return sent, x, spec.Transient("the first request got %s", target.Describe(x))
	}
	if !x.Success() {
		return sent, x,
			spec.Unclear("the first request was not accepted (%s), so there is nothing to repeat; see %s",
				target.Describe(x), spec.Ref("replay."+m.Name+".first"))
	}
	return sent, x, nil
}

// chain sends a first request, what comes between, and then the repeat. A repeat that got no clear answer may
// have been noted by the deployment all the same, so its identifiers are given up and the chain starts anew. Where
// every first request was accepted and the same repeat was never answered, in the same way each time, that is the
// finding.
//
// When a part of the group is not compared at all, such as the body, every first request looks like one of the run's
// earlier ones and is refused. Then the chain sets itself apart by a query of its own, where the deployment allows one.
func (s *Suite) chain(ctx context.Context, m rules.Mode, how repeat) (repeated, error) {
	var lost []*client.Exchange
	var place, alike int // of the variation that was lost last, and how often it was in a row
	for {
		sent, first, err := s.send(ctx, m, how)
		if err != nil && !how.tagged && first.Refusal() {
			_, unknown := s.unknownQuery().Get(ctx)
			if unknown == nil {
				how.tagged = true
				continue
			}
			if len(sent.Fields) == 0 { // it may be the run that sent the same before
				return repeated{}, unknown
			}
		}
		if err != nil {
			s.refusedBeside(m, how.company, first)
			return repeated{}, err
		}
		earlier, err := s.between(ctx, how, sent)
		if err != nil {
			return repeated{}, err
		}
		last, err := s.vary(ctx, m, how, sent, earlier)
		if err != nil {
			return repeated{}, err
		}
		x := last.Exchange
		if last.clear {
			s.t.Came(x, lost)
			return repeated{
				Answer: target.Answer{Exchange: x, Attempts: []*client.Exchange{x}, Condition: last.only}, First: first,
			}, nil
		}
		if last.place != place {
			place, alike = last.place, 0
		}
		lost, alike = append(lost, x), alike+1
		switch {
		case x.Status != lost[0].Status || x.Attempt > 1 || len(lost) == mostChains:
			return repeated{}, spec.Transient("%s", target.Describe(x))
		case len(lost) >= chains && s.t.Astray() != nil:
			return repeated{}, s.t.Astray()
		case alike >= chains && !s.t.Accident(alike):
			a := target.Answer{Exchange: x, Attempts: lost[len(lost)-alike:], Control: first}
			return repeated{Answer: a, First: first}, nil
		}
	}
}

// between sends what comes between a first request and its repeat, and reports whether the last of it counts as a
// request before. Whatever it gets: what the first request was is not changed by it, and other rules are about it.
func (s *Suite) between(ctx context.Context, how repeat, sent target.ExportCall) (earlier bool, err error) {
	earlier = true
	if how.between == nil {
		return earlier, nil
	}
	for _, call := range how.between(sent) {
		call.MayBlock = !s.throttles.Load()
		x := s.t.StartExport(ctx, func() target.ExportCall { return call })
		s.t.Disown(x)
		if err := s.unthrottled(ctx, x, call); err != nil {
			return false, err
		}
		earlier = x.Success()
	}
	return earlier, nil
}
