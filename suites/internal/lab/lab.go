// Package lab sends the requests of rules. A Probe says what is sent, ObserveProbe sends it, and
// a target.Answer is the result. Refusals are compared with controls: one valid creation and one
// valid export, without options and in each configuration, which is a choice of options. Without
// controls, a deployment that refuses everything would look correct.
package lab

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Lab sends the requests of one run.
type Lab struct {
	// ControlCreation is the valid creation that all others are compared with.
	ControlCreation AnswerObservation
	// ControlExport is the valid export, after AwaitFirstExport: in the deployment's queue, the first
	// export whose file is fetched must be before all others.
	ControlExport AnswerObservation
	// AwaitFirstExport waits for the answer to the first export whose file is fetched; nil: none is.
	AwaitFirstExport func(ctx context.Context)

	plan                *spec.Plan
	target              *target.Target
	answeredExport      AnswerObservation  // ControlExport, without the wait
	anotherValid        singleflight.Group // sent only where it is needed
	designs             map[client.Operation]*coveringDesign
	aliveCalls          singleflight.Group
	repeatCreatedRecord atomic.Bool // a repeat of the valid creation created a second record
	stability           answerStability
	invalidExchanges    sync.Map // sequence numbers of exchanges

	// minimiseMu serialises the search for the option that a configuration is refused for.
	minimiseMu      sync.Mutex
	refusedSettings map[client.Operation][]record.FactorValue // refused by themselves

	mu              sync.Mutex
	excludedOptions []string
	validCreations  []target.Answer                    // accepted, without the control
	refusedAnother  map[client.Operation]target.Answer // the last by sendAnotherValid
	// of valid requests, without the controls: when the last accepted was sent, and whether any was
	// refused
	lastAccepted map[requestCaller]time.Time
	refusedValid map[requestCaller]bool
	probesByName map[string]DeclaredProbe // by Probe.String

	unspecified map[client.Operation][]AnswerObservation // see ObserveUnspecified
}

// New declares the controls. They are sent when the first check needs them.
func New(p *spec.Plan, t *target.Target) *Lab {
	l := &Lab{
		plan:            p,
		target:          t,
		refusedSettings: map[client.Operation][]record.FactorValue{},
		probesByName:    map[string]DeclaredProbe{},
		unspecified:     map[client.Operation][]AnswerObservation{},
		refusedAnother:  map[client.Operation]target.Answer{},
		lastAccepted:    map[requestCaller]time.Time{},
		refusedValid:    map[requestCaller]bool{},
	}
	l.designs = map[client.Operation]*coveringDesign{
		client.OperationCreate: l.newCoveringDesign(client.OperationCreate),
		client.OperationExport: l.newCoveringDesign(client.OperationExport),
	}
	l.ControlCreation = spec.Observe(p, "a valid creation", l.sendControlCreation)
	l.answeredExport = spec.Observe(p, "a valid export", l.sendControlExport)
	l.ControlExport = spec.Observe(p, "a valid export, and the first with a file",
		func(ctx context.Context) (target.Answer, error) {
			a, err := l.answeredExport.Get(ctx)
			if err == nil && l.AwaitFirstExport != nil {
				l.AwaitFirstExport(ctx)
			}
			return a, err
		})
	return l
}

// PlainControl returns the control of an operation, without options.
func (l *Lab) PlainControl(op client.Operation) AnswerObservation {
	if op == client.OperationCreate {
		return l.ControlCreation
	}
	return l.ControlExport
}

// AwaitControlAnswer waits for the answer to the control of an operation, and for no other.
func (l *Lab) AwaitControlAnswer(ctx context.Context, op client.Operation) {
	if op == client.OperationCreate {
		l.ControlCreation.WaitDone(ctx)
	} else {
		l.answeredExport.WaitDone(ctx)
	}
}

func (l *Lab) sendControlCreation(ctx context.Context) (a target.Answer, err error) {
	if l.target.Deployment.Fixtures.ShareholderID == "" {
		return a, spec.NotVerifiedf("fixtures.shareholder_id", "")
	}
	var named func(target.CreationSpelling) target.CreationSpelling
	if id := l.target.Deployment.Fixtures.ProductID; id != "" && l.target.RequiredProduct() == "" {
		product := target.Variation{
			Name: "a product named", Change: func(r *target.Request) { r.Product = id },
		}
		named = func(s target.CreationSpelling) target.CreationSpelling {
			return append(target.CreationSpelling{product}, s...)
		}
	}
	first, last := sendFirstAcceptedForm(l.alternativeForms(), named, &l.target.CreationSpelling,
		func() *client.Exchange {
			return l.target.Send(ctx, func() target.Request {
				a.Sent = l.target.NewCreation("valid creation")
				if spelling := l.target.CreationSpelling.Load().String(); spelling != "" {
					a.Sent.Label += ", " + spelling
				}
				return a.Sent
			})
		})
	a.Exchange, a.Attempts = last, []*client.Exchange{last}
	return a, l.controlFailure(ctx, last, first)
}

