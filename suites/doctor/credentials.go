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
	}{{all.PlatformToken, true}, {all.APIKey, true}, {all.ExpiredToken, false}, {all.Unprivileged, true}, {all.OtherUser, true}} {
		if c.cred == nil || c.cred == all.Main() {
			continue
		}
		x := e.export(ctx, "export with "+c.cred.Name, func(call *target.ExportCall) { call.Credential = c.cred })
		e.judgeCredential(c.cred.Name, x, c.accept)
	}
	if t := all.PlatformToken; t != nil {
		e.expiry(t)
	}
}

// judgeCredential tells whether a credential did what it is for.
func (e *examiner) judgeCredential(name string, x *client.Exchange, accept bool) {
	f := Finding{Topic: "credentials", Name: "credentials." + name, State: OK}
	switch {
	case x.Success() && accept && !json.Valid(x.Body):
		f.State, f.Text, f.Do = Warning, "accepted, but the answer is no JSON", "check base_url: what answers there may be no gateway; if it is one, it breaks export.response.json"
	case x.Success() && accept:
		f.Text = "accepted"
	case x.Success():
		f.State, f.Text, f.Do = Warning, "accepted, although it should have expired", "give a token that has expired; if this one has, the deployment breaks auth.bearer.expired"
	case x.Status == http.StatusUnauthorized && !accept:
		f.Text = "refused with 401, as it should be"
	case x.Status == http.StatusUnauthorized:
		f.State, f.Text, f.Do = Broken, "refused with 401", "check its value, its expiry, and that it belongs to this deployment"
	case x.Status == http.StatusForbidden && name == "unprivileged":
		f.State, f.Text = OK, "authenticated, refused with 403 on exports as well"
	default:
		f.State, f.Text, f.Do = Broken, "an export with it got "+target.Describe(x), advice(x)
	}
	e.add(f)
}

// advice is what to do about an export that was refused.
func advice(x *client.Exchange) string {
	switch {
	case x.Status == http.StatusTooManyRequests || x.Status == http.StatusServiceUnavailable:
		return "the deployment takes no requests now: try again later"
	case x.Status >= 500:
		return "the deployment is out of order: look at its logs, then try again"
	case x.Status == http.StatusNotFound || x.Status == http.StatusMethodNotAllowed || x.Status >= 300 && x.Status < 400:
		return "check base_url and export.path: exports are not served there"
	}
	return "see the body of the answer; the user may lack permission for exports"
}

// expiry warns of a token that will not outlive a run.
func (e *examiner) expiry(c *deployment.Credential) {
	at, ok := token.Expiry(c.Value)
	if !ok {
		return
	}
	if left := time.Until(at); left < 15*time.Minute {
		e.add(Finding{
			Topic: "credentials", Name: "credentials." + c.Name, State: Warning, Text: fmt.Sprintf("expires in %s", left.Round(time.Second)),
			Do: "take a fresh token: what is refused after it expired stays inconclusive",
		})
	}
}
