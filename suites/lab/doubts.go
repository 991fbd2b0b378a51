package lab

import (
	"context"
	"net/http"
	"time"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// DoubtProduct ends the case where one operation refused the product and the other refuses it as well: it may not be
// the caller's. Where the other accepts it, it is, and where the other shows nothing, the refusal stands.
func (l *Lab) DoubtProduct(ctx spec.Context, refused target.Answer) {
	op := theOther(refused)
	l.doubt(ctx, refused, op, design.Context{{Factor: target.HeaderProduct}}, false,
		"and so is an otherwise valid "+noun(op)+"; check that fixtures.product_id is a product of the caller")
}

// DoubtTargetUser is DoubtProduct for the target user.
func (l *Lab) DoubtTargetUser(ctx spec.Context, refused target.Answer) {
	op := theOther(refused)
	l.doubt(ctx, refused, op, design.Context{{Factor: target.HeaderProduct}, {Factor: l.headers(op).OnBehalfOf}}, false,
		"and so is an otherwise valid "+noun(op)+"; check that fixtures.target_user_id is a user of fixtures.product_id")
}

// DoubtWallet ends the case where the default wallet was refused and the other one is accepted: whoever takes one wallet
// of the caller takes the other.
func (l *Lab) DoubtWallet(ctx spec.Context, refused target.Answer) {
	if l.t.Deployment.Fixtures.OtherWalletID != "" {
		l.doubt(ctx, refused, client.Export, design.Context{{Factor: target.HeaderWallet}}, true,
			"while fixtures.other_wallet_id is accepted; check that fixtures.default_wallet_id is a wallet of the caller")
	}
}

// doubt ends the case where a valid request with what the deployment file gives is accepted, or is not.
func (l *Lab) doubt(ctx spec.Context, refused target.Answer, op client.Operation, with design.Context, accepted bool, why string) {
	if !refused.Refusal() || refused.Status == http.StatusUnauthorized {
		return
	}
	if in, ok := l.In(op, with).TryGet(ctx); ok && (len(in.Context) == len(with)) == accepted {
		ctx.Inconclusivef("refused with %s, %s", target.Quoted(refused.Exchange), why)
	}
}

func theOther(a target.Answer) client.Operation {
	if a.Operation == client.Export {
		return client.Create
	}
	return client.Export
}

// OneUser reports whether the token and the API key are known to be one user's, as the deployment file does not say so: the
// file of a valid export is given to both.
func (l *Lab) OneUser(ctx context.Context) (bool, error) {
	first, err := l.Export.Get(ctx)
	if err != nil {
		return false, err
	}
	id, named := target.FileID(first.Exchange)
	if !named || l.t.Deployment.Export.File == nil {
		return false, nil
	}
	const little = 1 << 10 // of the file is enough
	credentials := l.t.Deployment.Credentials
	if _, err := l.t.Client.FetchWith(ctx, id, credentials.Main(), client.FetchOptions{Most: little}); err != nil {
		return false, nil // nobody gets it
	}
	_, err = l.t.Client.FetchWith(ctx, id, credentials.APIKey, client.FetchOptions{
		Most: little, Absent: func() time.Duration { return time.Millisecond },
	})
	return err == nil, nil
}
