package control

import (
	"context"
	"fmt"
	"net/http"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// DoubtProduct ends the case where one operation refused the product and the other refuses it as well: it may not be
// the caller's. Where the other accepts it, it is, and where the other shows nothing, the refusal stands.
func (c *Controls) DoubtProduct(ctx spec.Context, refused target.Answer) {
	c.doubt(ctx, refused, "fixtures.product_id is a product of the caller", func(client.Operation) design.Context {
		return design.Context{{Factor: target.HeaderProduct}}
	})
}

// DoubtTargetUser is DoubtProduct for the target user.
func (c *Controls) DoubtTargetUser(ctx spec.Context, refused target.Answer) {
	c.doubt(ctx, refused, "fixtures.target_user_id is a user of fixtures.product_id", func(op client.Operation) design.Context {
		return design.Context{{Factor: c.headers(op).OnBehalfOf}, {Factor: target.HeaderProduct}}
	})
}

func refusedAsKnown(a target.Answer) bool { return a.Refusal() && a.Status != http.StatusUnauthorized }

// asGiven is what a valid request gets with what the deployment file gives.
func (c *Controls) asGiven(ctx spec.Context, op client.Operation, with design.Context) (target.Answer, bool) {
	return spec.Observe(c.p, fmt.Sprintf("a valid %s with the %s that the file gives", noun(op), with),
		func(ctx context.Context) (target.Answer, error) { return c.validIn(ctx, op, with) }).Settled(ctx)
}

func (c *Controls) doubt(ctx spec.Context, refused target.Answer, claim string, with func(client.Operation) design.Context) {
	other := client.Export
	if refused.Operation == client.Export {
		other = client.Create
	}
	if !refusedAsKnown(refused) {
		return
	}
	if seen, ok := c.asGiven(ctx, other, with(other)); ok && refusedAsKnown(seen) {
		ctx.Inconclusive("refused with %s, and so is an otherwise valid %s; check that %s", target.Quoted(refused.Exchange),
			noun(other), claim)
	}
}

// DoubtWallet ends the case where the default wallet was refused and the other one is accepted: whoever takes one wallet
// of the caller takes the other.
func (c *Controls) DoubtWallet(ctx spec.Context, refused target.Answer) {
	if !refusedAsKnown(refused) || c.t.Deployment.Fixtures.OtherWalletID == "" {
		return
	}
	if seen, ok := c.asGiven(ctx, client.Export, design.Context{{Factor: target.HeaderWallet}}); ok && seen.Success() {
		ctx.Inconclusive("refused with %s, while fixtures.other_wallet_id is accepted; check that fixtures.default_wallet_id "+
			"is a wallet of the caller", target.Quoted(refused.Exchange))
	}
}
