package doctor

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/token"
	"github.com/gateassay/gateassay/suites/target"
)

// route looks at the way to the deployment: its name and its port.
func (e *examiner) route(ctx context.Context) bool {
	u, err := url.Parse(e.dep.BaseURL)
	if err != nil {
		e.found("route", "base_url", Broken, err.Error(), "write an address such as https://gateway.example")
		return false
	}
	if e.dep.Proxy != "" {
		return true // the proxy resolves it
	}
	ctx, cancel := context.WithTimeout(ctx, e.dep.Limits.Timeout)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupHost(ctx, u.Hostname())
	if err != nil {
		const do = "check base_url, and whether this machine resolves names of that network (VPN, DNS)"
		e.found("route", "name", Broken, err.Error(), do)
		e.obstacle = &Obstacle{
			Cause: "The host " + u.Hostname() + " is not known", Answer: "no answer: " + err.Error(), Next: do,
		}
		return false
	}
	e.found("route", "name", OK, u.Hostname()+" is "+strings.Join(addresses, ", "), "")
	return true
}

// main sends one export with the main credential, and learns from it about TLS, the clock, the path and the credential.
func (e *examiner) main(ctx context.Context) *client.Exchange {
	cred := e.dep.Credentials.Main()
	x := e.first(ctx, "export with "+cred.Name)
	if x.Err != nil {
		e.found("route", "connection", Broken, x.Err.Error(), adviceFor(x.Err))
		return x
	}
	e.found("route", "connection", OK, "answered in "+brief(x.Service), "")
	e.certificate(ctx)
	e.clock(x)
	if err := target.WebPage(x); err != nil || misplaced(x) {
		key := "export.path"
		if err != nil || !e.dep.Has(key) {
			key = "base_url"
		}
		e.add(Finding{
			Topic: "export", Name: key, State: Broken, Text: "POST " + x.Recorded.URL + " got " + target.Quoted(x),
			Do: advice(x), Operations: []string{"export"},
		})
		return x
	}
	e.judgeCredential(cred, x, true)
	return x
}

// first is the first export. Where it is throttled it is sent twice more, a second apart: a deployment that throttles may
// ask to wait for minutes, which is the answer that is looked for.
func (e *examiner) first(ctx context.Context, label string) *client.Exchange {
	const tries = 3
	for try := 1; ; try++ {
		x := e.export(ctx, label, func(call *target.ExportCall) { call.AtOnce = true })
		if try == tries || !throttled(x) {
			return x
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return x
		}
	}
}

// throttled reports whether an answer asks to come again later.
func throttled(x *client.Exchange) bool {
	return x.Err == nil && (x.Status == http.StatusTooManyRequests ||
		x.Status == http.StatusServiceUnavailable && x.Header.Get("Retry-After") != "")
}

// misplaced reports whether an answer says that the operation is not served at that address.
func misplaced(x *client.Exchange) bool { return NoRoute(x) || redirected(x) }

// brief is a duration that never reads as nothing at all.
func brief(d time.Duration) string { return max(time.Millisecond, d.Round(time.Millisecond)).String() }

func adviceFor(trouble *client.Trouble) string {
	switch trouble.Kind {
	case client.Refused:
		if atProxy(trouble) {
			return "nothing listens there: check proxy in the deployment file, or HTTP_PROXY and HTTPS_PROXY"
		}
		return "nothing listens there: check the port of base_url and whether the deployment is up"
	case client.BadTLS:
		for _, sign := range []string{"does not look like a TLS handshake", "HTTP response to HTTPS client"} {
			if strings.Contains(trouble.Detail, sign) {
				return "what listens there does not speak TLS: write http in base_url, or the port of https"
			}
		}
		return "give the certificate authority as tls.ca_file; tls.insecure_skip_verify is a last resort"
	case client.TimedOut:
		key := "limits.timeout"
		if strings.Contains(trouble.Detail, "the plan's timeout") {
			key = "the plan's timeout"
		}
		return "check the route (VPN, firewall), or raise " + key
	case client.NoName:
		return "check base_url and the DNS of this machine"
	case client.Garbled:
		return "what listens there does not speak HTTP: check scheme and port of base_url"
	}
	return "try again; if it stays, look at the deployment"
}

// atProxy reports trouble on the way to the proxy, not behind it.
func atProxy(trouble *client.Trouble) bool { return strings.Contains(trouble.Detail, "proxyconnect") }

