package auth

import (
	"fmt"
	"maps"
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
	give  func() (identity, error) // for one attempt; the error says why there is none on this deployment
	place string                   // of what it shows: a header, or the query; empty: it is a token, in its own
}

// identity is what a request shows of its sender.
type identity struct {
	credential *deployment.Credential // sent by its own method
	header     http.Header            // sent as it is
	query      url.Values
	body       []byte // in place of a valid one; nil: a valid one
	altered    string // what stands in place of a credential on purpose
}

func (i identity) sign(r *target.Request, label string) {
	r.Label, r.Credential, r.Query, r.Altered = label, i.credential, i.query, i.altered
	maps.Copy(r.Header, i.header)
	if i.body != nil {
		r.Body = i.body
	}
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

func nobody() sender {
	return sender{what: "no credential", give: func() (identity, error) { return identity{}, nil }}
}

// showing is a sender who shows a text in a header.
func showing(what, header, value string) sender {
	return sender{what: what, place: header, give: func() (identity, error) {
		return identity{header: http.Header{header: {value}}, altered: what}, nil
	}}
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

// place is where a key is distinguished from others, see worthless.
func (c credential) place() string {
	if c.by == deployment.APIKey {
		return apiKeyHeader
	}
	return ""
}

func (c credential) value() (string, error) {
	switch {
	case c.of == nil:
		return "", spec.Unmet(c.key, "")
	case c.of.Method == c.by:
		return c.of.Value, nil
	case c.by == deployment.Bearer:
		return "", spec.Unmet(c.key, "it is given as an API key, not as a bearer token")
	}
	return "", spec.Unmet(c.key, "it is given as a bearer token, not as an API key")
}

// sends is a sender who shows what is made of the right value.
func (c credential) sends(what, place string, show func(value string) (identity, error)) sender {
	return sender{what: what, place: place, give: func() (identity, error) {
		value, err := c.value()
		if err != nil {
			return identity{}, err
		}
		return show(value)
	}}
}

// in puts the right value in another place: a header, with something ahead of it.
func (c credential) in(what, header, lead string) sender {
	return c.sends(what, header, func(value string) (identity, error) {
		return identity{header: http.Header{header: {lead + value}}}, nil
	})
}

// inQuery puts the right value in the query.
func (c credential) inQuery(what, name string) sender {
	return c.sends(fmt.Sprintf("%s as ?%s", what, name), query, func(value string) (identity, error) {
		return identity{query: url.Values{name: {value}}}, nil
	})
}

// changed sends what a change makes of the right value, in its own place. What is left of it is as secret as that.
func (s *Suite) changed(c credential, what string, change func(value string) (string, error)) sender {
	return c.sends(what, c.place(), func(value string) (identity, error) {
		other, err := change(value)
		if err != nil {
			return identity{}, spec.Unmet(c.key, "%v", err)
		}
		s.t.Client.Redactor().Secret(what, other)
		return identity{header: http.Header{c.sent: {c.lead + other}}, altered: what}, nil
	})
}

// whole sends a credential that the deployment file gives, by its own method.
func whole(what, key string, c *deployment.Credential, by deployment.Method, check func(value string) error) sender {
	given := credential{key: key, of: c, by: by}
	return given.sends(what, given.place(), func(value string) (id identity, err error) {
		if check != nil {
			err = check(value)
		}
		return identity{credential: c}, err
	})
}
