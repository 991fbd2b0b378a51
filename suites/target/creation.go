package target

import (
	"context"
	"net/http"
	"net/url"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/representative"
)

// Creation is one request to create a legal representative, before it is spelled the deployment's way.
type Creation struct {
	Label       string
	Draft       representative.Draft
	Body        []byte // sent instead of the draft when not nil
	NoBody      bool
	ContentType string
	Transaction string // empty: the header is left out
	Nonce       string // empty: the header is left out
	Language    string
	Product     string
	OnBehalfOf  string
	Header      http.Header // further headers
	Query       url.Values
	Credential  *deployment.Credential // nil: none
	Repeats     bool                   // repeats an accepted one, which makes no record: limits.max_creates does not hold it back

	plain representative.Draft // before a check changed it
}

// Creation returns a valid request for a person nobody else has, with fresh identifiers and the main credential.
func (t *Target) Creation(label string) Creation {
	draft := representative.Sample(fresh(), "Gateassay "+t.Run, t.Deployment.Fixtures.ShareholderID)
	c := Creation{
		Label:       label,
		Draft:       draft,
		ContentType: "application/json",
		Transaction: UUID(),
		Nonce:       UUID(),
		Header:      http.Header{},
		Product:     t.Product(),
		Credential:  t.Deployment.Credentials.Main(),
	}
	if s := t.spelling.Load(); s != nil {
		c = s.Change(c)
	}
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
	var sent Creation
	x := t.Client.Send(ctx, func(int) *client.Request {
		sent = build()
		return t.creation(sent)
	})
	t.remember(x, sent)
	return x
}

// CreateTogether sends creations at one instant; fewer answers come back when the limits allow fewer in flight.
func (t *Target) CreateTogether(ctx context.Context, all []Creation) []*client.Exchange {
	requests := make([]*client.Request, len(all))
	for i, c := range all {
		requests[i] = t.creation(c)
	}
	return t.Client.Together(ctx, requests)
}

func (t *Target) creation(c Creation) *client.Request {
	lr := t.Deployment.LegalRepresentative
	r := &client.Request{
		Label: c.Label, Operation: client.Create, Method: http.MethodPost, Path: lr.Path, Query: c.Query,
		Header: c.Header.Clone(), Credential: c.Credential, Creates: !c.Repeats,
		Fresh: []string{lr.Headers.TransactionID, lr.Headers.Nonce},
	}
	if r.Header == nil {
		r.Header = http.Header{}
	}
	set(r.Header, lr.Headers.TransactionID, c.Transaction)
	set(r.Header, lr.Headers.Nonce, c.Nonce)
	set(r.Header, lr.Headers.Language, c.Language)
	set(r.Header, "x-product-uuid", c.Product)
	set(r.Header, lr.Headers.OnBehalfOf, c.OnBehalfOf)
	set(r.Header, "Content-Type", c.ContentType)
	switch {
	case c.NoBody:
	case c.Body != nil:
		r.Body = c.Body
	default:
		t.Client.Redactor().Personal(c.Draft.Personal()...)
		body, err := c.Draft.Body(lr)
		if err != nil {
			panic("draft cannot be written: " + err.Error())
		}
		r.Body = body
	}
	return r
}

func set(h http.Header, name, value string) {
	if name != "" && value != "" {
		h[name] = []string{value}
	}
}
