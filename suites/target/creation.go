package target

import (
	"context"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/representative"
)

// Creation is one request to create a legal representative, before it is spelled the deployment's way.
type Creation struct {
	Request
	Draft      representative.Draft
	Language   string
	Product    string
	OnBehalfOf string
	Spares     int  // how many representatives it leaves for others to create
	Repeats    bool // repeats an accepted one, which makes no record: limits.max_creates does not hold it back

	plain representative.Draft // before a check changed it
}

// What creations leave of limits.max_creates to others, where that is more than scarce. Refusals use nothing up, but each
// needs one while it is under way; in the end a rule that fails asks with two whether the deployment reads a name.
const (
	keptForEvidence = 2
	keptForRefusals = keptForEvidence + 2
	scarce          = 20
)

// Creation returns a valid request for a person nobody else has, with fresh identifiers and the main credential.
// What need not be unique about the person is up to the run's seed and the label.
func (t *Target) Creation(label string) Creation {
	draft := representative.Sample(t.drawn("person "+label), "Gateassay "+t.Run, t.Deployment.Fixtures.ShareholderID)
	c := Creation{Request: t.request(label), Draft: draft, Product: t.Product()}
	c.Transaction = UUID()
	if t.Deployment.Limits.MaxCreates > scarce {
		c.Spares = keptForRefusals
	}
	if s := t.spelling.Load(); s != nil {
		c = s.Change(c)
	}
	c.plain = c.Draft
	return c
}

// Plain is the value that a field had before a check changed it.
func (c Creation) Plain(field string) any { return c.plain.Get(field) }

// Amended returns the creation with more that is as ordinary as the rest of it.
func (c Creation) Amended(add func(*Creation)) Creation {
	add(&c)
	c.plain = c.Draft
	return c
}

// With returns the creation with another value for a logical field of the draft.
func (c Creation) With(field string, value any) Creation {
	c.Draft = c.Draft.With(field, value)
	return c
}

// Without returns the creation without some logical fields of the draft.
func (c Creation) Without(fields ...string) Creation {
	c.Draft = c.Draft.Without(fields...)
	return c
}

// Again returns the same creation under fresh identifiers.
func (c Creation) Again() Creation {
	c.Transaction, c.Nonce = UUID(), UUID()
	return c
}

// Create sends a creation. build is asked for the request of each attempt, so that a throttled one gets fresh
// identifiers unless the check is about the old ones.
func (t *Target) Create(ctx context.Context, build func() Creation) *client.Exchange {
	return t.Client.Send(ctx, func(int) *client.Request { return t.creation(build()) })
}

// CreateTogether sends creations at one instant; fewer answers come back when the limits allow fewer in flight.
func (t *Target) CreateTogether(ctx context.Context, all []Creation) []*client.Exchange {
	return t.Client.Together(ctx, each(all, t.creation))
}

func (t *Target) creation(c Creation) *client.Request {
	lr := t.Deployment.LegalRepresentative
	r := c.request(client.Create, lr.Path, map[string]string{
		lr.Headers.TransactionID: c.Transaction, lr.Headers.Nonce: c.Nonce, lr.Headers.Language: c.Language,
		HeaderProduct: c.Product, lr.Headers.OnBehalfOf: c.OnBehalfOf,
	}, func() ([]byte, error) {
		t.Client.Redactor().Personal(c.Draft.Personal()...)
		return c.Draft.Body(lr)
	})
	r.Creates, r.Spares, r.Fresh = !c.Repeats, c.Spares, []string{lr.Headers.TransactionID, lr.Headers.Nonce}
	if c.Unwelcome {
		r.Spares = min(r.Spares, keptForEvidence)
	}
	return r
}
