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
	location     string // of what it shows: a header, or one of the places below
	samplings    map[client.Operation]spec.Sampling
}

// Places of a credential: the headers that the document names, and the query. Who leaves it away
// may spell the path in another way.
const (
	ownPlace              = "" // a token in its own header, as the document has it
	inAuthorizationHeader = "Authorization"
	inAPIKeyHeader        = "x-api-key"
	inQuery               = "query"
	onOtherPath           = "path"
)

// garbageRule is the rule about callers that show something in the same place that nobody could
// take for a credential: where these are let in, that is the finding. What makes a token in its own
// place worthless has rules of its own.
func (w caller) garbageRule() string {
	if rule, known := map[string]string{
		ownPlace: "", inAPIKeyHeader: ruleUnknownKey, inAuthorizationHeader: ruleGarbage,
	}[w.location]; known {
		return rule
	}
	return ruleMissing
}

// refusalMatcher is what a caller gets who must not be let in. That a query is refused with 401, no
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
	location   string // see caller
}

// bearer is a token of the deployment file, by the name of its setting.
func bearer(setting string, token *deployment.Credential) credential {
	return credential{setting, token, deployment.AuthBearer, ownPlace}
}

// apiKey is an API key of the deployment file, by the name of its setting.
func apiKey(setting string, key *deployment.Credential) credential {
	return credential{setting, key, deployment.AuthAPIKey, inAPIKeyHeader}
}

func (s *Suite) tokenCredential() credential {
	return bearer("credentials.platform_token", s.target.Deployment.Credentials.PlatformToken)
}

func (s *Suite) apiKeyCredential() credential {
	return apiKey("credentials.api_key", s.target.Deployment.Credentials.APIKey)
}

// callerWith is a caller who shows what is made of the right value.
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

// alone is a caller who shows the credential by its own method.
func (c credential) alone(what string) caller {
	return c.callerWith(what, c.location, func(r *target.Request, _ string) error {
		r.Credential = c.configured
		return nil
	})
}

// checked is a caller whose credential is looked at first: the error says why it cannot serve.
func (w caller) checked(check func(value string) error) caller {
	authenticate := w.authenticate
	w.authenticate = func(r *target.Request) error {
		if err := authenticate(r); err != nil {
			return err
		}
		return check(r.Credential.Value)
	}
	return w
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
		if r.AlteredCredential = what; c.location == ownPlace {
			r.Header[inAuthorizationHeader] = []string{"Bearer " + other}
		} else {
			r.Header[c.location] = []string{other}
		}
		return nil
	})
}
