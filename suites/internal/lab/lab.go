// Package lab is where requests are tried: a Probe says what is sent, ObserveProbe sends it, and a
// target.Answer is what it got. What has to be refused is held against controls, one valid creation
// and one valid export, plainly and in each context: without them a deployment that refuses
// everything would look right.
package lab

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/singleflight"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// The operations that a Probe is of.
const (
	OperationCreate = client.OperationCreate // creates a legal representative
	OperationExport = client.OperationExport // starts an export
)

// Lab is that of a run.
type Lab struct {
	// the valid creation that all others are held against
	ControlCreation *spec.Observation[target.Answer]
	ControlExport   *spec.Observation[target.Answer] // the valid export

	plan   *spec.Plan
	target *target.Target
	// worked out when the first request needs it
	designs             map[client.Operation]func() *coveringDesign
	aliveCalls          singleflight.Group
	repeatCreatedRecord atomic.Bool // a repeat of the valid creation made a second record
	stability           answerStability
	invalidExchanges    sync.Map // numbers of exchanges

	// for what a refused context is refused for
	minimiseMu      sync.Mutex
	refusedSettings map[client.Operation][]record.FactorValue // options that are refused by themselves

	mu              sync.Mutex
	excludedOptions []string
	validCreations  []target.Answer
	probesByName    map[string]DeclaredProbe // by their names

	unspecified map[client.Operation][]AnswerObservation // see ObserveUnspecified
}

// New declares the controls. They act when the first check needs them.
func New(p *spec.Plan, t *target.Target) *Lab {
	l := &Lab{
		plan:            p,
		target:          t,
		refusedSettings: map[client.Operation][]record.FactorValue{},
		probesByName:    map[string]DeclaredProbe{},
		unspecified:     map[client.Operation][]AnswerObservation{},
	}
	l.designs = map[client.Operation]func() *coveringDesign{}
	for _, op := range []client.Operation{OperationCreate, OperationExport} {
		l.designs[op] = sync.OnceValue(func() *coveringDesign { return l.newCoveringDesign(op) })
	}
	l.ControlCreation = spec.Observe(p, "a valid creation", l.sendControlCreation)
	l.ControlExport = spec.Observe(p, "a valid export", l.sendControlExport)
	return l
}

// PlainControl is the control of an operation.
func (l *Lab) PlainControl(op client.Operation) *spec.Observation[target.Answer] {
	if op == OperationCreate {
		return l.ControlCreation
	}
	return l.ControlExport
}

func (l *Lab) sendControlCreation(ctx context.Context) (a target.Answer, err error) {
	if l.target.Deployment.Fixtures.ShareholderID == "" {
		return a, spec.NotVerifiedf("fixtures.shareholder_id", "")
	}
	var named func(target.CreationSpelling) target.CreationSpelling
	if id := l.target.Deployment.Fixtures.ProductID; id != "" && l.target.RequiredProduct() == "" {
		product := target.Variation{
			Name:   "a product named",
			Change: func(r *target.Request) { r.Product = id },
		}
		named = func(s target.CreationSpelling) target.CreationSpelling {
			return append(target.CreationSpelling{product}, s...)
		}
	}
	first, last := sendUntilSpelledRight(l.alternativeSpellings(), named, &l.target.CreationSpelling,
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

// sendControlExport sends the plain export and, as long as it is refused as a bad request, other
// spellings of it.
func (l *Lab) sendControlExport(ctx context.Context) (target.Answer, error) {
	var named func(target.ExportSpelling) target.ExportSpelling
	if l.target.Deployment.Fixtures.ProductID != "" {
		named = func(s target.ExportSpelling) target.ExportSpelling { s.Product = true; return s }
	}
	first, last := sendUntilSpelledRight([]target.ExportSpelling{
		{},
		{Language: true},
		{WholeSeconds: true},
		{Extension: true},
		{WholeSeconds: true, Extension: true},
	}, named, &l.target.ExportSpelling, func() *client.Exchange {
		return l.target.Send(ctx, func() target.Request {
			// a deployment that gives this file to all exports is found by the rows that it has
			return l.target.NewExport("valid export", l.target.UniqueBoundsOfWindow("valid export"))
		})
	})
	return target.Answer{Exchange: last, Attempts: []*client.Exchange{last}}, l.controlFailure(ctx,
		last, first)
}

// controlFailure is why a control is none, by what the plain one got; nil: it was accepted.
func (l *Lab) controlFailure(ctx context.Context, x, plain *client.Exchange) error {
	why := fmt.Sprintf(
		"a valid %s was not accepted (%s), so nothing can be said about %[1]ss; ask gateassay doctor "+
			"what to correct",
		operationNoun(x.Operation), answers.DescribeWithMessage(plain))
	switch err := l.TransientError(ctx, x); {
	case err != nil:
		return err
	case x.IsServerError(): // which may be gone when it is sent again
		return spec.Transientf("%s", why)
	case !x.IsSuccess():
		return spec.Inconclusivef("%s", why)
	}
	return answers.WebPageReason(x)
}

func operationNoun(op client.Operation) string {
	if op == OperationCreate {
		return "creation"
	}
	return "export" // a file is that of one
}

// SendLivenessProbe asks for a definite answer: one more valid export, or the control's creation
// once more, under a fresh nonce, which gets a conflict or the record that exists. Who asks while
// another waits for the answer to that shares it. A repeat makes no record, so it may be asked
// although the run may create no more, until one was made all the same.
func (l *Lab) SendLivenessProbe(ctx context.Context, op client.Operation) (*client.Exchange, bool) {
	if op == OperationExport {
		x := l.SendAfterControlExport(ctx, func() target.Request {
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

// SendAfterControlExport sends a request once the control of exports has found out what all of them
// have to carry, and waits for its answer, whatever that is.
func (l *Lab) SendAfterControlExport(
	ctx context.Context, build func() target.Request,
) *client.Exchange {
	l.ControlExport.WaitDone(ctx)
	return l.target.Send(ctx, build)
}

// MarkInvalid marks requests that should not have been accepted: where they were, that is a finding
// by itself, and their answers are not examples of what an accepted request is answered with.
func (l *Lab) MarkInvalid(all ...*client.Exchange) {
	for _, x := range all {
		if x != nil && x.Seq > 0 {
			l.invalidExchanges.Store(x.Seq, true)
		}
	}
}

// AcceptedValid lists the accepted answers of an operation in the order in which they came, without
// those of requests that should not have been accepted.
func (l *Lab) AcceptedValid(op client.Operation) []*client.Exchange {
	return slices.DeleteFunc(l.target.Client.AcceptedExchanges(op), func(x *client.Exchange) bool {
		_, disowned := l.invalidExchanges.Load(x.Seq)
		return disowned
	})
}

// ValidCreations is what valid creations got that were accepted so far, but for the first.
func (l *Lab) ValidCreations() []target.Answer {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.validCreations)
}

// NoteExcludedOptionf notes why an option is in no context.
func (l *Lab) NoteExcludedOptionf(why string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if said := fmt.Sprintf(why, args...); !slices.Contains(l.excludedOptions, said) {
		l.excludedOptions = append(l.excludedOptions, said)
	}
}

// ExcludedOptions says which options the deployment does not accept.
func (l *Lab) ExcludedOptions() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.excludedOptions)
}
