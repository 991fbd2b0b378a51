package lab

import (
	"context"
	"net/http"
	"time"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/design"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// InconclusiveIfProductInvalid ends the case as inconclusive where one operation refused the
// product and the other refuses it as well: it may not be the caller's. The refusal stands where
// the other operation accepts the product or shows nothing.
func (l *Lab) InconclusiveIfProductInvalid(ctx spec.Context, refused target.Answer) {
	op := otherOperation(refused)
	l.inconclusiveIf(ctx, refused, op, design.Configuration{{Factor: target.HeaderProduct}}, false,
		"and so is an otherwise valid "+operationNoun(op)+
			"; check that fixtures.product_id is a product of the caller")
}

// InconclusiveIfTargetUserInvalid is InconclusiveIfProductInvalid for the target user.
func (l *Lab) InconclusiveIfTargetUserInvalid(ctx spec.Context, refused target.Answer) {
	op := otherOperation(refused)
	with := design.Configuration{
		{Factor: target.HeaderProduct}, {Factor: l.headerNames(op).OnBehalfOf},
	}
	l.inconclusiveIf(ctx, refused, op, with, false, "and so is an otherwise valid "+
		operationNoun(op)+"; check that fixtures.target_user_id is a user of fixtures.product_id")
}

// InconclusiveIfWalletInvalid ends the case as inconclusive where the default wallet was refused
// and the other one is accepted. A deployment that accepts one wallet of the caller accepts all.
func (l *Lab) InconclusiveIfWalletInvalid(ctx spec.Context, refused target.Answer) {
	if l.target.Deployment.Fixtures.OtherWalletID != "" {
		l.inconclusiveIf(ctx, refused, client.OperationExport,
			design.Configuration{{Factor: target.HeaderWallet}}, true, "while fixtures.other_wallet_id "+
				"is accepted; check that fixtures.default_wallet_id is a wallet of the caller")
	}
}

// inconclusiveIf ends the case where a valid request of op with the given options is accepted,
// or refused, as accepted says.
func (l *Lab) inconclusiveIf(
	ctx spec.Context,
	refused target.Answer,
	op client.Operation,
	with design.Configuration,
	accepted bool,
	why string,
) {
	if !refused.IsClientError() || refused.Status == http.StatusUnauthorized {
		return
	}
	if in, ok := l.ObserveControl(op, with).TryGet(ctx); ok &&
		(len(in.Configuration) == len(with)) == accepted {
		ctx.Inconclusivef("refused with %s, %s", answers.DescribeWithMessage(refused.Exchange), why)
	}
}

func otherOperation(a target.Answer) client.Operation {
	if a.Operation == client.OperationExport {
		return client.OperationCreate
	}
	return client.OperationExport
}

// TokenAndKeyShareUser reports whether the token and the API key are known to be one user's:
// both get the file of a valid export. The deployment file does not say so.
func (l *Lab) TokenAndKeyShareUser(ctx context.Context) (bool, error) {
	first, err := l.ControlExport.Get(ctx)
	if err != nil {
		return false, err
	}
	id, named := answers.FileID(first.Exchange)
	if !named || l.target.Deployment.Export.File == nil {
		return false, nil
	}
	const little = 1 << 10 // of the file is enough
	credentials := l.target.Deployment.Credentials
	if _, err := l.target.Client.FetchFile(ctx, id, credentials.Main(),
		client.FetchOptions{MaxBytes: little}); err != nil {
		return false, nil // neither gets it
	}
	_, err = l.target.Client.FetchFile(ctx, id, credentials.APIKey, client.FetchOptions{
		MaxBytes: little, NotFoundTimeout: func() time.Duration { return time.Millisecond },
	})
	return err == nil, nil
}
