package lab

import (
	"context"
	"net/http"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/design"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Probe is a request as a rule means it: a valid one with something special about it.
type Probe struct {
	Operation   client.Operation
	Description string // is special about it: "no email"
	// of the request; empty: it is the Description, of a creation that it is one
	Label         string
	Edit          func(*target.Request) // makes it of a valid one; nil: it stays
	ChangedFields []string              // of a creation that it changes, by their logical names

	Expectation
	Tolerated          func(target.Answer) bool // an answer that is right all the same; nil: none is
	InconclusiveChecks []InconclusiveCheck      // that may end the case where the answer is not right

	// it is tried in one after the other, up to the first where it is not answered right; none:
	// plainly
	Configurations    []design.Configuration
	AllConfigurations bool     // it is tried in all contexts that its rule has
	ExcludedFactors   []string // factors that it is about itself
	// it is about whom it runs for, or whose objects it names: so are some factors
	ConcernsCaller bool

	Precondition func(context.Context) error // why it is not sent
	// valid requests without the defect: where one is not accepted, a refusal says nothing
	RequiresAccepted []AnswerObservation
	// What of a request with a simpler defect: where that is not answered right, this one is not sent
	RequiresRejectionOf string
	// it does not rest on another valid request being accepted
	IgnoresControl bool

	Sampling      spec.Sampling // of its case
	Valid         bool          // it is valid
	CreateReserve client.CreateReserve
}

// FieldKeyPrefix stand in front of a field in the key of the deployment file that gives its name.
const FieldKeyPrefix = "legal_representative.fields."

// AnswerObservation is a valid request that others rest on.
type AnswerObservation = *spec.Observation[target.Answer]

// Expectation is which answers speak about a request, and which of these are right.
type Expectation struct {
	Conclusive answers.ConclusiveFunc // nil: target.ConclusiveForField
	// nil: matchers.BeAccepted of one that is valid, else matchers.BeRejected
	Matcher gomega.OmegaMatcher
}

// InconclusiveCheck ends a case where an answer that is not right may be about something else.
type InconclusiveCheck func(ctx spec.Context, a target.Answer)

// DeclaredProbe is a probe that was declared.
type DeclaredProbe struct {
	Probe
	Answer *spec.Observation[target.Answer]
}

// String names the request in a case.
func (p Probe) String() string {
	if p.Operation == OperationCreate {
		return "a creation with " + p.Description
	}
	return "an export with " + p.Description
}

func (p Probe) requestLabel() string {
	switch {
	case p.Label != "":
		return p.Label
	case p.Operation == OperationCreate:
		return "creation with " + p.Description
	}
	return p.Description
}

// withDefaults fills in what a probe leaves open.
func (p Probe) withDefaults() Probe {
	switch {
	case p.Matcher != nil:
	case p.Valid:
		p.Matcher = matchers.BeAccepted()
	default:
		p.Matcher = matchers.BeRejected()
	}
	if p.Conclusive == nil {
		p.Conclusive = answers.ConclusiveForField
	}
	if len(p.Configurations) == 0 {
		p.Configurations = []design.Configuration{nil}
	}
	return p
}

// IsExpected reports whether a probe got what is right.
func (p Probe) IsExpected(a target.Answer) bool {
	ok, err := p.Matcher.Match(a)
	return ok && err == nil || p.Tolerated != nil && p.Tolerated(a)
}

// ObserveProbe declares a request. A creation with a defect is sent behind what is meant to be
// accepted: a run may create few representatives, and a rejection that fails to happen uses one up.
// What is only observed comes last of all, and makes records of what the rules left.
func (l *Lab) ObserveProbe(p Probe) *spec.Observation[target.Answer] {
	l.plan.NeedOperation(string(p.Operation))
	l.plan.UseObservations(l.PlainControl(p.Operation))
	if p.AllConfigurations {
		p.Configurations = l.AssignConfigurations(p.Operation, l.plan.CurrentRule().ID, 1)[0]
	}
	phase := spec.PhaseMain
	if p.Operation == OperationCreate && !p.Valid {
		phase, p.CreateReserve = spec.PhaseAfterAcceptances, client.ReserveForLate
		if l.plan.CurrentRule().Level == rules.Observe {
			phase, p.CreateReserve = spec.PhaseLate, client.ReserveForObserved
		}
	}
	p = p.withDefaults()
	seen := spec.Observe(
		l.plan,
		string(p.Operation)+": "+p.requestLabel(),
		func(ctx context.Context) (target.Answer, error) {
			return l.SendInConfigurations(ctx, p)
		},
		phase,
	)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.probesByName[p.String()] = DeclaredProbe{p, seen}
	return seen
}

// SendInConfigurations sends a request in one context after the other until one is not answered
// right. The condition of the answer is the smallest context that it takes.
func (l *Lab) SendInConfigurations(ctx context.Context, p Probe) (target.Answer, error) {
	p = p.withDefaults()
	if p.Precondition != nil {
		if err := p.Precondition(ctx); err != nil {
			return target.Answer{}, err
		}
	}
	valid, err := l.PlainControl(p.Operation).Get(ctx)
	if err == nil || p.IgnoresControl && spec.NotVerifiedReason(err) == nil {
		err = l.reasonNotSent(ctx, p)
	}
	if err != nil {
		return target.Answer{}, err
	}
	about := p.ExcludedFactors
	if p.ConcernsCaller {
		about = append(l.IdentityFactors(p.Operation), about...)
	}
	var a target.Answer
	for _, with := range p.Configurations {
		if with, err = l.acceptedPart(ctx, p.Operation, with); err != nil {
			return a, err
		}
		if a, err = l.sendProbe(ctx, p, with.Without(about...)); err != nil {
			break
		}
		if !p.IsExpected(a) {
			a, a.Condition = minimiseConfiguration(l.designs[p.Operation]().Design, with, a, p.IsExpected,
				func(some design.Configuration) (target.Answer, error) {
					return l.sendProbe(ctx, p, some.Without(about...))
				})
			break
		}
	}
	a.Control = valid.Exchange
	return a, err
}

// sendProbe sends a request in a context until its answer is clear.
func (l *Lab) sendProbe(
	ctx context.Context, p Probe, with design.Configuration,
) (target.Answer, error) {
	tries := l.newAttempts(p.Conclusive, func(ctx context.Context) (*client.Exchange, bool) {
		return l.SendLivenessProbe(ctx, p.Operation)
	})
	var sent target.Request
	for more := true; more; {
		more = tries.needAnother(ctx, l.target.Client.Send(ctx, func(int) *client.Request {
			sent = l.buildRequest(p, with)
			return l.target.BuildRequest(sent)
		}))
	}
	a, err := tries.answer, tries.err
	a.Sent, a.Subject = sent, p.requestLabel()
	l.noteOutcome(p, a, err)
	return a, err
}

// AnswerOrSend is what a request got that a rule has sent, or what it gets now, plainly.
func (l *Lab) AnswerOrSend(ctx context.Context, p Probe) (target.Answer, error) {
	if sent, known := l.FindProbe(p.Operation, p.Description); known && sent.Answer.Launched() {
		return sent.Answer.Get(ctx)
	}
	p.CreateReserve = client.ReserveForEvidence
	return l.SendInConfigurations(ctx, p)
}

// buildRequest makes the request of an attempt.
func (l *Lab) buildRequest(p Probe, with design.Configuration) target.Request {
	r := l.target.NewValid(p.Operation, p.requestLabel())
	l.ApplyConfiguration(&r, with)
	if p.Edit != nil {
		p.Edit(&r)
	}
	if len(with) > 0 {
		r.Label += ", with " + with.String()
	}
	if r.Invalid = !p.Valid; p.CreateReserve != 0 {
		r.CreateReserve = p.CreateReserve
	}
	return r
}

// noteOutcome keeps what a valid creation got, and disowns what is none.
func (l *Lab) noteOutcome(p Probe, a target.Answer, err error) {
	if !p.Valid {
		l.MarkInvalid(a.Attempts...)
	} else if p.Operation == OperationCreate && err == nil && a.IsSuccess() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.validCreations = append(l.validCreations, a)
	}
}

