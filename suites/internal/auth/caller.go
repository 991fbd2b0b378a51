package auth

import (
	"net/http"
	"net/url"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// caller is who a request comes from, by what it shows of that.
type caller struct {
	description string
	// of a request without a credential; the error says why this deployment has none such
	authenticate func(*target.Request) error
	// of what it shows: a header, or the query; empty: it is a token, in its own
	location  string
	samplings map[client.Operation]spec.Sampling
}

// Places of a credential: the headers that the document names, and the query. Who leaves it away
// may spell the path in another way.
const (
	inAuthorizationHeader = "Authorization"
	inAPIKeyHeader        = "x-api-key"
	inQuery               = "query"
	onOtherPath           = "path"
)

// garbageRule is the rule about senders that show something in the same place that nobody could
// take for a credential: where these are let in, that is the finding. What makes a token in its own
// place worthless has rules of its own.
func (w caller) garbageRule() string {
	if rule, known := map[string]string{
		"": "", inAPIKeyHeader: ruleUnknownKey, inAuthorizationHeader: ruleGarbage,
	}[w.location]; known {
		return rule
	}
	return ruleMissing
}

// refusalMatcher is what a sender gets who must not be let in. That a query is refused with 401, no
// page says: a deployment may know no such parameter.
func (w caller) refusalMatcher(op client.Operation) Matcher {
	if op == lab.OperationCreate && w.location != inQuery {
		return HaveStatus(http.StatusUnauthorized)
	}
	return BeRefused()
}

// anonymousCaller shows nothing.
func anonymousCaller(what string) caller {
	return caller{description: what, authenticate: func(*target.Request) error { return nil }}
}

// callerWithHeader shows a text in a header that is no credential.
func callerWithHeader(what, header, value string) caller {
	return caller{description: what, location: header, authenticate: func(r *target.Request) error {
		r.Header[header], r.AlteredCredential = []string{value}, what
		return nil
	}}
}

// credential is the right value of one, where the deployment file gives it for its method.
type credential struct {
	settingKey string // of the deployment file
	configured *deployment.Credential
	method     deployment.AuthMethod
	location   string // see sender
}

func (s *Suite) tokenCredential() credential {
	return credential{
		"credentials.platform_token", s.target.Deployment.Credentials.PlatformToken,
		deployment.AuthBearer, "",
	}
}

func (s *Suite) apiKeyCredential() credential {
	return credential{
		"credentials.api_key", s.target.Deployment.Credentials.APIKey,
		deployment.AuthAPIKey, inAPIKeyHeader,
	}
}

// callerWith is a sender who shows what is made of the right value.
func (c credential) callerWith(
	what, place string, show func(r *target.Request, value string) error,
) caller {
	return caller{description: what, location: place, authenticate: func(r *target.Request) error {
		switch {
		case c.configured == nil:
			return spec.NotVerifiedf(c.settingKey, "")
		case c.configured.Method != c.method:
			return spec.NotVerifiedf(c.settingKey, "it is given by the other method of authentication")
		}
		return show(r, c.configured.Value)
	}}
}

// callerByOwnMethod is a sender who shows the credential by its own method, unless a check of its
// value says why not.
func (c credential) callerByOwnMethod(what string, check func(value string) error) caller {
	return c.callerWith(what, c.location, func(r *target.Request, value string) error {
		r.Credential = c.configured
		return check(value)
	})
}

// callerInHeader puts the right value in another place: a header, with something ahead of it.
func (c credential) callerInHeader(what, header, lead string) caller {
	return c.callerWith(what, header, func(r *target.Request, value string) error {
		r.Header[header] = []string{lead + value}
		return nil
	})
}

// callerInQuery puts the right value in the query.
func (c credential) callerInQuery(what, name string) caller {
	return c.callerWith(what+" as ?"+name, inQuery, func(r *target.Request, value string) error {
		r.Query = url.Values{name: {value}}
		return nil
	})
}

// callerWithChange shows what a change makes of the right value, in its own place. What is left of
// it is as secret as that.
func (s *Suite) callerWithChange(
	c credential, what string, change func(value string) (string, error),
) caller {
	return c.callerWith(what, c.location, func(r *target.Request, value string) error {
		other, err := change(value)
		switch {
		case err != nil:
			return spec.NotVerifiedf(c.settingKey, "the token is opaque, it cannot be taken apart: %v", err)
		case other == value:
			return spec.NotVerifiedf(c.settingKey, "it has no letters there whose case could be changed")
		}
		s.target.Client.Redactor().AddSecret(what, other)
		if r.AlteredCredential = what; c.location == "" {
			r.Header[inAuthorizationHeader] = []string{"Bearer " + other}
		} else {
			r.Header[c.location] = []string{other}
		}
		return nil
	})
}
