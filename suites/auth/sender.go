package auth

import (
	"net/http"
	"net/url"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// sender is who a request comes from, by what it shows of that.
type sender struct {
	what  string
	give  func() (signature, error) // for one attempt; the error says why there is none on this deployment
	place string                    // of what it shows: a header, or the query; empty: it is a token, in its own
	by    client.Operation          // the one that it is tried on; empty: both
}

// signature makes a request without a credential the sender's.
type signature func(*target.Request)

func (sign signature) of(r *target.Request, label string) {
	r.Label, r.Credential = label, nil
	sign(r)
}

// Places of a credential: the headers that the document names, and the query.
const (
	authorization = "Authorization"
	apiKeyHeader  = "x-api-key"
	query         = "query"
)

// worthless is the rule about senders that show something in the same place that nobody could take for a credential:
// where these are let in, that is the finding. What makes a token in its own place worthless has rules of its own.
func (w sender) worthless() string {
	switch w.place {
	case "":
		return ""
	case apiKeyHeader:
		return unknownKey
	case authorization:
		return garbage
	}
	return missing
}

// refused is what a sender gets who must not be let in. That a query is refused with 401, no page says: a deployment may
// know no such parameter.
func (w sender) refused(op client.Operation) Matcher {
	if op == client.Create && w.place != query {
		return HaveStatus(http.StatusUnauthorized)
	}
	return BeRefused()
}

func showing(what, place string, sign signature) sender {
	return sender{what: what, place: place, give: func() (signature, error) { return sign, nil }}
}

// stranger is a sender who shows a text in a header that is no credential.
func stranger(what, header, value string) sender {
	return showing(what, header, func(r *target.Request) {
		r.Header[header], r.Altered = []string{value}, what
	})
}

// credential is the right value of one, where the deployment file gives it for its method.
type credential struct {
	key  string // of the deployment file
	of   *deployment.Credential
	by   deployment.Method
	sent string // where: a header, and what stands ahead of the value
	lead string
}

func (s *Suite) token() credential {
	return credential{"credentials.platform_token", s.t.Deployment.Credentials.PlatformToken, deployment.Bearer, authorization, "Bearer "}
}

func (s *Suite) key() credential {
	return credential{"credentials.api_key", s.t.Deployment.Credentials.APIKey, deployment.APIKey, apiKeyHeader, ""}
}

// sends is a sender who shows what is made of the right value.
func (c credential) sends(what, place string, show func(value string) (signature, error)) sender {
	return sender{what: what, place: place, give: func() (signature, error) {
		switch {
		case c.of == nil:
			return nil, spec.Unmet(c.key, "")
		case c.of.Method != c.by:
			return nil, spec.Unmet(c.key, "it is given by the other method of authentication")
		}
		return show(c.of.Value)
	}}
}

// itself is a sender who shows the credential by its own method, unless a check of its value says why not.
func (c credential) itself(what string, check func(value string) error) sender {
	return c.sends(what, c.place(), func(value string) (signature, error) {
		return func(r *target.Request) { r.Credential = c.of }, check(value)
	})
}

// place is where a key is distinguished from others, see worthless.
func (c credential) place() string {
	if c.by == deployment.APIKey {
		return apiKeyHeader
	}
	return ""
}

// in puts the right value in another place: a header, with something ahead of it.
func (c credential) in(what, header, lead string) sender {
	return c.sends(what, header, func(value string) (signature, error) {
		return func(r *target.Request) { r.Header[header] = []string{lead + value} }, nil
	})
}

// inQuery puts the right value in the query.
func (c credential) inQuery(what, name string) sender {
	return c.sends(what+" as ?"+name, query, func(value string) (signature, error) {
		return func(r *target.Request) { r.Query = url.Values{name: {value}} }, nil
	})
}

// changed sends what a change makes of the right value, in its own place. What is left of it is as secret as that.
func (s *Suite) changed(c credential, what string, change func(value string) (string, error)) sender {
	return c.sends(what, c.place(), func(value string) (signature, error) {
		other, err := change(value)
		switch {
		case err != nil:
			return nil, spec.Unmet(c.key, "the token is opaque, it cannot be taken apart: %v", err)
		case other == value:
			return nil, spec.Unmet(c.key, "it has no letters there whose case could be changed")
		}
		s.t.Client.Redactor().Secret(what, other)
		return func(r *target.Request) { r.Header[c.sent], r.Altered = []string{c.lead + other}, what }, nil
	})
}
