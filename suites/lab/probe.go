package lab

import (
	"context"
	"net/http"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Probe is a request as a rule means it: a valid one with something special about it.
type Probe struct {
	Operation client.Operation
	What      string                // is special about it: "no email"
	Label     string                // of the request; empty: it says What, of a creation that it is one
	Edit      func(*target.Request) // makes it of a valid one; nil: it stays
	Fields    []string              // of a creation that it changes, by their logical names

	Expectation
	Excused func(target.Answer) bool // an answer that is right all the same; nil: none is
	Doubts  []Doubt                  // that may end the case where the answer is not right

	In         []design.Context // it is tried in one after the other, up to the first where it is not answered right; none: plainly
	Everywhere bool             // it is tried in all contexts that its rule has
	Without    []string         // factors that it is about itself
	OfCaller   bool             // it is about whom it runs for, or whose objects it names: so are some factors

	Unmet  func(context.Context) error // why it is not sent
	Given  []Given                     // valid requests without the defect: where one is not accepted, a refusal says nothing
	Unless string                      // What of a request with a simpler defect: where that is not answered right, this one is not sent
	Alone  bool                        // it does not rest on another valid request being accepted

	Turn    spec.Sampling // of its case
	Welcome bool          // it is valid
	Claim   target.Claim
}

// FieldKeys stand in front of a field in the key of the deployment file that gives its name.
const FieldKeys = "legal_representative.fields."

// Given is a valid request that others rest on.
type Given = *spec.Observation[target.Answer]

// Expectation is which answers speak about a request, and which of these are right.
type Expectation struct {
	Clear target.Clear        // nil: target.AboutField
	Right gomega.OmegaMatcher // nil: matchers.BeAccepted of one that is valid, else matchers.BeRejected
}

// Doubt ends a case where an answer that is not right may be about something else.
type Doubt func(ctx spec.Context, a target.Answer)

// Probed is a probe that was declared.
type Probed struct {
	Probe
	Seen *spec.Observation[target.Answer]
}

// String names the request in a case.
func (p Probe) String() string {
	if p.Operation == Create {
		return "a creation with " + p.What
	}
	return "an export with " + p.What
}

func (p Probe) label() string {
	switch {
	case p.Label != "":
		return p.Label
	case p.Operation == Create:
		return "creation with " + p.What
	}
	return p.What
}

// complete fills in what a probe leaves open.
func (p Probe) complete() Probe {
	switch {
	case p.Right != nil:
	case p.Welcome:
		p.Right = matchers.BeAccepted()
	default:
		p.Right = matchers.BeRejected()
	}
	if p.Clear == nil {
		p.Clear = target.AboutField
	}
	return p
}

// Holds reports whether a probe got what is right.
func (p Probe) Holds(a target.Answer) bool {
	ok, err := p.Right.Match(a)
	return ok && err == nil || p.Excused != nil && p.Excused(a)
}

// Rejects declares a rule that each of some requests is rejected.
func (l *Lab) Rejects(id string, level rules.Level, section rules.Section, statement string, all []Probe, options ...any) {
	spec.Helper()
	l.p.Rule(id, level, section, statement, append(options, func() {
		for _, p := range all {
			l.ItRejects(p)
		}
	})...)
}

// ItRejects declares the case that a request is rejected.
func (l *Lab) ItRejects(p Probe) *spec.Observation[target.Answer] {
	spec.Helper()
	p = p.complete()
	seen := l.Send(p)
	l.p.CaseRestsOnNames(l.p.It("rejects "+p.String(), func(ctx spec.Context) {
		if a := seen.Await(ctx); !p.Holds(a) {
			for _, doubt := range p.Doubts {
				doubt(ctx, a)
			}
			ctx.Expect(a).To(p.Right)
		}
	}, p.Turn), l.names(p)...)
	return seen
}

// names are the keys of the deployment file for the name that a request rests on which is about one field.
func (l *Lab) names(p Probe) []string {
	if len(p.Fields) != 1 || l.t.Deployment.Documented(p.Fields[0]) {
		return nil
	}
	return []string{FieldKeys + p.Fields[0]}
}

// ItAccepts declares the case that a valid request is accepted, unless doubts end it.
func (l *Lab) ItAccepts(p Probe, seen *spec.Observation[target.Answer]) {
	spec.Helper()
	l.p.UseObservations(seen)
	l.p.It("accepts "+p.String(), func(ctx spec.Context) {
		a := seen.Await(ctx)
		if p.Operation == Create && a.Status == http.StatusConflict {
			ctx.Inconclusivef("answered 409, which is about identifiers; these were fresh, see create.repeat.other_transaction")
		}
		for _, doubt := range p.Doubts {
			doubt(ctx, a)
		}
		ctx.Expect(a).To(matchers.BeAccepted())
	}, p.Turn)
}

// Send declares a request. A creation with a defect is sent behind what is meant to be accepted: a run may create few
// representatives, and a rejection that fails to happen uses one up. What is only observed comes last of all, and makes
// records of what the rules left.
func (l *Lab) Send(p Probe) *spec.Observation[target.Answer] {
	l.p.NeedOperation(string(p.Operation))
	l.p.UseObservations(l.Valid(p.Operation))
	if p.Everywhere {
		p.In = l.Assign(p.Operation, l.p.CurrentRule().ID, 1)[0]
	}
	phase := spec.PhaseMain
	if p.Operation == Create && !p.Welcome {
		if phase, p.Claim = spec.PhaseAfterAcceptances, target.Preceded; l.p.CurrentRule().Level == rules.Observe {
			phase, p.Claim = spec.PhaseLate, target.Observed
		}
	}
	p = p.complete()
	seen := spec.Observe(l.p, string(p.Operation)+": "+p.label(), func(ctx context.Context) (target.Answer, error) {
		return l.Try(ctx, p)
	}, phase)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.probes[p.String()] = Probed{p, seen}
	return seen
}

// Try sends a request in one context after the other until one is not answered right. The condition of the answer is the
// smallest context that it takes.
func (l *Lab) Try(ctx context.Context, p Probe) (target.Answer, error) {
	p = p.complete()
	if p.Unmet != nil {
		if err := p.Unmet(ctx); err != nil {
			return target.Answer{}, err
		}
	}
	valid, err := l.Valid(p.Operation).Get(ctx)
	if err == nil || p.Alone && spec.NotVerifiedReason(err) == nil {
		err = l.keptBack(ctx, p)
	}
	if err != nil {
		return target.Answer{}, err
	}
	about := p.Without
	if p.OfCaller {
		about = append(l.Whose(p.Operation), about...)
	}
	a, condition, err := InContexts(ctx, l, p.Operation, p.In, p.Holds, func(with design.Context) (target.Answer, error) {
		var sent target.Request
		with = with.Without(about...)
		a, err := l.Settle(ctx, p.Clear, func() *client.Exchange {
			return l.t.Client.Send(ctx, func(int) *client.Request {
				sent = l.request(p, with)
				return l.t.Spell(sent)
			})
		}, func(ctx context.Context) (*client.Exchange, bool) { return l.Alive(ctx, p.Operation) })
		a.Sent, a.Subject = sent, p.label()
		l.note(p, a, err)
		return a, err
	})
	a.Condition, a.Control = condition, valid.Exchange
	return a, err
}

// Shared is what a request got that a rule has sent, or what it gets now, plainly.
func (l *Lab) Shared(ctx context.Context, p Probe) (target.Answer, error) {
	if sent, known := l.Probed(p); known && sent.Seen.Launched() {
		return sent.Seen.Get(ctx)
	}
	p.Claim = target.Evidence
	return l.Try(ctx, p)
}

// request makes the request of an attempt.
func (l *Lab) request(p Probe, with design.Context) target.Request {
	r := l.t.Valid(p.Operation, p.label())
	l.Give(&r, with)
	if p.Edit != nil {
		p.Edit(&r)
	}
	if len(with) > 0 {
		r.Label += ", with " + with.String()
	}
	if r.Unwelcome = !p.Welcome; p.Claim != 0 {
		r.Claim = p.Claim
	}
	return r
}

// note keeps what a valid creation got, and disowns what is none.
func (l *Lab) note(p Probe, a target.Answer, err error) {
	if !p.Welcome {
		l.Disown(a.Attempts...)
	} else if p.Operation == Create && err == nil && a.Success() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.made = append(l.made, a)
	}
}

