package doctor

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/token"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/target"
)

// examineCredentials sends an export with each credential other than the main one.
func (e *examiner) examineCredentials(ctx context.Context) {
	for _, cred := range e.deployment.Credentials.All() {
		if cred != e.deployment.Credentials.Main() {
			e.judgeCredential(cred,
				e.startExport(ctx, "export with "+cred.Name, func(r *target.Request) { r.Credential = cred }))
		}
	}
	main := e.deployment.Credentials.Main()
	if at, ok := token.Expiry(main.Value); ok && time.Until(at) < 15*time.Minute {
		e.addKeyFinding(main.SettingKey(), StateWarning,
			fmt.Sprintf("expires in %s", time.Until(at).Round(time.Second)),
			"take a fresh token: refusals after it has expired stay inconclusive")
	}
}

// judgeCredential adds the finding about a credential, based on the answer to an export with it.
func (e *examiner) judgeCredential(cred *deployment.Credential, x *client.Exchange) {
	// Credentials that must be refused, with the rule that a deployment breaks if it accepts one.
	breaks := map[string]string{ //nolint:gosec // names of rules, not credentials
		"expired_token": "auth.bearer.expired", "not_yet_valid_token": "auth.bearer.not_yet_valid",
		"revoked_api_key": "auth.api_key.revoked",
	}[cred.Name]
	f := Finding{Name: cred.SettingKey(), State: StateOK, Text: "accepted"}
	switch refused := isUnauthorized(x); {
	case refused && breaks != "":
		f.Text = "refused with 401, as it should be"
	case x.IsSuccess() && breaks != "":
		f.State, f.Text = StateWarning, "accepted, although it should be refused"
		f.Advice = "give an invalid one; if this one is invalid, the deployment breaks " + breaks
	case x.IsSuccess():
	case x.Status == http.StatusForbidden && cred.Name == "unprivileged":
		f.Text = "authenticated, refused with 403 on exports as well"
	case refused:
		f = e.unauthorizedFinding(cred, x)
	default:
		got := answers.DescribeWithMessage(x)
		f.State, f.Text, f.Advice = StateBroken, "an export with it got "+got, diagnose(x).advice
		if cred == e.deployment.Credentials.Main() && x.Status != http.StatusForbidden {
			f.Name, f.Text = "export", "a valid export got "+got
		}
	}
	if f.State == StateBroken && cred == e.deployment.Credentials.Main() {
		f.BlockedKeys = []string{"export"}
	}
	e.addFinding(f)
}

// unauthorizedFinding returns the finding about a credential that got 401, with the time of expiry
// if the token has one.
func (e *examiner) unauthorizedFinding(cred *deployment.Credential, x *client.Exchange) Finding {
	f := Finding{
		Name: cred.SettingKey(), State: StateBroken, Advice: diagnose(x).advice,
		Text: "refused with " + answers.DescribeWithMessage(asAnswered(x)),
	}
	if when := describeExpiry(cred); when != "" {
		f.Text, f.Advice = when+"; "+f.Text, "take a fresh token"
	}
	return f
}

// examineFixtures tries the fixtures that exports have in headers.
func (e *examiner) examineFixtures(ctx context.Context) {
	fx := e.deployment.Fixtures
	for _, h := range []struct{ key, header, value, product string }{
		{"fixtures.product_id", target.HeaderProduct, fx.ProductID, fx.ProductID},
		{"fixtures.target_user_id", target.HeaderTargetUser, fx.TargetUserID, fx.ProductID},
		{"fixtures.default_wallet_id", target.HeaderWallet, fx.DefaultWalletID, ""},
		{"fixtures.other_wallet_id", target.HeaderWallet, fx.OtherWalletID, ""},
	} {
		if h.value == "" {
			continue
		}
		x := e.startExport(ctx, "export with "+h.header, func(r *target.Request) {
			r.SetHeader(h.header, h.value)
			if h.product != "" {
				r.SetHeader(target.HeaderProduct, h.product)
			}
		})
		if x.IsSuccess() {
			e.addKeyFinding(h.key, StateOK, "accepted", "")
			continue
		}
		e.addKeyFinding(h.key, StateBroken, "refused: "+answers.DescribeWithMessage(x),
			"check that it belongs to the user of "+e.deployment.Credentials.Main().SettingKey())
	}
}
