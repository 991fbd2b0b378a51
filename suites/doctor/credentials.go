package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/token"
	"github.com/gateassay/gateassay/suites/target"
)

// credentials tries each further credential with an export.
func (e *examiner) credentials(ctx context.Context) {
	all := e.dep.Credentials
	for _, c := range []struct {
		cred   *deployment.Credential
		accept bool
	}{
		{all.PlatformToken, true},
		{all.APIKey, true},
		{all.ExpiredToken, false},
		{all.RevokedAPIKey, false},
		{all.Unprivileged, true},
		{all.OtherUser, true},
	} {
		if c.cred == nil || c.cred == all.Main() {
			continue
		}
		x := e.export(ctx, "export with "+c.cred.Name, func(call *target.ExportCall) { call.Credential = c.cred })
		e.judgeCredential(c.cred, x, c.accept)
	}
	if t := all.PlatformToken; t != nil {
		e.expiry(t)
	}
}

// refused says of a credential that got 401 when it expired, where the token itself says so, and what to do.
func (e *examiner) refused(cred *deployment.Credential, text string) (found, do string) {
	if at, expired := Expired(cred); expired {
		return "expired on " + moment(at) + "; " + text, "take a fresh token"
	}
	return text, "check its value, its expiry, and that it belongs to this deployment"
}

// judgeCredential reports whether a credential did what it is for.
func (e *examiner) judgeCredential(cred *deployment.Credential, x *client.Exchange, accept bool) {
	name := cred.Name
	f := Finding{Name: "credentials." + name, State: OK}
	switch {
	case x.Success() && accept && !json.Valid(x.Body):
		f.State, f.Text, f.Do = Warning, "accepted, but the answer is not JSON",
			"check base_url: what answers there may not be a gateway; if it is one, it breaks export.response.json"
	case x.Success() && accept:
		f.Text = "accepted"
	case x.Success():
		ended, what, rule := "expired", "a token", "auth.bearer.expired"
		if name == "revoked_api_key" {
			ended, what, rule = "been revoked", "a key", "auth.api_key.revoked"
		}
		f.State, f.Text = Warning, "accepted, although it should have "+ended
		f.Do = fmt.Sprintf("give %s that has %s; if this one has, the deployment breaks %s", what, ended, rule)
	case x.Status == http.StatusUnauthorized && !accept:
		f.Text = "refused with 401, as it should be"
	case x.Status == http.StatusUnauthorized:
		f.State = Broken
		f.Text, f.Do = e.refused(cred, "refused with "+target.Quoted(x))
		if name == "api_key" {
			f.Rules = []string{"create.header.language.default"} // one check of it is about the key's holder
			// These look at what is refused, whatever the key is good for.
			f.Spares = []string{
				"create.observed.deprecation", "auth.api_key.altered", "auth.api_key.in_query", "auth.observed.both_token_wrong",
			}
		}
	case x.Status == http.StatusForbidden && name == "unprivileged":
		f.State, f.Text = OK, "authenticated, refused with 403 on exports as well"
	default:
		f.State, f.Text, f.Do = Broken, "an export with it got "+target.Quoted(x), advice(x)
	}
	if f.State == Broken && name == e.dep.Credentials.Main().Name {
		f.Operations = []string{"export"}
		if x.Status != http.StatusUnauthorized && x.Status != http.StatusForbidden {
			f.Name, f.Text = "export", "a valid export got "+target.Quoted(x)
		}
	}
	e.add(f)
}

// expiry warns of a token that will not outlive a run.
func (e *examiner) expiry(c *deployment.Credential) {
	at, ok := token.Expiry(c.Value)
	if !ok {
		return
	}
	if left := time.Until(at); left < 15*time.Minute {
		e.found("credentials."+c.Name, Warning, fmt.Sprintf("expires in %s", left.Round(time.Second)),
			"take a fresh token: what is refused after it expired stays inconclusive")
	}
}
