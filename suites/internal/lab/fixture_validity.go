package lab

import (
	"context"
	"net/http"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/design"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// InconclusiveIfProductInvalid ends the case as inconclusive where one operation refused the
// product and the other refuses it as well: it may not be the caller's. The refusal stands where
// the other operation accepts the product or shows nothing.
func (l *Lab) InconclusiveIfProductInvalid(ctx spec.Context, refused target.Answer) {
	l.inconclusiveIfRefusedElsewhere(ctx, refused, otherOperation(refused),
		"fixtures.product_id is a product of the caller", target.HeaderProduct)
}

// InconclusiveIfTargetUserInvalid is InconclusiveIfProductInvalid for the target user.
func (l *Lab) InconclusiveIfTargetUserInvalid(ctx spec.Context, refused target.Answer) {
	op := otherOperation(refused)
	l.inconclusiveIfRefusedElsewhere(ctx, refused, op,
		"fixtures.target_user_id is a user of fixtures.product_id", target.HeaderProduct,
		l.headerNames(op).OnBehalfOf)
}

// inconclusiveIfRefusedElsewhere ends the case as inconclusive where op refuses the options, too.
// toCheck is what may be wrong in the deployment file.
func (l *Lab) inconclusiveIfRefusedElsewhere(
	ctx spec.Context, refused target.Answer, op client.Operation, toCheck string, options ...string,
) {
	if accepted, known := l.acceptsOptions(ctx, refused, op, options...); known && !accepted {
		ctx.Inconclusivef("refused with %s, and so is an otherwise valid %s; check that %s",
			answers.DescribeWithMessage(refused.Exchange), operationNoun(op), toCheck)
	}
}

// InconclusiveIfWalletInvalid ends the case as inconclusive where the default wallet was refused
// and the other one is accepted. A deployment that accepts one wallet of the caller accepts all.
func (l *Lab) InconclusiveIfWalletInvalid(ctx spec.Context, refused target.Answer) {
	if l.target.Deployment.Fixtures.OtherWalletID == "" {
		return
	}
	accepted, known := l.acceptsOptions(ctx, refused, client.OperationExport, target.HeaderWallet)
	if known && accepted {
		ctx.Inconclusivef("refused with %s, while fixtures.other_wallet_id is accepted; check that "+
			"fixtures.default_wallet_id is a wallet of the caller",
			answers.DescribeWithMessage(refused.Exchange))
	}
}

// acceptsOptions reports whether a valid request of op with some options is accepted. known is
// false where nothing shows that, or where an answer is no refusal of a value.
func (l *Lab) acceptsOptions(
	ctx spec.Context, refused target.Answer, op client.Operation, names ...string,
) (accepted, known bool) {
	if !refused.IsClientError() || refused.Status == http.StatusUnauthorized {
		return false, false
	}
	var config design.Configuration
	for _, name := range names {
		config = append(config, record.FactorValue{Factor: name, Value: valueGiven})
	}
	in, known := l.ObserveControl(op, config).TryGet(ctx)
	return len(in.Configuration) == len(config), known
}

func otherOperation(a target.Answer) client.Operation {
	if a.Operation == client.OperationExport {
		return client.OperationCreate
	}
	return client.OperationExport
}

// TokenAndKeyShareUser reports whether the token and the API key are known to be one user's:
// both get the file of a valid export, which strangers do not. The deployment file does not say so.
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
	gets := func(reader *deployment.Credential) bool {
		_, err := l.target.Client.FetchFile(ctx, id, reader, client.FetchOptions{
			MaxBytes: little, NotFoundTimeout: func() time.Duration { return time.Millisecond },
		})
		return err == nil
	}
	other := credentials.OtherUser
	return gets(credentials.APIKey) && !gets(nil) && (other == nil || !gets(other)), nil
}
