package doctor

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/target"
)

// examineExports examines the connection, the clock, the path and the credential by the answer to
// a valid export.
func (e *examiner) examineExports(x *client.Exchange) {
	if x.Err != nil && !isUnauthorized(x) {
		e.addKeyFinding("connection", StateBroken, describeTrouble(x.Err), diagnose(x).advice)
		return
	}
	e.addKeyFinding("connection", StateOK,
		fmt.Sprintf("answered in %.1f ms", 1000*x.Service.Seconds()), "")
	e.examineClock(x)
	if page := answers.WebPageReason(x) != nil; page || isNotServed(x) {
		f := e.notServedFinding(x, "export.path", "export")
		if page || !e.deployment.Has(f.Name) {
			f.Name = "base_url"
		}
		e.addFinding(f)
	} else {
		e.judgeCredential(e.deployment.Credentials.Main(), x)
	}
}

func isNotServed(x *client.Exchange) bool { return isNotRouted(x) || x.Status/100 == 3 }

// notServedFinding returns the finding about the key of an address that does not serve the
// operation.
func (e *examiner) notServedFinding(x *client.Exchange, key, operation string) Finding {
	return Finding{
		Name: key, State: StateBroken, Advice: diagnose(x).advice, BlockedKeys: []string{operation},
		Text: "POST " + x.Recorded.URL + " got " + answers.DescribeWithMessage(x),
	}
}

// examineClock compares the deployment's clock, taken from its Date header, with the local one.
func (e *examiner) examineClock(x *client.Exchange) {
	date, err := http.ParseTime(x.Header.Get("Date"))
	skew := date.Sub(x.StartedAt.Add(x.Service)).Round(time.Second)
	switch {
	case err != nil:
		e.addKeyFinding("clock", StateWarning, "the answer carries no usable Date header",
			"have the deployment send it: created_at and the expiry of tokens cannot be compared with "+
				"its clock")
	case skew.Abs() > 30*time.Second:
		e.addKeyFinding("clock", StateWarning,
			fmt.Sprintf("the deployment's clock is %.0f s off ours", skew.Seconds()),
			"synchronise this machine's clock, or the deployment's: tokens may look expired")
	default:
		e.addKeyFinding("clock", StateOK,
			fmt.Sprintf("the deployment's clock is within %.0f s of ours", max(skew.Abs().Seconds(), 1)), "")
	}
}

// examineCreation examines the last answer to a valid creation. If none was accepted, it names the
// key of the deployment file that is probably wrong, by the status of the plain creation and the
// names in its answer.
func (e *examiner) examineCreation(ctx context.Context, x *client.Exchange) {
	if x.IsSuccess() {
		text := "accepted"
		if spelling := e.target.CreationSpelling.Load().String(); spelling != "" {
			text += " with " + spelling
		}
		e.addKeyFinding("fixtures.shareholder_id", StateOK, text, "")
		return
	}
	x = e.target.Send(ctx, func() target.Request { return e.target.NewCreation("valid creation") })
	f := Finding{
		Name: "creation", State: StateBroken, Advice: diagnose(x).advice,
		Text: "a valid creation got " + answers.DescribeWithMessage(x),
	}
	switch {
	case isUnauthorized(x):
		f = e.unauthorizedFinding(e.deployment.Credentials.Main(), x)
	case x.Status == http.StatusForbidden:
		f.Name, f.Advice = e.deployment.Credentials.Main().SettingKey(),
			"give a credential whose user may create legal representatives"
	case isNotServed(x) && !answers.MentionsShareholder(x):
		f = e.notServedFinding(x, "legal_representative.path", "create")
		f.Advice = "check this path, and whether fixtures.shareholder_id exists"
	case x.Err == nil && !x.IsTransient() && x.Status < 500:
		f.Name, f.Advice = findSuspectKey(e.deployment, x)
		if f.Name == "" {
			f.Name = "legal_representative"
			f.Advice = "compare its headers, fields and field_types, and fixtures.shareholder_id, with " +
				"what the answer says"
		}
	}
	f.BlockedKeys = []string{"create", "fixtures.shareholder_id"}
	e.addFinding(f)
}