// reasonNotSent is why a request is not sent; nil: nothing keeps it back. Once a rule is seen to be
// broken, more of the same would only make representatives, and break other rules as well.
func (l *Lab) reasonNotSent(ctx context.Context, p Probe) error {
	for _, given := range p.RequiresAccepted {
		if err := RequireAccepted(ctx, given); err != nil {
			return err
		}
	}
	if p.RequiresRejectionOf == "" {
		return nil
	}
	simpler, known := l.FindProbe(p.Operation, p.RequiresRejectionOf)
	if !known {
		panic("lab: nobody sends what " + p.String() + " comes after, " + p.RequiresRejectionOf)
	}
	if simpler.Answer.Launched() {
		if a, err := simpler.Answer.Get(ctx); err == nil && !simpler.IsExpected(a) {
			return spec.NotVerifiedf("", "not sent: a request with a similar defect was not rejected, %s",
				simpler.requestLabel())
		}
	}
	return nil
}

// FindProbe is the probe of this description that was declared; false: none was.
func (l *Lab) FindProbe(op client.Operation, description string) (DeclaredProbe, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found, known := l.probesByName[Probe{Operation: op, Description: description}.String()]
	return found, known
}

// RequireAccepted is why a refusal of a valid request with a defect would say nothing: the same
// without it is not accepted; nil: it is.
func RequireAccepted(ctx context.Context, valid AnswerObservation) error {
	a, err := valid.Get(ctx)
	switch {
	case err != nil || a.IsSuccess():
		return err
	case a.IsClientError() && a.Status != http.StatusTooManyRequests:
		return spec.NotVerifiedf("", "the same request without the defect is refused as well (%s)", a)
	}
	return spec.Inconclusivef(
		"the same request without the defect was not accepted (%s), so a refusal would prove nothing", a)
}
