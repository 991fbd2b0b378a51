package doctor

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/token"
	"github.com/gateassay/gateassay/suites/target"
)

// Obstacle is the one thing that makes every verdict about a deployment impossible. Its texts are redacted.
type Obstacle struct {
	Cause  string // what is wrong
	Answer string // the deployment's own words, or why there are none
	Next   string // what to do about it
}

func (o *Obstacle) Error() string { return o.Cause + " (" + o.Answer + ")" }

// Obstruct looks for an obstacle in the last answers to valid requests with the main credential, at most one an
// operation, the export first. It returns nil where at least one of them leaves something to judge. key is what an
// export with the API key got, where one was sent beside them.
func Obstruct(dep *deployment.File, answers []*client.Exchange, key *client.Exchange) *Obstacle {
	if len(answers) == 0 {
		return nil
	}
	all := func(is func(x *client.Exchange) bool) bool {
		for _, x := range answers {
			if x == nil || !is(x) {
				return false
			}
		}
		return true
	}
	x := answers[0]
	o := &Obstacle{Answer: answered(x)}
	switch {
	case all(Unconnected):
		o.Cause, o.Next = "No connection to "+dep.BaseURL, advice(x)
		if x.Err.Kind == client.BadTLS {
			o.Cause = "No TLS connection to " + dep.BaseURL
		}
		if atProxy(x.Err) {
			o.Cause = "No connection to the proxy"
		}
	case all(func(x *client.Exchange) bool { return x.Status == http.StatusUnauthorized }):
		o.refused(dep, key)
	case all(func(x *client.Exchange) bool { return x.Status == http.StatusProxyAuthRequired }):
		o.Cause = "A proxy between here and " + dep.BaseURL + " asks for credentials"
		o.Next = "write its user and password into proxy in the deployment file, or go without it (NO_PROXY)"
	case all(NoRoute) && x.Operation == client.Export: // a creation's 404 alone may be about the shareholder
		keys := "base_url and export.path"
		if len(answers) > 1 {
			keys = "base_url, legal_representative.path and export.path"
		}
		o.Cause = fmt.Sprintf("Nothing is served at %s", x.Recorded.URL)
		if len(answers) > 1 {
			o.Cause += fmt.Sprintf(" nor at %s", answers[1].Recorded.URL)
		}
		o.Next = "check " + keys
	case all(func(x *client.Exchange) bool { return target.WebPage(x) != nil }):
		o.Cause = fmt.Sprintf("A web page answers at %s, not an API", dep.BaseURL)
		o.Next = "check base_url, and whether a proxy or a login page is in between"
	case len(answers) > 1 && all(redirected): // one operation alone that redirects is what rules judge
		o.Cause = "Every request to " + dep.BaseURL + " is redirected" + destination(x)
		o.Next = "write the address that serves the API in base_url, and check whether a proxy or a login page is in between"
	case len(answers) > 1 && all(func(x *client.Exchange) bool { return x.Status == http.StatusForbidden }):
		o.Cause = "credentials." + dep.Credentials.Main().Name + " may neither start exports nor create legal representatives"
		o.Next = "give a credential whose user may do both, and check that no firewall answers in place of the deployment"
	default:
		return nil
	}
	return o
}

// answered is the deployment's own words, or why there are none.
func answered(x *client.Exchange) string {
	if x.Err != nil {
		return "no answer: " + x.Err.Error()
	}
	return "it answered " + target.Quoted(x)
}

// OutOfOrder is the obstacle of valid requests that were sent again and again and never got more than a server error,
// or no answer; nil: one of them got something else.
func OutOfOrder(dep *deployment.File, answers []*client.Exchange) *Obstacle {
	if len(answers) < 2 { // one operation alone that fails is what rules judge
		return nil
	}
	for _, x := range answers {
		if x == nil || x.Err == nil && x.Status < 500 {
			return nil
		}
	}
	cause := "The deployment at " + dep.BaseURL + " is out of order"
	if answers[0].Err != nil {
		cause = "No valid request got an answer from " + dep.BaseURL
	}
	return &Obstacle{cause, answered(answers[0]), advice(answers[0])}
}

