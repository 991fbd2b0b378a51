package auth

import (
	"net/http"
	"net/url"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// sender is who a request comes from, by what it shows of that.
type sender struct {
	what  string
	sign  func(*target.Request) error // of a request without a credential; the error says why this deployment has none such
	place string                      // of what it shows: a header, or the query; empty: it is a token, in its own
	turns map[client.Operation]spec.Sampling
}

// Places of a credential: the headers that the document names, and the query. Who leaves it away may spell the path in
// another way.
const (
	authorization = "Authorization"
	apiKeyHeader  = "x-api-key"
	query         = "query"
	otherPath     = "path"
)

// worthless is the rule about senders that show something in the same place that nobody could take for a credential:
// where these are let in, that is the finding. What makes a token in its own place worthless has rules of its own.
func (w sender) worthless() string {
	if rule, known := map[string]string{"": "", apiKeyHeader: unknownKey, authorization: garbage}[w.place]; known {
		return rule
	}
	return missing
}

// refused is what a sender gets who must not be let in. That a query is refused with 401, no page says: a deployment may
// know no such parameter.
func (w sender) refused(op client.Operation) Matcher {
	if op == lab.Create && w.place != query {
		return HaveStatus(http.StatusUnauthorized)
	}
	return BeRefused()
}

// nobody shows nothing.
func nobody(what string) sender {
	return sender{what: what, sign: func(*target.Request) error { return nil }}
}

// stranger shows a text in a header that is no credential.
func stranger(what, header, value string) sender {
	return sender{what: what, place: header, sign: func(r *target.Request) error {
		r.Header[header], r.AlteredCredential = []string{value}, what
		return nil
	}}
}

// credential is the right value of one, where the deployment file gives it for its method.
type credential struct {
	key   string // of the deployment file
	of    *deployment.Credential
	by    deployment.Method
	place string // see sender
}

func (s *Suite) token() credential {
	return credential{"credentials.platform_token", s.t.Deployment.Credentials.PlatformToken, deployment.Bearer, ""}
}

func (s *Suite) key() credential {
	return credential{"credentials.api_key", s.t.Deployment.Credentials.APIKey, deployment.APIKey, apiKeyHeader}
}

// shows is a sender who shows what is made of the right value.
func (c credential) shows(what, place string, show func(r *target.Request, value string) error) sender {
	return sender{what: what, place: place, sign: func(r *target.Request) error {
		switch {
		case c.of == nil:
			return spec.NotVerifiedf(c.key, "")
		case c.of.Method != c.by:
			return spec.NotVerifiedf(c.key, "it is given by the other method of authentication")
		}
		return show(r, c.of.Value)
	}}
}

// itself is a sender who shows the credential by its own method, unless a check of its value says why not.
func (c credential) itself(what string, check func(value string) error) sender {
	return c.shows(what, c.place, func(r *target.Request, value string) error {
		r.Credential = c.of
		return check(value)
	})
}

// in puts the right value in another place: a header, with something ahead of it.
func (c credential) in(what, header, lead string) sender {
	return c.shows(what, header, func(r *target.Request, value string) error {
		r.Header[header] = []string{lead + value}
		return nil
	})
}

// inQuery puts the right value in the query.
func (c credential) inQuery(what, name string) sender {
	return c.shows(what+" as ?"+name, query, func(r *target.Request, value string) error {
		r.Query = url.Values{name: {value}}
		return nil
	})
}

// changed shows what a change makes of the right value, in its own place. What is left of it is as secret as that.
func (s *Suite) changed(c credential, what string, change func(value string) (string, error)) sender {
	return c.shows(what, c.place, func(r *target.Request, value string) error {
		other, err := change(value)
		switch {
		case err != nil:
			return spec.NotVerifiedf(c.key, "the token is opaque, it cannot be taken apart: %v", err)
		case other == value:
			return spec.NotVerifiedf(c.key, "it has no letters there whose case could be changed")
		}
		s.t.Client.Redactor().Secret(what, other)
		if r.AlteredCredential = what; c.place == "" {
			r.Header[authorization] = []string{"Bearer " + other}
		} else {
			r.Header[c.place] = []string{other}
		}
		return nil
	})
}
