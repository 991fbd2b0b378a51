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

// Request is a request of one of the operations, before BuildRequest.
type Request struct {
	Operation   client.Operation
	Label       string
	Transaction string // empty: the header is left out
	Nonce       string // empty: the header is left out
	Language    string
	Product     string
	OnBehalfOf  string // ID of the user to act for; empty: the header is left out
	Mode        string // replay protection of an export; empty: the header is left out
	// headers that add to these or replace them; a name without values removes that header
	Header      http.Header
	Query       url.Values
	RewritePath func(own string) string // changes the path of the operation; nil: no change

	Draft       representative.Draft     // of a creation
	CorruptBody func(body []byte) []byte // changes the body of a creation; nil: no change
	Fields      ExportFields             // of the body of an export
	// replaces the draft or the fields if not nil; empty: no body
	Body        []byte
	ContentType string

	Credential *deployment.Credential // nil: none

	MayBlock bool // a 429 may be a block: no retry
	// it repeats an export: a conflict is about its identifiers, not about other exports
	RepeatsExport bool
	// it repeats an accepted creation and creates no record: limits.max_creates does not apply
	RepeatsCreation bool
	// it should be refused: limits.max_creates counts it only once it is sent
	Invalid       bool
	CreateReserve client.CreateReserve // reserve of limits.max_creates that it may use

	unmodifiedDraft representative.Draft // the draft before a check changed it
}

// ExportFields is the body of an export.
type ExportFields map[string]any

// newRequest returns a request with the main credential and a fresh nonce.
func (t *Target) newRequest(op client.Operation, label string) Request {
	return Request{
		Operation: op, Label: label, ContentType: "application/json", Nonce: NewUUID(),
		Header:  http.Header{},
		Product: t.RequiredProduct(), Credential: t.Deployment.Credentials.Main(),
	}
}

// NewCreation returns a valid request for a unique person, with fresh identifiers and the main
// credential. The seed and the label determine all values that need not be unique.
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

// NewExport returns a valid request with a fresh nonce. Replay protection compares the nonce, so
// no earlier request can block it.
func (t *Target) NewExport(label string, fields ExportFields) Request {
	r := t.newRequest(client.OperationExport, label)
	r.Fields, r.Mode = fields, HeaderNonce
	return r
}

// NewValid returns a valid request of an operation; exports have unique bounds.
func (t *Target) NewValid(op client.Operation, label string) Request {
	if op == client.OperationCreate {
		return t.NewCreation(label)
	}
	return t.NewExport(label, t.UniqueBounds(label))
}

// SetField sets a field of the body. Fields of a creation have their logical names.
func (r *Request) SetField(field string, value any) {
	if r.Operation == client.OperationCreate {
		r.Draft = r.Draft.With(field, value)
		return
	}
	r.Fields = maps.Clone(r.Fields)
	if r.Fields == nil {
		r.Fields = ExportFields{}
	}
	r.Fields[field] = value
}

// RemoveFields removes fields from the body.
func (r *Request) RemoveFields(fields ...string) {
	r.Draft, r.Fields = r.Draft.Without(fields...), maps.Clone(r.Fields)
	for _, name := range fields {
		delete(r.Fields, name)
	}
}

// SetHeader sets a header; without values it removes the header.
func (r *Request) SetHeader(name string, value ...string) {
	r.Header = r.Header.Clone()
	if r.Header == nil {
		r.Header = http.Header{}
	}
	r.Header[name] = value
}

// UnmodifiedField returns the value that a field of a creation had before a check changed it.
func (r *Request) UnmodifiedField(field string) any { return r.unmodifiedDraft.Get(field) }

// MarkUnmodified makes the current draft the unmodified one.
func (r *Request) MarkUnmodified() { r.unmodifiedDraft = r.Draft }

// Variation is another form of one part of a creation, such as the phone number.
type Variation struct {
	Name   string
	Change func(*Request)
}

// CreationSpelling is the form of creations where the document leaves it open; nil: the plain
// form.
type CreationSpelling []Variation

// String returns the names of the variations; empty for the plain form.
func (s CreationSpelling) String() string {
	names := make([]string, len(s))
	for i, v := range s {
		names[i] = v.Name
	}
	return strings.Join(names, ", ")
}
