package auth

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"

	"github.com/gateassay/gateassay/gateway/curl"
	"github.com/gateassay/gateassay/gateway/deployment"
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
	altered    *curl.Alteration
}

func (i identity) sign(r *target.Request, label string) {
	r.Label, r.Credential, r.Query, r.Altered = label, i.credential, i.query, i.altered
	maps.Copy(r.Header, i.header)
	if i.body != nil {
		r.Body = i.body
	}
}

// apiKeyHeader carries the API key, as the document names it.
const apiKeyHeader = "x-api-key"

func nobody() sender {
	return sender{what: "no credential", give: func() (identity, error) { return identity{}, nil }}
}

// showing is a sender who shows a text in a header; how says how a shell makes it, and is nil where it is what it says.
func showing(what, header, value string, how *curl.Alteration) sender {
	return sender{what: what, place: header, give: func() (identity, error) {
		return identity{header: http.Header{header: {value}}, altered: how}, nil
	}}
}

// query is the place of a credential in the query.
const query = "query"

// worthless is the rule about senders that show something in the same place that nobody could take for a credential:
// where these are let in, that is the finding.
func (w sender) worthless() string {
	switch w.place {
	case "":
		return ""
	case apiKeyHeader:
		return unknownKey
	case "Authorization":
		return garbage
	}
	return missing
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
	return credential{
		"credentials.platform_token", s.t.Deployment.Credentials.PlatformToken, deployment.Bearer, "Authorization", "Bearer ",
	}
}

func (s *Suite) key() credential {
	return credential{"credentials.api_key", s.t.Deployment.Credentials.APIKey, deployment.APIKey, apiKeyHeader, ""}
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

// in puts the right value in another place: a header, with something ahead of it.
func (c credential) in(what, header, lead string) sender {
	return sender{what: what, place: header, give: func() (identity, error) {
		value, err := c.value()
		return identity{header: http.Header{header: {lead + value}}}, err
	}}
}

// inQuery puts the right value in the query.
func (c credential) inQuery(what, name string) sender {
	return sender{what: fmt.Sprintf("%s as ?%s", what, name), place: query, give: func() (identity, error) {
		value, err := c.value()
		return identity{query: url.Values{name: {value}}}, err
	}}
}

// changed sends what a change makes of the right value, in its own place. What is left of it is as secret as that.
func (s *Suite) changed(c credential, what string, change func(value string) (string, *curl.Alteration, error)) sender {
	return sender{what: what, place: keyPlace(c.by), give: func() (identity, error) {
		value, err := c.value()
		if err != nil {
			return identity{}, err
		}
		other, how, err := change(value)
		if err != nil {
			return identity{}, spec.Unmet(c.key, "%v", err)
		}
		s.t.Client.Redactor().Secret(what, other)
		return identity{header: http.Header{c.sent: {c.lead + other}}, altered: how}, nil
	}}
}

// whole sends a credential that the deployment file gives, by its own method.
func whole(what, key string, c *deployment.Credential, by deployment.Method, check func(value string) error) sender {
	return sender{what: what, place: keyPlace(by), give: func() (identity, error) {
		value, err := credential{key: key, of: c, by: by}.value()
		if err == nil && check != nil {
			err = check(value)
		}
		return identity{credential: c}, err
	}}
}

// keyPlace is where a key is told apart from others; what makes a token worthless has rules of its own.
func keyPlace(by deployment.Method) string {
	if by == deployment.APIKey {
		return apiKeyHeader
	}
	return ""
}
