package target

import (
	"cmp"
	"context"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/repeat"
	"github.com/gateassay/gateassay/internal/representative"
)

// Creation is one request to create a legal representative, before it is spelled the deployment's way.
type Creation struct {
	Request
	Draft      representative.Draft
	Language   string
	Product    string
	OnBehalfOf string
	Spoil      func(body []byte) []byte // what is made of the body; nil: it stays
	Repeats    bool                     // repeats an accepted one, which makes no record: limits.max_creates does not hold it back

	plain representative.Draft // before a check changed it
}

// Claim is that of a creation on limits.max_creates: how many representatives it leaves for others to create.
type Claim int

// The claims. Refusals use nothing up, but each needs one while it is under way.
const (
	Ordinary Claim = 4
	Repeated Claim = 10 // it should create none, and may be one of many that do
	Observed Claim = 6  // nothing is judged by it
	Preceded Claim = 2  // by all ordinary ones, and so are refusals
	Evidence Claim = 0  // a rule that fails asks in the end, with two, whether the deployment reads a name
)

// scarce is a limit that leaves nothing to spare.
const scarce = 20

// Creation returns a valid request for a person nobody else has, with fresh identifiers and the main credential.
// What need not be unique about the person is up to the run's seed and the label.
func (t *Target) Creation(label string) Creation {
	draft := representative.Sample(t.drawn("person "+label), "Gateassay "+t.Run, t.Deployment.Fixtures.ShareholderID)
	c := Creation{Request: t.request(label), Draft: draft, Product: t.Product()}
	c.Transaction, c.Claim = UUID(), Ordinary
	for _, v := range *t.Creations.Load() {
		c = v.Change(c)
	}
	c.plain = c.Draft
	return c
}

// Plain is the value that a field had before a check changed it.
func (c Creation) Plain(field string) any { return c.plain.Get(field) }

// Amended notes that what was added to the creation is as ordinary as the rest of it.
func (c *Creation) Amended() { c.plain = c.Draft }

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

const cpfField = "document_number"

func (t *Target) creation(c Creation) *client.Request {
	lr := t.Deployment.LegalRepresentative
	r := t.spell(c.Request, client.Create, lr.Path, map[string]string{
		lr.Headers.TransactionID: c.Transaction, lr.Headers.Nonce: c.Nonce, lr.Headers.Language: c.Language,
		HeaderProduct: c.Product, lr.Headers.OnBehalfOf: c.OnBehalfOf,
	}, func() ([]byte, error) {
		t.Client.Redactor().Personal(c.Draft.Personal()...)
		body, err := c.Draft.Body(lr)
		if err == nil && c.Spoil != nil {
			body = c.Spoil(body)
		}
		return body, err
	})
	paths := deployment.RequestPaths(lr.Fields)
	for _, name := range c.Draft.Changed(c.plain) {
		r.Matters = append(r.Matters, cmp.Or(paths[name], name))
	}
	if c.Body == nil && c.Spoil != nil {
		r.Sent = strings.TrimPrefix(r.Sent+", body "+printable.Fit(string(r.Body), mostOfBody), ", ")
	}
	if cpf, plain := c.Draft.Get(cpfField).(string); plain && len(cpf) == 11 && c.plain.Get(cpfField) == cpf {
		r.Drawn = append(r.Drawn, repeat.Drawn{Text: cpf, Kind: repeat.CPF})
	}
	r.Creates, r.Fresh = !c.Repeats, []string{lr.Headers.TransactionID, lr.Headers.Nonce}
	if t.Deployment.Limits.MaxCreates > scarce {
		r.Spares = int(c.Claim)
	}
	return r
}