// sendControlExport sends the plain export and, while it is refused as a bad request, its other
// spellings.
func (l *Lab) sendControlExport(ctx context.Context) (target.Answer, error) {
	var named func(target.ExportSpelling) target.ExportSpelling
	if l.target.Deployment.Fixtures.ProductID != "" {
		named = func(s target.ExportSpelling) target.ExportSpelling { s.Product = true; return s }
	}
	forms := []target.ExportSpelling{
		{},
		{Language: true},
		{WholeSeconds: true},
		{Extension: true},
		{WholeSeconds: true, Extension: true},
	}
	first, last := sendFirstAcceptedForm(forms, named, &l.target.ExportSpelling,
		func() *client.Exchange {
			return l.target.Send(ctx, func() target.Request {
				// unique bounds expose a deployment that returns this file for every export
				return l.target.NewExport("valid export", l.target.UniqueBoundsOfWindow("valid export"))
			})
		})
	a := target.Answer{Exchange: last, Attempts: []*client.Exchange{last}}
	return a, l.controlFailure(ctx, last, first)
}

// controlFailure returns why a control failed, or nil if it was accepted. plain is the answer to
// the plain form.
func (l *Lab) controlFailure(ctx context.Context, x, plain *client.Exchange) error {
	why := fmt.Sprintf("a valid %s was not accepted (%s), so no rule about %[1]ss can be judged; "+
		"run gateassay doctor",
		operationNoun(x.Operation), answers.DescribeWithMessage(plain))
	switch err := l.TransientError(ctx, x); {
	case err != nil:
		return err
	case x.IsServerError(): // it may disappear on retry
		return spec.Transientf("%s", why)
	case !x.IsSuccess():
		return spec.Inconclusivef("%s", why)
	}
	return answers.WebPageReason(x)
}

func operationNoun(op client.Operation) string {
	if op == client.OperationCreate {
		return "creation"
	}
	return "export" // or its file
}

// SendLivenessProbe checks whether the deployment gives a definite answer. It sends one more
// valid export, or repeats the control's creation under a fresh nonce, which gets a conflict or
// the existing record. Concurrent callers share one answer. A repeat creates no record, so it is
// sent even where no creations are left, until a repeat does create one.
func (l *Lab) SendLivenessProbe(ctx context.Context, op client.Operation) (*client.Exchange, bool) {
	if op == client.OperationExport {
		l.AwaitControlAnswer(ctx, op)
		x := l.target.Send(ctx, func() target.Request {
			return l.target.NewExport("valid export again, to see whether the deployment answers",
				l.target.UniqueBounds("alive"))
		})
		return x, x.IsSuccess()
	}
	base, err := l.ControlCreation.Get(ctx)
	if err != nil {
		return nil, false
	}
	answer, _, _ := l.aliveCalls.Do("", func() (any, error) {
		x := l.target.Send(ctx, func() target.Request {
			again := base.Sent
			again.Label, again.Nonce = "valid creation again, to see whether the deployment "+
				"answers", target.NewUUID()
			again.RepeatsCreation = !l.repeatCreatedRecord.Load()
			return again
		})
		if x.IsSuccess() && representative.RecordID(base.Body) != representative.RecordID(x.Body) {
			l.repeatCreatedRecord.Store(true)
		}
		return x, nil
	})
	x := answer.(*client.Exchange)
	return x, answers.ConclusiveForField(x)
}

// MarkInvalid marks exchanges whose requests should not be accepted. Where they were, their
// answers are not examples of correct answers.
func (l *Lab) MarkInvalid(all ...*client.Exchange) {
	for _, x := range all {
		if x != nil && x.Seq > 0 {
			l.invalidExchanges.Store(x.Seq, true)
		}
	}
}

// AcceptedValid returns the accepted exchanges of an operation in order of arrival, without
// those of invalid requests.
func (l *Lab) AcceptedValid(op client.Operation) []*client.Exchange {
	all := slices.DeleteFunc(l.target.Client.AcceptedExchanges(op), func(x *client.Exchange) bool {
		_, disowned := l.invalidExchanges.Load(x.Seq)
		return disowned
	})
	return withoutErrors(all, func(x *client.Exchange) *client.Exchange { return x })
}

// ValidCreations returns the answers of the valid creations accepted so far, except the
// control's.
func (l *Lab) ValidCreations() []target.Answer {
	l.mu.Lock()
	defer l.mu.Unlock()
	return withoutErrors(slices.Clone(l.validCreations),
		func(a target.Answer) *client.Exchange { return a.Exchange })
}

// withoutErrors leaves out the answers that report an error behind a status of success, as to a
// request that the document leaves open, unless all of them look so.
func withoutErrors[T any](all []T, exchange func(T) *client.Exchange) []T {
	hasError := func(a T) bool { return outcome.Of(exchange(a)) == outcome.ErrorInside }
	if !slices.ContainsFunc(all, func(a T) bool { return !hasError(a) }) {
		return all
	}
	return slices.DeleteFunc(all, hasError)
}

// NoteExcludedOptionf notes why no configuration has an option.
func (l *Lab) NoteExcludedOptionf(why string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if said := fmt.Sprintf(why, args...); !slices.Contains(l.excludedOptions, said) {
		l.excludedOptions = append(l.excludedOptions, said)
	}
}

// ExcludedOptions returns the notes on options that the deployment does not accept.
func (l *Lab) ExcludedOptions() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.excludedOptions)
}
