package doctor

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/target"
)

// route looks up the name of the deployment's host.
func (e *examiner) route(ctx context.Context) *Obstacle {
	u, err := url.Parse(e.dep.BaseURL)
	if err != nil || e.dep.Proxy != "" {
		return nil // the proxy resolves it
	}
	ctx, cancel := context.WithTimeout(ctx, e.dep.Limits.Timeout)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupHost(ctx, u.Hostname())
	if err != nil {
		const do = "check base_url, and whether this machine resolves names of that network (VPN, DNS)"
		e.found("name", Broken, err.Error(), do)
		return &Obstacle{"The host " + u.Hostname() + " is not known", "no answer: " + err.Error(), do}
	}
	e.found("name", OK, u.Hostname()+" is "+strings.Join(addresses, ", "), "")
	return nil
}

// main sends one export with the main credential, and learns from it about TLS, the clock, the path and the credential.
func (e *examiner) main(ctx context.Context) *client.Exchange {
	cred := e.dep.Credentials.Main()
	x := e.first(ctx, "export with "+cred.Name)
	if x.Err != nil {
		e.found("connection", Broken, x.Err.Error(), advice(x))
		return x
	}
	e.found("connection", OK, "answered in "+brief(x.Service), "")
	e.protection()
	e.clock(x)
	page := target.WebPage(x) != nil
	if !page && !misplaced(x) {
		e.judgeCredential(cred, x, true)
		return x
	}
	key := "export.path"
	if page || !e.dep.Has(key) {
		key = "base_url"
	}
	e.add(Finding{
		Name: key, State: Broken, Text: "POST " + x.Recorded.URL + " got " + target.Quoted(x), Do: advice(x),
		Operations: []string{"export"},
	})
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

// protection warns of credentials that travel where others may read them; what never leaves this machine needs none.
func (e *examiner) protection() {
	u, err := url.Parse(e.dep.BaseURL)
	if err != nil || u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback() {
		return
	}
	switch {
	case u.Scheme != "https":
		e.found("tls", Warning, "plain HTTP: credentials travel unprotected", "use https outside of a test machine")
	case e.dep.TLS.InsecureSkipVerify:
		e.found("tls", Warning, "tls.insecure_skip_verify is on: the deployment could be anyone", "give tls.ca_file instead")
	default:
		e.found("tls", OK, "the certificate is trusted", "")
	}
}

// clock compares the deployment's clock, as its Date header shows it, with ours.
func (e *examiner) clock(x *client.Exchange) {
	date, err := http.ParseTime(x.Header.Get("Date"))
	if err != nil {
		e.found("clock", Warning, "the answer carries no usable Date header",
			"have the deployment send it: created_at and the expiry of tokens cannot be compared with its clock")
		return
	}
	skew := date.Sub(x.StartedAt.Add(x.Service)).Round(time.Second)
	f := Finding{
		Name: "clock", State: OK,
		Text: fmt.Sprintf("the deployment's clock is within %s of ours", max(skew.Abs(), time.Second)),
	}
	if skew.Abs() > 30*time.Second {
		f.State, f.Text, f.Do = Warning, fmt.Sprintf("the deployment's clock is %s off ours", skew),
			"set this machine's clock by NTP, or have the deployment's set: tokens may look expired"
	}
	e.add(f)
}
