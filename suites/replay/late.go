package replay

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/design"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// early is what the run sent first in one mode. The accepted calls are repeated when the run ends.
type early struct {
	target.Answer
	accepted []target.ExportCall
	at       time.Time
}

const (
	// spares is how many early requests each mode has: when trouble spoils the late repeat of one, the next one serves.
	spares = 2
	// lateAfter is how old a request is at least when it is repeated, however short the run.
	lateAfter = 2 * time.Second
	// lateTries bounds how often one late repeat is sent when it gets no clear answer.
	lateTries = 4
)

// early declares the first requests of the run. They go ahead of everything else at the gate.
func (s *Suite) early(m rules.Mode) *spec.Observation[early] {
	label := "first request of the run, " + called(m)
	return spec.Observe(s.Plan, label, func(ctx context.Context) (early, error) {
		ctx = client.WithRank(ctx, 0)
		var e early
		var sent target.ExportCall
		var err error
		send := func() *client.Exchange {
			x := s.t.StartExport(ctx, func() target.ExportCall {
				sent = s.request(m, label)
				return sent
			})
			s.sighted(m, x, false)
			if x.Success() {
				e.accepted = append(e.accepted, sent)
			}
			return x
		}
		if e.Answer, err = s.t.Settle(ctx, target.AboutCaller, send, s.c.ExportAlive); err == nil && e.Crashed() {
			s.sighted(m, e.Exchange, true)
		}
		for range spares - 1 {
			if err == nil && e.Success() {
				send()
			}
		}
		e.at = time.Now()
		return e, err
	})
}

// firstRequests: requests that repeat nothing pass. Every group of a mode begins with one, and all of them count.
// Whether a refusal is about replay protection at all shows in the other modes: where no export is accepted in any of
// them, the credential or the fixtures are to blame.
func (s *Suite) firstRequests() {
	for _, m := range rules.Modes() {
		s.Rule("replay."+m.Name+".first", rules.Must, rules.ExportOperation,
			with(m)+"a request that repeats no earlier one passes.", func() {
				firsts := map[string]*spec.Observation[early]{}
				for _, other := range rules.Modes() {
					firsts[other.Name] = s.early(other)
				}
				groups, inContext := s.groups(m), s.firstInContext(m)
				s.It("lets every first request through", func(ctx spec.Context) {
					groups.Settled(ctx)
					firsts[m.Name].Settled(ctx)
					all := slices.DeleteFunc(s.firstsOf(m), s.t.Stray)
					if len(all) == 0 { // never answered: there is an observation only if a valid export was, meanwhile
						all = append(all, firsts[m.Name].Await(ctx).Exchange)
					}
					refused := len(all) - number(all, (*client.Exchange).Success)
					if refused == len(all) {
						elsewhere := false
						for name, o := range firsts {
							e, ok := o.Settled(ctx)
							elsewhere = elsewhere || ok && name != m.Name && e.Success()
						}
						if !elsewhere {
							ctx.Inconclusive("no export was accepted in any mode (%s), see export.success", Outcomes(all))
						}
					}
					ctx.Attempts(len(all), refused)
					ctx.Expect(all).To(AllBeAccepted("Requests with " + called(m) + " that repeat nothing"))
					if got, ok := inContext.Settled(ctx); ok && got.Exchange != nil {
						ctx.Expect(got).To(BeAccepted())
					}
				})
			})
	}
}

// firstInContext sends another first request in each context in which one was refused, and looks for the smallest one that
// it takes: a valid export is accepted in that context, and a first request of the mode without it. Where none was refused,
// nothing is sent.
func (s *Suite) firstInContext(m rules.Mode) *spec.Observation[target.Answer] {
	name := "first request in contexts where one was refused, " + called(m)
	return spec.Observe(s.Plan, name, func(ctx context.Context) (target.Answer, error) {
		if _, err := s.groups(m).Get(ctx); err != nil {
			return target.Answer{}, err
		}
		_, unknown := s.unknownQuery().Get(ctx)
		accepted := func(a target.Answer) bool { return a.Exchange == nil || a.Success() }
		a, condition, err := control.InContexts(ctx, s.c, client.Export, s.contextsRefused(m), accepted,
			func(with design.Context) (target.Answer, error) {
				return s.t.Settle(ctx, target.AboutField, func() *client.Exchange {
					return s.t.StartExport(ctx, func() target.ExportCall {
						call := s.request(m, name)
						if unknown == nil {
							tagged(&call)
						}
						s.in(&call, with)
						return call
					})
				}, s.c.ExportAlive)
			})
		switch {
		case err != nil || accepted(a):
			return target.Answer{}, err
		case len(condition) == 0:
			return target.Answer{}, spec.Unclear("a first request is refused without other options as well (%s)", a)
		case m.Header != "":
			condition = append(record.Only(m.Header), condition...)
		}
		a.Condition = condition
		return a, nil
	})
}