// certificate looks up how long the deployment's certificate is still valid.
func (e *examiner) certificate(ctx context.Context) {
	u, err := url.Parse(e.dep.BaseURL)
	if err != nil {
		return
	}
	if ip := net.ParseIP(u.Hostname()); u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() {
		return // what never leaves this machine needs no protection on the way
	}
	if u.Scheme != "https" {
		e.found("route", "tls", Warning, "plain HTTP: credentials travel unprotected",
			"use https outside of a test machine")
		return
	}
	// The chain was verified by the request before; here only its dates are read.
	//nolint:gosec // nothing is sent
	dialer := tls.Dialer{Config: &tls.Config{ServerName: u.Hostname(), InsecureSkipVerify: true}}
	ctx, cancel := context.WithTimeout(ctx, e.dep.Limits.Timeout)
	defer cancel()
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "443")))
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	secured, ok := conn.(*tls.Conn)
	if !ok || len(secured.ConnectionState().PeerCertificates) == 0 {
		return
	}
	leaf := secured.ConnectionState().PeerCertificates[0]
	left := time.Until(leaf.NotAfter)
	f := Finding{Topic: "route", Name: "tls", State: OK, Text: fmt.Sprintf("certificate of %s, valid for %s",
		leaf.Subject.CommonName, printable.Quantity(int(left.Hours()/24), "more day"))}
	if left < 14*24*time.Hour {
		f.State, f.Do = Warning, "have the certificate renewed"
	}
	if e.dep.TLS.InsecureSkipVerify {
		f.State, f.Do = Warning,
			"tls.insecure_skip_verify is on: the deployment could be anyone; give tls.ca_file instead"
	}
	e.add(f)
}

// clock compares the deployment's clock, as its Date header shows it, with ours.
func (e *examiner) clock(x *client.Exchange) {
	date, err := http.ParseTime(x.Header.Get("Date"))
	if err != nil {
		e.found("clock", "clock", Warning, "the answer carries no usable Date header",
			"have the deployment send it: created_at and the expiry of tokens cannot be compared with its clock")
		return
	}
	skew := date.Sub(x.StartedAt.Add(x.Service)).Round(time.Second)
	f := Finding{
		Topic: "clock", Name: "clock", State: OK,
		Text: fmt.Sprintf("the deployment's clock is within %s of ours", max(skew.Abs(), time.Second)),
	}
	if skew.Abs() > 30*time.Second {
		f.State, f.Text, f.Do = Warning, fmt.Sprintf("the deployment's clock is %s off ours", skew),
			"set this machine's clock by NTP, or have the deployment's set: tokens may look expired"
	}
	e.add(f)
}

// export starts a small export whose request may be changed.
func (e *examiner) export(ctx context.Context, label string, change func(*target.ExportCall)) *client.Exchange {
	return e.t.StartExport(ctx, func() target.ExportCall {
		call := e.t.Export(label, e.t.Unique(label))
		if change != nil {
			change(&call)
		}
		return call
	})
}

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
	f := Finding{Topic: "credentials", Name: "credentials." + name, State: OK}
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
			f.Topic, f.Name, f.Text = "export", "export", "a valid export got "+target.Quoted(x)
		}
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
	case target.WebPage(x) != nil:
		return "check base_url, and whether a proxy or a login page is in between"
	case misplaced(x):
		return "check base_url and export.path: exports are not served there"
	case x.Status == http.StatusUnauthorized:
		return "check the credential: its value, its expiry, and that it belongs to this deployment"
	case x.Status == http.StatusForbidden:
		return "give a credential whose user may start exports"
	case x.Status == http.StatusBadRequest || x.Status == http.StatusUnprocessableEntity:
		return "give what the answer asks for, such as fixtures.product_id, or headers for every request under headers"
	}
	return "ask those who run the deployment what this answer means"
}

// expiry warns of a token that will not outlive a run.
func (e *examiner) expiry(c *deployment.Credential) {
	at, ok := token.Expiry(c.Value)
	if !ok {
		return
	}
	if left := time.Until(at); left < 15*time.Minute {
		e.found("credentials", "credentials."+c.Name, Warning, fmt.Sprintf("expires in %s", left.Round(time.Second)),
			"take a fresh token: what is refused after it expired stays inconclusive")
	}
}
