package lab

import (
	"context"
	"net/http"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/design"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Probe is a request that a rule sends: a valid one, usually with one edit.
type Probe struct {
	Operation   client.Operation
	Description string // what is special about it: "no email"
	// Label is the label of the request. Where empty, it is derived from Description.
	Label         string
	Edit          func(*target.Request) // changes a valid request; nil: no change
	ChangedFields []string              // logical names of the creation fields that Edit changes

	Expectation
	Tolerated func(target.Answer) bool // whether another answer is right, too; nil: none
	// Tolerable is what a script expects of an acceptance that Tolerated does not excuse; nil: its
	// refusal.
	Tolerable          func(target.Answer) reproscript.Expectation
	InconclusiveChecks []InconclusiveCheck // may end the case where the answer is not right

	// Configurations are tried one after the other, up to the first that is not answered
	// correctly. Where empty, the request is sent without options.
	Configurations    []design.Configuration
	AllConfigurations bool     // try all configurations of its rule
	ExcludedFactors   []string // factors that the probe itself is about
	// ConcernsCaller: the probe is about the caller or about whose objects it names, like
	// IdentityFactors.
	ConcernsCaller bool

	Requires []func(context.Context, *Lab) error // each returns why the probe is not sent
	// IgnoresControl: the probe is judged even where no valid request is accepted.
	IgnoresControl bool

	Sampling      spec.Sampling // sampling of its case
	Valid         bool          // the request is valid
	CreateReserve client.CreateReserve
}

// FieldKeyPrefix precedes a field in the key of the deployment file that gives its name.
const FieldKeyPrefix = "legal_representative.fields."

// AnswerObservation is the observed answer to a request.
type AnswerObservation = *spec.Observation[target.Answer]

// Expectation says which answers are conclusive, and which of these are right.
type Expectation struct {
	Conclusive answers.ConclusiveFunc // nil: answers.ConclusiveForField
	// Matcher defaults to matchers.BeAccepted for a valid request, else matchers.BeRejected.
	Matcher gomega.OmegaMatcher
}

// An InconclusiveCheck ends a case where a wrong answer may have another cause.
type InconclusiveCheck func(ctx spec.Context, a target.Answer)

// DeclaredProbe is a probe and the observation of its answer.
type DeclaredProbe struct {
	Probe
	Answer AnswerObservation
}

// String names the request in a case: "a creation with no email".
func (p Probe) String() string {
	if p.Operation == client.OperationCreate {
		return "a creation with " + p.Description
	}
	return "an export with " + p.Description
}

func (p Probe) requestLabel() string {
	switch {
	case p.Label != "":
		return p.Label
	case p.Operation == client.OperationCreate:
		return "creation with " + p.Description
	}
	return p.Description
}

func (p Probe) matcher() gomega.OmegaMatcher {
	switch {
	case p.Matcher != nil:
		return p.Matcher
	case p.Valid:
		return matchers.BeAccepted()
	}
	return matchers.BeRejected()
}

// IsExpected reports whether the answer is right.
func (p Probe) IsExpected(a target.Answer) bool {
	ok, err := p.matcher().Match(a)
	return ok && err == nil || p.Tolerated != nil && p.Tolerated(a)
}

// ObserveProbe declares a request and returns the observation of its answer. Invalid creations
// are sent after the valid ones: a run may create few representatives, and an invalid creation
// that is accepted uses up one of limits.max_creates. Requests that are only observed come last
// and use what is left of that limit.
func (l *Lab) ObserveProbe(p Probe) AnswerObservation {
	l.plan.NeedOperation(string(p.Operation))
	l.plan.UseObservations(l.PlainControl(p.Operation))
	if p.AllConfigurations {
		p.Configurations = l.AssignConfigurations(p.Operation, l.plan.CurrentRule().ID, 1)[0]
	}
	phase := spec.PhaseMain
	if p.Operation == client.OperationCreate && !p.Valid {
		phase, p.CreateReserve = spec.PhaseAfterAcceptances, client.ReserveForLate
		if l.plan.CurrentRule().Level == rules.Observe {
			phase, p.CreateReserve = spec.PhaseLate, client.ReserveForObserved
		}
	}
	seen := spec.Observe(l.plan, string(p.Operation)+": "+p.requestLabel(),
		func(ctx context.Context) (target.Answer, error) {
			a, err := l.SendInConfigurations(ctx, p)
			if err != nil {
				return a, err
			}
			doubtful := !p.IsExpected(a) || l.mayRefuseAll(a)
			if p.Valid && p.isConflict(a) {
				doubtful = false // see ItAccepts
			}
			if !doubtful {
				return a, nil
			}
			return l.ConfirmRefusal(ctx, p, a)
		}, phase)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.probesByName[p.String()] = DeclaredProbe{p, seen}
	return seen
}

// SendInConfigurations sends a request in one configuration after the other until one is not
// answered correctly. The condition of the answer is the smallest configuration that fails.
func (l *Lab) SendInConfigurations(ctx context.Context, p Probe) (target.Answer, error) {
	for _, unmet := range p.Requires {
		if err := unmet(ctx, l); err != nil {
			return target.Answer{}, err
		}
	}
	valid, err := l.PlainControl(p.Operation).Get(ctx)
	if err != nil && (!p.IgnoresControl || spec.NotVerifiedReason(err) != nil) {
		return target.Answer{}, err
	}
	about := p.ExcludedFactors
	if p.ConcernsCaller {
		about = append(l.IdentityFactors(p.Operation), about...)
	}
	a, err := l.FindFailingConfiguration(ctx, p.Operation, p.Configurations, p.IsExpected,
		func(config design.Configuration) (target.Answer, error) {
			return l.sendProbe(ctx, p, config.Without(about...))
		})
	a.Control = valid.Exchange
	return a, err
}

// sendProbe sends a request in a configuration until its answer is clear.
func (l *Lab) sendProbe(
	ctx context.Context, p Probe, config design.Configuration,
) (target.Answer, error) {
	a, err := l.sendBuilt(ctx, p, func() target.Request { return l.buildRequest(p, config) })
	if p.Valid && err == nil {
		a = l.RetryRefused(ctx, a, func() (target.Answer, error) {
			return l.resend(ctx, p, config, a.Sent)
		})
	}
	l.noteOutcome(p, a, err)
	return a, err
}

// resend sends a request again, with fresh identifiers; a creation is for the same person.
func (l *Lab) resend(
	ctx context.Context, p Probe, config design.Configuration, sent target.Request,
) (target.Answer, error) {
	return l.sendBuilt(ctx, p, func() target.Request {
		r := l.buildRequest(p, config)
		if p.Operation == client.OperationCreate {
			sent.Transaction, sent.Nonce = r.Transaction, r.Nonce
			return sent
		}
		return r
	})
}

// sendBuilt sends the request of a probe, built anew for each attempt, until its answer is clear.
func (l *Lab) sendBuilt(
	ctx context.Context, p Probe, build func() target.Request,
) (target.Answer, error) {
	isConclusive := p.Conclusive
	if isConclusive == nil {
		isConclusive = answers.ConclusiveForField
	}
	var sent target.Request
	a, err := l.SendUntilConclusive(ctx, isConclusive, func() *client.Exchange {
		return l.target.Send(ctx, func() target.Request {
			sent = build()
			return sent
		})
	}, func(ctx context.Context) (*client.Exchange, bool) {
		return l.SendLivenessProbe(ctx, p.Operation)
	})
	a.Sent, a.Subject = sent, p.requestLabel()
	return a, err
}

// AnswerOrSend returns the answer to a request that a rule has sent. Otherwise it sends the
// request.
func (l *Lab) AnswerOrSend(ctx context.Context, p Probe) (target.Answer, error) {
	if sent, known := l.FindProbe(p.Operation, p.Description); known && sent.Answer.Launched() {
		return sent.Answer.Get(ctx)
	}
	p.CreateReserve = client.ReserveForEvidence
	return l.SendInConfigurations(ctx, p)
}

func (l *Lab) buildRequest(p Probe, config design.Configuration) target.Request {
	r := l.target.NewValid(p.Operation, p.requestLabel())
	l.ApplyConfiguration(&r, config)
	if p.Edit != nil {
		p.Edit(&r)
	}
	if len(config) > 0 {
		r.Label += ", with " + config.String()
	}
	r.Invalid = !p.Valid
	if p.CreateReserve != 0 {
		r.CreateReserve = p.CreateReserve
	}
	return r
}

// FindProbe returns the declared probe with this description, and whether there is one.
func (l *Lab) FindProbe(op client.Operation, description string) (DeclaredProbe, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found, known := l.probesByName[Probe{Operation: op, Description: description}.String()]
	return found, known
}

// RequireAccepted returns an error unless the valid request was accepted. Otherwise a refusal of
// the same request with a defect shows nothing.
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