// late: the document sets no end to what counts as an earlier request.
func (s *Suite) late() {
	s.lookedBack()
	s.Rule("replay.late", rules.Must, rules.ExportOperation,
		"The first request of a run is still blocked when it is repeated as the last.", func() {
			for _, m := range rules.Modes() {
				repeat, excused := s.lateRepeat(m), s.unlessExact(m)
				s.It("blocks the first request of the run, repeated as the last, with "+called(m), func(ctx spec.Context) {
					got := repeat.Await(ctx)
					excused(ctx, got.Exchange)
					ctx.Expect(got).To(BeBlocked())
				})
			}
		})
}

// lookedBack notes how late the late repeats were.
func (s *Suite) lookedBack() {
	s.Rule("replay.observed.late", rules.Observe, rules.ExportOperation,
		"How long after the first requests of the run, and after how many others, they were repeated.",
		spec.Asking("export"), func() {
			firsts, lasts := map[string]*spec.Observation[early]{}, map[string]*spec.Observation[target.Answer]{}
			for _, m := range rules.Modes() {
				firsts[m.Name], lasts[m.Name] = s.early(m), s.lateRepeat(m)
			}
			s.It("looks back from the end of the run", func(ctx spec.Context) {
				seconds, exports := math.Inf(1), math.Inf(1) // the least of any mode
				for _, m := range rules.Modes() {
					first, err := firsts[m.Name].Get(ctx)
					last, ok := lasts[m.Name].Settled(ctx)
					if err == nil && ok {
						seconds = min(seconds, last.StartedAt.Sub(first.at).Seconds())
						exports = min(exports, float64(s.exportsBetween(first.Exchange, last.Exchange)))
					}
				}
				if math.IsInf(seconds, 1) {
					ctx.Inconclusive("no first request of the run was repeated")
				}
				ctx.Saw(record.Value{Name: "repeated", Values: []string{fmt.Sprintf(
					"%g s and %g exports later, or more; a lower --rate makes the run longer",
					stepBelow(seconds), stepBelow(exports))}, Varies: true})
			})
		})
}

// stepBelow is the next of 1, 2, 5, 10, 20, 50 … that is not above x, which is the same in runs that are alike.
func stepBelow(x float64) float64 {
	if x < 1 {
		return 0
	}
	step := math.Pow(10, math.Floor(math.Log10(x)))
	for _, times := range []float64{5, 2} {
		if times*step <= x {
			return times * step
		}
	}
	return step
}

// lateRepeat repeats the first request of a mode.
func (s *Suite) lateRepeat(m rules.Mode) *spec.Observation[target.Answer] {
	first := s.early(m)
	return spec.Observe(s.Plan, "first request of the run, repeated as the last, "+called(m),
		func(ctx context.Context) (target.Answer, error) { return s.repeatLate(ctx, m, first) }, spec.AtEnd)
}

// repeatLate repeats the early requests of a mode, the next one when trouble spoiled the repeat of the one before: an
// attempt that got no answer may be what a later one is blocked for.
func (s *Suite) repeatLate(ctx context.Context, m rules.Mode, o *spec.Observation[early]) (target.Answer, error) {
	first, err := o.Get(ctx)
	if err != nil {
		return target.Answer{}, err
	}
	if len(first.accepted) == 0 {
		return target.Answer{}, spec.Unclear("the first request was not accepted (%s); see replay.%s.first",
			target.Describe(first.Exchange), m.Name)
	}
	if !target.Wait(ctx, lateAfter-time.Since(first.at)) {
		return target.Answer{}, spec.Interrupted
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
			clear, err := s.clear(ctx, x, sent)
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
				if !target.Wait(ctx, pause) {
					return a, spec.Interrupted
				}
				pause *= 2
				continue
			}
			break
		}
	}
	return a, spec.Unclear(
		"the late repeat got no answer that can be judged (%s): a later attempt may have been blocked because of a "+
			"lost one",
		Outcomes(a.Attempts))
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