// keptBack is why a request is not sent; nil: nothing keeps it back. Once a rule is seen to be broken, more of the same would only
// make representatives, and break other rules as well.
func (l *Lab) keptBack(ctx context.Context, p Probe) error {
	for _, given := range p.Given {
		if err := Accepting(ctx, given); err != nil {
			return err
		}
	}
	if p.Unless == "" {
		return nil
	}
	simpler, known := l.Probed(Probe{Operation: p.Operation, What: p.Unless})
	if !known {
		panic("lab: nobody sends what " + p.String() + " comes after, " + p.Unless)
	}
	if simpler.Seen.Launched() {
		if a, err := simpler.Seen.Get(ctx); err == nil && !simpler.Holds(a) {
			return spec.NotVerifiedf("", "not sent: a request with a similar defect was not rejected, %s", simpler.label())
		}
	}
	return nil
}

// Probed is the probe of this name that was declared; false: none was.
func (l *Lab) Probed(p Probe) (Probed, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found, known := l.probes[p.String()]
	return found, known
}

// Accepting is why a refusal of a valid request with a defect would say nothing: the same without it is not accepted; nil: it is.
func Accepting(ctx context.Context, valid Given) error {
	a, err := valid.Get(ctx)
	switch {
	case err != nil || a.Success():
		return err
	case a.Refusal() && a.Status != http.StatusTooManyRequests:
		return spec.NotVerifiedf("", "the same request without the defect is refused as well (%s)", a)
	}
	return spec.Inconclusivef("the same request without the defect was not accepted (%s), so a refusal would prove nothing", a)
}
