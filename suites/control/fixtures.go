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

// fixtureTrials are otherwise valid requests of each operation that show whether a fixture is what the file says. One
// operation is the control of the other: where both refuse a fixture, the file may be wrong about it.
type fixtureTrials map[client.Operation]*spec.Observation[target.Answer]

func (c *Controls) tryFixture(with func(client.Operation) design.Context) fixtureTrials {
	trials := fixtureTrials{}
	for _, op := range []client.Operation{client.Create, client.Export} {
		trials[op] = c.validWith(op, with(op))
	}
	return trials
}

// validWith is a valid request with what the deployment file gives, to see whether it gives the right one.
func (c *Controls) validWith(op client.Operation, with design.Context) *spec.Observation[target.Answer] {
	return spec.Observe(c.p, fmt.Sprintf("a valid %s with the %s that the file gives", noun(op), with),
		func(ctx context.Context) (target.Answer, error) { return c.validIn(ctx, op, with) })
}

// DoubtProduct ends the spec where one operation refused the product and the other refuses it as well: it may not be
// the caller's. Where the other accepts it, it is, and where the other shows nothing, the refusal stands.
func (c *Controls) DoubtProduct(ctx spec.Context, refused target.Answer) {
	c.products.doubt(ctx, refused, "fixtures.product_id is a product of the caller")
}

// DoubtTargetUser is DoubtProduct for the target user.
func (c *Controls) DoubtTargetUser(ctx spec.Context, refused target.Answer) {
	c.targetUsers.doubt(ctx, refused, "fixtures.target_user_id is a user of fixtures.product_id")
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

func (trials fixtureTrials) doubt(ctx spec.Context, refused target.Answer, claim string) {
	if !refused.Refusal() || refused.Status == http.StatusUnauthorized {
		return
	}
	other := client.Export
	if refused.Operation == client.Export {
		other = client.Create
	}
	if seen, ok := trials[other].Settled(ctx); ok && seen.Refusal() && seen.Status != http.StatusUnauthorized {
		ctx.Inconclusive("refused with %s, and so is an otherwise valid %s; check that %s", target.Quoted(refused.Exchange),
			noun(other), claim)
	}
}
