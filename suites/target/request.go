package target

import (
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/representative"
)

// Request is one request of the two operations, before it is spelled the deployment's way.
type Request struct {
	Operation   client.Operation
	Label       string
	Transaction string // empty: the header is left out
	Nonce       string // empty: the header is left out
	Language    string
	Product     string
	OnBehalfOf  string // the user whom it is for
	Mode        string // replay protection of an export; empty: the header is left out
	// beside these, or in their place; a name without a value goes without that header
	Header      http.Header
	Query       url.Values
	RewritePath func(own string) string // what is made of the operation's own; nil: it stays

	Draft       representative.Draft     // of a creation
	CorruptBody func(body []byte) []byte // what is made of the body of a creation; nil: it stays
	Fields      ExportFields             // of the body of an export
	// sent in place of the draft or the fields when not nil; empty: no body
	Body        []byte
	ContentType string

	Credential        *deployment.Credential // nil: none
	AlteredCredential string                 // what Header holds in place of a credential on purpose

	MayBlock bool // a 429 may be a block: it is not waited out
	// it repeats an accepted creation, which makes no record: limits.max_creates does not hold it back
	RepeatsCreation bool
	// it should be refused: limits.max_creates counts it only when it is sent
	Invalid       bool
	CreateReserve client.CreateReserve // on limits.max_creates

	unmodifiedDraft representative.Draft // before a check changed it
}

// ExportFields is the body of an export.
type ExportFields map[string]any

// newRequest is by the main credential, under a fresh nonce.
func (t *Target) newRequest(op client.Operation, label string) Request {
	return Request{
		Operation: op, Label: label, ContentType: "application/json", Nonce: NewUUID(),
		Header:  http.Header{},
		Product: t.RequiredProduct(), Credential: t.Deployment.Credentials.Main(),
	}
}

// NewCreation returns a valid request for a person nobody else has, with fresh identifiers and the
// main credential. What need not be unique about the person is up to the run's seed and the label.
func (t *Target) NewCreation(label string) Request {
	r := t.newRequest(client.OperationCreate, label)
	r.Draft = representative.NewSample(t.nextSeededRand("person "+label), "Gateassay "+t.RunID,
		t.Deployment.Fixtures.ShareholderID)
	r.Transaction, r.CreateReserve = NewUUID(), client.ReserveForOrdinary
	for _, v := range *t.CreationSpelling.Load() {
		v.Change(&r)
	}
	r.MarkUnmodified()
	return r
}

// NewExport returns a valid request with a fresh nonce. It asks for the nonce to be compared, so
// that it passes whatever ran before it.
func (t *Target) NewExport(label string, fields ExportFields) Request {
	r := t.newRequest(client.OperationExport, label)
	r.Fields, r.Mode = fields, HeaderNonce
	return r
}

// NewValid returns a valid request of an operation, an export with bounds that no other one shares.
func (t *Target) NewValid(op client.Operation, label string) Request {
	if op == client.OperationCreate {
		return t.NewCreation(label)
	}
	return t.NewExport(label, t.UniqueBounds(label))
}

// SetField gives the request another value for a field of its body: for a creation by the logical
// name.
func (r *Request) SetField(field string, value any) {
	if r.Operation == client.OperationCreate {
		r.Draft = r.Draft.With(field, value)
		return
	}
	if r.Fields = maps.Clone(r.Fields); r.Fields == nil {
		r.Fields = ExportFields{}
	}
	r.Fields[field] = value
}

// RemoveFields takes fields out of the body.
func (r *Request) RemoveFields(fields ...string) {
	r.Draft, r.Fields = r.Draft.Without(fields...), maps.Clone(r.Fields)
	for _, name := range fields {
		delete(r.Fields, name)
	}
}

// SetHeader gives the request a header; with no value it goes without that one, whatever it would
// have else.
func (r *Request) SetHeader(name string, value ...string) {
	if r.Header = r.Header.Clone(); r.Header == nil {
		r.Header = http.Header{}
	}
	r.Header[name] = value
}

// UnmodifiedField is the value that a field of a creation had before a check changed it.
func (r *Request) UnmodifiedField(field string) any { return r.unmodifiedDraft.Get(field) }

// MarkUnmodified notes that what was added to the request is as ordinary as the rest of it.
func (r *Request) MarkUnmodified() { r.unmodifiedDraft = r.Draft }

// Variation is another way to write one thing of a creation, such as a phone number.
type Variation struct {
	Name   string
	Change func(*Request)
}

// CreationSpelling is how creations are written where the document leaves it open; nil: plainly.
type CreationSpelling []Variation

// String names what creations are sent with; nothing for plain ones.
func (s CreationSpelling) String() string {
	names := make([]string, len(s))
	for i, v := range s {
		names[i] = v.Name
	}
	return strings.Join(names, ", ")
}
