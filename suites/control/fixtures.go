package control

import (
	"context"
	"net/http"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// fixtureTrials are otherwise valid requests of each operation that show whether a fixture is what the file says. One
// operation is the control of the other: where both refuse a fixture, the file may be wrong about it.
type fixtureTrials map[client.Operation]*spec.Observation[target.Answer]

func (c *Controls) tryFixture(p *spec.Plan, what string, company Company) fixtureTrials {
	trials := fixtureTrials{}
	for _, op := range []client.Operation{client.Create, client.Export} {
		trials[op] = spec.Observe(p, "a valid "+noun(op)+" with "+what+", to see whether the file gives the right one",
			func(ctx context.Context) (target.Answer, error) { return c.valid(ctx, op, company) })
	}
	return trials
}

// product is the caller's product, as the deployment file gives it.
func (c *Controls) product() Partner {
	id := c.t.Deployment.Fixtures.ProductID
	return Partner{
		Setting: record.Setting{Factor: target.HeaderProduct}, Create: func(x *target.Creation) { x.Product = id },
		Export: func(x *target.ExportCall) { *x = x.Set(target.HeaderProduct, id) }, scoped: true,
	}
}

// targetUser is the user of the product whom the deployment file names, beside the product.
func (c *Controls) targetUser(name string) Partner {
	f := c.t.Deployment.Fixtures
	return Partner{Setting: record.Setting{Factor: name}, Create: c.onBehalf, Export: func(x *target.ExportCall) {
		*x = x.Set(target.HeaderProduct, f.ProductID).Set(target.HeaderTarget, f.TargetUserID)
	}, scoped: true}
}

// DoubtProduct ends the spec where one operation refused the product and the other refuses it as well: it may not be
// the caller's. Where the other accepts it, it is, and where the other shows nothing, the refusal stands.
func (c *Controls) DoubtProduct(ctx spec.Context, refused target.Answer, other client.Operation) {
	c.products.doubt(ctx, refused, other, "fixtures.product_id is a product of the caller")
}

// DoubtTargetUser is DoubtProduct for the target user.
func (c *Controls) DoubtTargetUser(ctx spec.Context, refused target.Answer, other client.Operation) {
	c.targetUsers.doubt(ctx, refused, other, "fixtures.target_user_id is a user of fixtures.product_id")
}

// DoubtWallet ends the spec where the default wallet was refused and the other one is accepted: whoever takes one wallet
// of the caller takes the other.
func (c *Controls) DoubtWallet(ctx spec.Context, refused target.Answer) {
	if !refused.Refusal() || refused.Status == http.StatusUnauthorized || c.t.Deployment.Fixtures.OtherWalletID == "" {
		return
	}
	if seen, ok := c.otherWallet.Settled(ctx); ok && seen.Success() {
		ctx.Inconclusive("refused with %s, while fixtures.other_wallet_id is accepted; check that fixtures.default_wallet_id "+
			"is a wallet of the caller", target.Quoted(refused.Exchange))
	}
}

func (trials fixtureTrials) doubt(ctx spec.Context, refused target.Answer, other client.Operation, claim string) {
	if !refused.Refusal() || refused.Status == http.StatusUnauthorized {
		return
	}
	if seen, ok := trials[other].Settled(ctx); ok && seen.Refusal() && seen.Status != http.StatusUnauthorized {
		ctx.Inconclusive("refused with %s, and so is an otherwise valid %s; check that %s", target.Quoted(refused.Exchange),
			noun(other), claim)
	}
}
