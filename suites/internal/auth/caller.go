package auth

import (
	"net/http"
	"net/url"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/token"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// caller is the user that a request claims to come from, and how it shows that.
type caller struct {
	description string
	// authenticate adds its credential to a request that has none. The error says why this
	// deployment has no such credential.
	authenticate func(*target.Request) error
	// location is where it identifies itself: a header, or the query; empty: a token in the
	// Authorization header.
	location  string
	samplings map[client.Operation]spec.Sampling
}

// Locations of a credential: the documented headers, and the query. A caller without a
// credential may also spell the path differently.
const (
	ownPlace              = "" // a token in its own header, as the document has it
	inAuthorizationHeader = "Authorization"
	inAPIKeyHeader        = "x-api-key"
	inQuery               = "query"
	onOtherPath           = "path"
)

// garbageRule returns the ID of the rule on callers with obvious garbage in the same location.
// Where these are let in, that is the finding. Altered tokens in their own location have their
// own rules.
func (w caller) garbageRule() string {
	switch w.location {
	case ownPlace:
		return ""
	case inAPIKeyHeader:
		return ruleUnknownKey
	case inAuthorizationHeader:
		return ruleGarbage
	case inQuery:
		return ruleMissingPath
	}
	return ruleMissing
}

// refusalMatcher returns the expected refusal of a caller. The document does not say that a
// credential in the query gets 401: the deployment may not know such a parameter. Neither does it
// of another path: the deployment may serve nothing there.
func (w caller) refusalMatcher(op client.Operation) Matcher {
	if op == client.OperationCreate && w.location != inQuery && w.location != onOtherPath {
		return HaveStatus(http.StatusUnauthorized)
	}
	return BeRefused()
}

// callerWithHeader returns a caller with a header that holds no credential.
func callerWithHeader(what, header, value string) caller {
	return caller{description: what, location: header, authenticate: func(r *target.Request) error {
		r.Header[header] = []string{value}
		return nil
	}}
}

// callerWithMadeUp returns a caller with a credential that nobody issued, in one of the documented
// headers.
func callerWithMadeUp(what, header, text string) caller {
	method := deployment.AuthBearer
	if header == inAPIKeyHeader {
		method = deployment.AuthAPIKey
	}
	return caller{description: what, location: header, authenticate: func(r *target.Request) error {
		r.Credential = &deployment.Credential{
			Name: what, Method: method, Value: text, Edit: &token.Edit{Text: text},
		}
		return nil
	}}
}

// credential is a valid credential, if the deployment file has one for its method.
type credential struct {
	settingKey string // key in the deployment file
	configured *deployment.Credential
	method     deployment.AuthMethod
	location   string // see caller
}

// bearer returns a token of the deployment file, by the name of its setting.
func bearer(setting string, given *deployment.Credential) credential {
	return credential{setting, given, deployment.AuthBearer, ownPlace}
}

// apiKey returns an API key of the deployment file, by the name of its setting.
func apiKey(setting string, key *deployment.Credential) credential {
	return credential{setting, key, deployment.AuthAPIKey, inAPIKeyHeader}
}

// callerWith returns a caller whose request show derives from the valid value.
func (c credential) callerWith(
	what, place string, show func(r *target.Request, value string) error,
) caller {
	return caller{description: what, location: place, authenticate: func(r *target.Request) error {
		switch {
		case c.configured == nil:
			return spec.NotVerifiedf(c.settingKey, "")
		case c.configured.Method != c.method:
			return spec.NotVerifiedf(c.settingKey, "it belongs to the other method of authentication")
		}
		return show(r, c.configured.Value)
	}}
}

// alone returns a caller with the credential in its own location.
func (c credential) alone(what string) caller {
	return c.callerWith(what, c.location, func(r *target.Request, _ string) error {
		r.Credential = c.configured
		return nil
	})
}

// aloneWithExpiry is alone for a token that must have expired, or must not have. why says what its
// own claim shows otherwise.
func (c credential) aloneWithExpiry(what string, expired bool, why string) caller {
	return c.callerWith(what, c.location, func(r *target.Request, value string) error {
		if at, known := token.Expiry(value); known && at.After(time.Now()) == expired {
			return spec.NotVerifiedf(c.settingKey, "%s %s", why, at.Format(time.RFC3339))
		}
		r.Credential = c.configured
		return nil
	})
}

// callerInHeader returns a caller with the valid value in another header, after a prefix.
func (c credential) callerInHeader(what, header, lead string) caller {
	return c.callerWith(what, header, func(r *target.Request, value string) error {
		r.Header[header] = []string{lead + value}
		return nil
	})
}

// callerInQuery returns a caller with the valid value in the query.
func (c credential) callerInQuery(what, name string) caller {
	return c.callerWith(what+" as ?"+name, inQuery, func(r *target.Request, value string) error {
		r.Query = url.Values{name: {value}}
		return nil
	})
}

// callerWithChange returns a caller with the changed credential in its own location.
func (c credential) callerWithChange(what string, change token.Change) caller {
	return c.callerWith(what, c.location, func(r *target.Request, _ string) (err error) {
		r.Credential, err = target.Alter(c.configured, what, change)
		return err
	})
}
