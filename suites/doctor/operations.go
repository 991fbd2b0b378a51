package doctor

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/target"
)

// exports learns from the answer to a valid export about TLS, the clock, the path and the credential.
func (e *examiner) exports(x *client.Exchange) {
	if x.Err != nil && !Unauthorized(x) {
		e.found("connection", Broken, unanswered(x.Err), outcomeOf(x).advice)
		return
	}
	e.found("connection", OK, fmt.Sprintf("answered in %.1f ms", 1000*x.Service.Seconds()), "")
	e.clock(x)
	if page := target.WebPageReason(x) != nil; page || misplaced(x) {
		f := e.unserved(x, "export.path", "export")
		if page || !e.dep.Has(f.Name) {
			f.Name = "base_url"
		}
		e.add(f)
	} else {
		e.credential(e.dep.Credentials.Main(), x)
	}
}

// misplaced reports whether an answer says that the operation is not served at that address.
func misplaced(x *client.Exchange) bool { return NoRoute(x) || x.Status/100 == 3 }

// unserved is the finding about an address, by its key, where the requests of an operation find something else.
func (e *examiner) unserved(x *client.Exchange, key, operation string) Finding {
	return Finding{
		Name: key, State: Broken, Text: "POST " + x.Recorded.URL + " got " + target.DescribeWithMessage(x), Do: outcomeOf(x).advice,
		Blocks: []string{operation},
	}
}

// clock compares the deployment's clock, as its Date header shows it, with ours.
func (e *examiner) clock(x *client.Exchange) {
	date, err := http.ParseTime(x.Header.Get("Date"))
	skew := date.Sub(x.StartedAt.Add(x.Service)).Round(time.Second)
	switch {
	case err != nil:
		e.found("clock", Warning, "the answer carries no usable Date header",
			"have the deployment send it: created_at and the expiry of tokens cannot be compared with its clock")
	case skew.Abs() > 30*time.Second:
		e.found("clock", Warning, fmt.Sprintf("the deployment's clock is %.0f s off ours", skew.Seconds()),
			"set this machine's clock by NTP, or have the deployment's set: tokens may look expired")
	default:
		e.found("clock", OK, fmt.Sprintf("the deployment's clock is within %.0f s of ours", max(skew.Abs().Seconds(), 1)), "")
	}
}

// creation learns from the last answer to a valid creation. Where none was accepted, it blames the key of the deployment file
// that the answer to the plain one puts in doubt: by its status, else by the names that the answer mentions.
func (e *examiner) creation(ctx context.Context, x *client.Exchange) {
	if x.Success() {
		text := "accepted"
		if spelling := e.t.CreationSpelling.Load().String(); spelling != "" {
			text += " with " + spelling
		}
		e.found("fixtures.shareholder_id", OK, text, "")
		return
	}
	x = e.t.Send(ctx, func() target.Request { return e.t.NewCreation("valid creation") })
	f := Finding{Name: "creation", State: Broken, Text: "a valid creation got " + target.DescribeWithMessage(x), Do: outcomeOf(x).advice}
	switch {
	case Unauthorized(x):
		f = e.refused(e.dep.Credentials.Main(), x)
	case x.Status == http.StatusForbidden:
		f.Name, f.Do = e.dep.Credentials.Main().Key(), "give a credential whose user may create legal representatives"
	case misplaced(x) && !target.MentionsShareholder(x):
		f = e.unserved(x, "legal_representative.path", "create")
		f.Do = "check this path, and whether fixtures.shareholder_id exists"
	case x.Err == nil && !x.Transient() && x.Status < 500:
		if f.Name, f.Do = suspect(e.dep, x); f.Name == "" {
			f.Name = "legal_representative"
			f.Do = "compare its headers, fields and field_types, and fixtures.shareholder_id, with what the answer says"
		}
	}
	f.Blocks = []string{"create", "fixtures.shareholder_id"}
	e.add(f)
}
