package target

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/redact"
)

// Request is what a creation and an export have in common.
type Request struct {
	Label       string
	Body        []byte // sent instead of the draft or the fields when not nil; empty: no body
	ContentType string
	Transaction string // empty: the header is left out
	Nonce       string // empty: the header is left out
	Header      http.Header
	Query       url.Values
	Path        func(own string) string // what is made of the operation's own; nil: it stays
	Credential  *deployment.Credential  // nil: none
	Altered     string                  // what Header holds in place of a credential on purpose
	Unwelcome   bool                    // it should be refused: limits.max_creates counts it only when it is sent
	Claim       Claim                   // on limits.max_creates
}

// request is by the main credential, under a fresh nonce.
func (t *Target) request(label string) Request {
	return Request{
		Label: label, ContentType: "application/json", Nonce: UUID(), Header: http.Header{},
		Credential: t.Deployment.Credentials.Main(),
	}
}

// mostOfBody is how many characters of a body are shown.
const mostOfBody = 60

// beside says what of a request matters beside its fields: its headers, but for those that every request has, who sends
// it, its query, and a body that is none of its operation's.
func (r Request) beside(headers map[string]string, main *deployment.Credential) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		switch value := headers[name]; {
		case r.ordinary(headers, name, value):
		case name != "" && value != "":
			parts = append(parts, name+" "+value)
		case name == HeaderNonce:
			parts = append(parts, "no "+name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		if r.Altered == "" && !redact.SecretHeader(name) && len(r.Header[name]) > 0 {
			parts = append(parts, name+" "+cmp.Or(strings.Join(r.Header[name], ", "), "empty"))
		}
	}
	switch {
	case r.Altered != "":
		parts = append(parts, r.Altered)
	case r.Credential == nil:
		parts = append(parts, "without a credential")
	case r.Credential != main:
		parts = append(parts, "credential "+r.Credential.Name)
	}
	if len(r.Query) > 0 {
		parts = append(parts, "query "+r.Query.Encode())
	}
	if r.Body != nil {
		parts = append(parts, "body "+cmp.Or(printable.Fit(string(r.Body), mostOfBody), "empty"))
	}
	if r.ContentType != "application/json" {
		parts = append(parts, "Content-Type "+r.ContentType)
	}
	return strings.Join(parts, ", ")
}

// ordinary reports a header that every request has in this form: a fresh identifier, and that exports compare the nonce.
func (r Request) ordinary(headers map[string]string, name, value string) bool {
	id, err := uuid.Parse(value)
	fresh := err == nil && id.Version() == 4 && len(value) == 36 && (value == r.Nonce || value == r.Transaction)
	return fresh && (headers[HeaderReplay] == "" || headers[HeaderReplay] == HeaderNonce && r.Transaction == "") ||
		name == HeaderReplay && value == HeaderNonce && r.Transaction == ""
}

// request spells the request. Headers without a name or a value are left out; write makes the body where none is given.
func (t *Target) spell(r Request, op client.Operation, path string, headers map[string]string,
	write func() ([]byte, error),
) *client.Request {
	out := &client.Request{
		Label: r.Label, Sent: r.beside(headers, t.Deployment.Credentials.Main()), Operation: op, Method: http.MethodPost, Path: path, Query: r.Query,
		Header: r.Header.Clone(), Credential: r.Credential, Body: r.Body, Altered: r.Altered,
		Late: r.Unwelcome,
	}
	if r.Path != nil {
		out.Path = r.Path(path)
	}
	if out.Header == nil {
		out.Header = http.Header{}
	}
	for name, value := range headers {
		set(out.Header, name, value)
	}
	set(out.Header, "Content-Type", r.ContentType)
	var err error
	if r.Body == nil {
		if out.Body, err = write(); err != nil {
			panic("a body of our own cannot be written: " + err.Error())
		}
	}
	return out
}

func each[T any](all []T, spell func(T) *client.Request) (requests []*client.Request) {
	for _, one := range all {
		requests = append(requests, spell(one))
	}
	return requests
}

func set(h http.Header, name, value string) {
	if name != "" && value != "" {
		h[name] = []string{value}
	}
}

// tolerance is how far a moment may be off before it is called wrong: the host that answers and the one that stores may have
// clocks of their own.
const tolerance = 5 * time.Minute

// Clock is what the deployment's clock showed when it answered: the Date header, or our own clock without one.
func Clock(x *client.Exchange) time.Time {
	if date, err := http.ParseTime(x.Header.Get("Date")); err == nil {
		return date
	}
	return x.StartedAt.Add(x.Service)
}

// Current reports whether a moment is that of an answer by the deployment's clock or by ours, and whether that can be
// judged: where the two clocks differ, nobody knows which of them is right.
func Current(x *client.Exchange, at time.Time) (right, judged bool) {
	theirs, ours := Clock(x), x.StartedAt.Add(x.Service)
	near := func(a, b time.Time) bool { return a.Sub(b).Abs() <= tolerance }
	right = near(at, theirs) || near(at, ours)
	return right, right || near(theirs, ours)
}

// Disown marks requests that should not have been accepted: where they were, that is a finding by itself, and their
// answers are not examples of what an accepted request is answered with.
func (t *Target) Disown(all ...*client.Exchange) {
	for _, x := range all {
		if x != nil && x.Seq > 0 {
			t.disowned.Store(x.Seq, true)
		}
	}
}

// Accepted lists the accepted answers of an operation in the order in which they came, without those of requests that
// should not have been accepted.
func (t *Target) Accepted(op client.Operation) []*client.Exchange {
	return slices.DeleteFunc(t.Client.Accepted(op), func(x *client.Exchange) bool {
		_, disowned := t.disowned.Load(x.Seq)
		return disowned
	})
}
