// Package lab is where requests are tried: a Probe says what is sent, Send sends it, and a target.Answer is what it got.
// What has to be refused is held against controls, one valid creation and one valid export, plainly and in each context:
// without them a deployment that refuses everything would look right.
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
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// The operations that a Probe is of.
const (
	Create = client.Create // creates a legal representative
	Export = client.Export // starts an export
)

// Lab is that of a run.
type Lab struct {
	Creation *spec.Observation[target.Answer] // the valid creation that all others are held against
	Export   *spec.Observation[target.Answer] // the valid export

	p           *spec.Plan
	t           *target.Target
	experiments map[client.Operation]func() *experiment // worked out when the first request needs it
	asking      singleflight.Group
	remade      atomic.Bool // a repeat of the valid creation made a second record
	steadiness  steadiness
	unwelcome   sync.Map // numbers of exchanges

	searching sync.Mutex                            // for what a refused context is refused for
	refused   map[client.Operation][]record.Setting // options that are refused by themselves

	mu      sync.Mutex
	dropped []string
	made    []target.Answer
	probes  map[string]Probed // by their names
}

// New declares the controls. They act when the first check needs them.
func New(p *spec.Plan, t *target.Target) *Lab {
	l := &Lab{p: p, t: t, refused: map[client.Operation][]record.Setting{}, probes: map[string]Probed{}}
	l.experiments = map[client.Operation]func() *experiment{}
	for _, op := range []client.Operation{Create, Export} {
		l.experiments[op] = sync.OnceValue(func() *experiment { return l.plan(op) })
	}
	l.Creation = spec.Observe(p, "a valid creation", l.create)
	l.Export = spec.Observe(p, "a valid export", l.export)
	return l
}

// Valid is the control of an operation.
func (l *Lab) Valid(op client.Operation) *spec.Observation[target.Answer] {
	if op == Create {
		return l.Creation
	}
	return l.Export
}

func (l *Lab) create(ctx context.Context) (a target.Answer, err error) {
	if l.t.Deployment.Fixtures.ShareholderID == "" {
		return a, spec.NotVerifiedf("fixtures.shareholder_id", "")
	}
	var named func(target.Spelling) target.Spelling
	if id := l.t.Deployment.Fixtures.ProductID; id != "" && l.t.Product() == "" {
		product := target.Variation{Name: "a product named", Change: func(r *target.Request) { r.Product = id }}
		named = func(s target.Spelling) target.Spelling { return append(target.Spelling{product}, s...) }
	}
	first, last := search(l.spellings(), named, &l.t.Creations, func() *client.Exchange {
		return l.t.Send(ctx, func() target.Request {
			a.Sent = l.t.Creation("valid creation")
			if spelling := l.t.Creations.Load().String(); spelling != "" {
				a.Sent.Label += ", " + spelling
			}
			return a.Sent
		})
	})
	a.Exchange, a.Attempts = last, []*client.Exchange{last}
	return a, l.accepted(ctx, last, first)
}

// export sends the plain export and, as long as it is refused as a bad request, other spellings of it.
func (l *Lab) export(ctx context.Context) (target.Answer, error) {
	var named func(target.ExportSpelling) target.ExportSpelling
	if l.t.Deployment.Fixtures.ProductID != "" {
		named = func(s target.ExportSpelling) target.ExportSpelling { s.Product = true; return s }
	}
	first, last := search([]target.ExportSpelling{
		{}, {Language: true}, {Whole: true}, {Extension: true}, {Whole: true, Extension: true},
	}, named, &l.t.Exports, func() *client.Exchange {
		return l.t.Send(ctx, func() target.Request { return l.t.Valid(Export, "valid export") })
	})
	return target.Answer{Exchange: last, Attempts: []*client.Exchange{last}}, l.accepted(ctx, last, first)
}

// accepted is why a control is none, by what the plain one got; nil: it was accepted.
func (l *Lab) accepted(ctx context.Context, x, plain *client.Exchange) error {
	why := fmt.Sprintf("a valid %s was not accepted (%s), so nothing can be said about %[1]ss; ask gateassay doctor what to correct",
		noun(x.Operation), target.Quoted(plain))
	switch err := l.Usable(ctx, x); {
	case err != nil:
		return err
	case x.Crashed(): // which may be gone when it is sent again
		return spec.Transientf("%s", why)
	case !x.Success():
		return spec.Inconclusivef("%s", why)
	}
	return target.WebPage(x)
}

func noun(op client.Operation) string {
	if op == Create {
		return "creation"
	}
	return "export" // a file is that of one
}

// Alive asks for a definite answer: one more valid export, or the control's creation once more, under a fresh nonce, which
// gets a conflict or the record that exists. Who asks while another waits for the answer to that shares it. A repeat makes no
// record, so it may be asked although the run may create no more, until one was made all the same.
func (l *Lab) Alive(ctx context.Context, op client.Operation) (*client.Exchange, bool) {
	if op == Export {
		x := l.Start(ctx, func() target.Request {
			return l.t.Export("valid export again, to see whether the deployment answers", l.t.Unique("alive"))
		})
		return x, x.Success()
	}
	base, err := l.Creation.Get(ctx)
	if err != nil {
		return nil, false
	}
	answer, _, _ := l.asking.Do("", func() (any, error) {
		x := l.t.Send(ctx, func() target.Request {
			again := base.Sent
			again.Label, again.Nonce = "valid creation again, to see whether the deployment answers", target.UUID()
			again.Repeats = !l.remade.Load()
			return again
		})
		if x.Success() && representative.ID(base.Body) != representative.ID(x.Body) {
			l.remade.Store(true)
		}
		return x, nil
	})
	x := answer.(*client.Exchange)
	return x, target.AboutField(x)
}

// Start sends a request once the control of exports has found out what all of them have to carry, and waits for its answer,
// whatever that is.
func (l *Lab) Start(ctx context.Context, build func() target.Request) *client.Exchange {
	l.Export.WaitDone(ctx)
	return l.t.Send(ctx, build)
}

// Disown marks requests that should not have been accepted: where they were, that is a finding by itself, and their
// answers are not examples of what an accepted request is answered with.
func (l *Lab) Disown(all ...*client.Exchange) {
	for _, x := range all {
		if x != nil && x.Seq > 0 {
			l.unwelcome.Store(x.Seq, true)
		}
	}
}

// Successes lists the accepted answers of an operation in the order in which they came, without those of requests that
// should not have been accepted.
func (l *Lab) Successes(op client.Operation) []*client.Exchange {
	return slices.DeleteFunc(l.t.Client.Accepted(op), func(x *client.Exchange) bool {
		_, disowned := l.unwelcome.Load(x.Seq)
		return disowned
	})
}

// Made is what valid creations got that were accepted so far, but for the first.
func (l *Lab) Made() []target.Answer {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.made)
}

// Drop notes why an option is in no context.
func (l *Lab) Drop(why string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if said := fmt.Sprintf(why, args...); !slices.Contains(l.dropped, said) {
		l.dropped = append(l.dropped, said)
	}
}

// Dropped says which options the deployment does not accept.
func (l *Lab) Dropped() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.dropped)
}