// silent is the obstacle of the first request: it got no answer, or was throttled; nil: neither.
func silent(dep *deployment.File, x *client.Exchange) *Obstacle {
	o := &Obstacle{"The deployment throttles the first request", answered(x), advice(x)}
	switch {
	case x.Err != nil && x.Err.Kind == client.TimedOut:
		o.Cause = "No answer from " + dep.BaseURL
		return o
	case !throttled(x):
		return nil
	case x.Status == http.StatusServiceUnavailable:
		o.Cause = "The deployment at " + dep.BaseURL + " asks to come again later"
	default:
		o.Next = "try again later, or have its limit for this user raised"
	}
	if after := x.Recorded.ResponseHeader.Get("Retry-After"); after != "" {
		o.Answer += ", with Retry-After " + after
	}
	return o
}

// Unsigned is the obstacle of a credential that could not be obtained, as the error of client.SignIn says it.
func Unsigned(err error) *Obstacle {
	o := &Obstacle{
		Cause: "A credential could not be obtained", Answer: "no credential: " + err.Error(),
		Next: "check the command or token_url that issues it, by hand if need be",
	}
	if e := new(client.CredentialError); errors.As(err, &e) {
		o.Cause, o.Answer = e.Key+" could not be obtained", "no credential: "+e.Reason
	}
	return o
}

// Refused is the obstacle of one valid export that was not accepted.
func Refused(x *client.Exchange) *Obstacle {
	o := &Obstacle{"A valid export was refused", answered(x), advice(x)}
	switch {
	case x.Err != nil:
		o.Cause = "A valid export got no answer"
	case x.Success(): // a page, say, or a part of what an export is answered with
		o.Cause = "A valid export was answered with something else"
	}
	return o
}

// refused describes the main credential that was refused, and what an API key beside it got.
func (o *Obstacle) refused(dep *deployment.File, asked *client.Exchange) {
	main := dep.Credentials.Main()
	key := "credentials." + main.Name
	if at, expired := Expired(main); expired {
		o.Cause = fmt.Sprintf("%s expired on %s", key, moment(at))
		o.Next = "take a fresh token"
		return
	}
	o.Cause = key + " was refused"
	o.Next = "check its value, its expiry, and that it belongs to this deployment"
	switch {
	case asked == nil:
	case asked.Status == http.StatusUnauthorized:
		o.Cause = key + " and credentials.api_key were refused"
	case asked.Success():
		o.Next += "; credentials.api_key is accepted: without " + key + " the run uses it alone"
	}
}

// Expired reads from a token itself whether it has expired, and when. Nothing is sent.
func Expired(c *deployment.Credential) (at time.Time, expired bool) {
	if c == nil {
		return at, false
	}
	at, ok := token.Expiry(c.Value)
	return at, ok && at.Before(time.Now())
}

func moment(t time.Time) string { return t.Format("2006-01-02 15:04 MST") }

// Unconnected reports whether a request got no further than the attempt to connect.
func Unconnected(x *client.Exchange) bool {
	if x.Err == nil {
		return false
	}
	switch x.Err.Kind {
	case client.Refused, client.NoName, client.BadTLS, client.Garbled:
		return true
	}
	return false
}

// redirected reports whether an answer sends the client elsewhere.
func redirected(x *client.Exchange) bool { return x.Status >= 300 && x.Status < 400 }

// destination says where an answer redirects to, without what may be a secret in its address.
func destination(x *client.Exchange) string {
	to, err := url.Parse(x.Recorded.ResponseHeader.Get("Location"))
	if err != nil || to.Host == "" {
		return ""
	}
	return " to " + (&url.URL{Scheme: to.Scheme, Host: to.Host, Path: to.Path}).String()
}

// NoRoute reports whether an answer says that nothing is served at the address of a request.
func NoRoute(x *client.Exchange) bool {
	return x.Status == http.StatusNotFound || x.Status == http.StatusMethodNotAllowed
}

// Lines are the three lines that a person reads: the cause, the deployment's answer, the next step.
func (o *Obstacle) Lines() string {
	var b strings.Builder
	answer := strings.ToUpper(o.Answer[:1]) + o.Answer[1:]
	for _, line := range []string{o.Cause + ": nothing can be tested.", answer, "Next: " + o.Next + "."} {
		b.WriteString(strings.Join(strings.Fields(line), " ") + "\n")
	}
	return b.String()
}
