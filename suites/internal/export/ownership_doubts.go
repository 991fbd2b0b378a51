package export

import (
	"slices"

	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// ownershipDoubt returns why the rows of a plain export may belong to a user other than the
// deployment file says, which breaks no rule. It returns nil where nothing suggests that.
func (s *Suite) ownershipDoubt(ctx spec.Context, o plainExport, done *completedExport) error {
	first := s.plain.window.Await(ctx)
	same := commonRows(done.rows, first.rows)
	switch o.opens.Value {
	case model.ValueNamedProduct:
		if len(same) == 0 && len(done.rows)+len(first.rows) > 0 {
			return spec.NotVerifiedf("fixtures.product_id",
				"the exports with this product and without one have no row in common, "+
					"so it may not be the default product")
		}
	case model.ValueAPIKey:
		if len(same) == len(done.rows) && len(same) == len(first.rows) {
			return nil
		}
		proven := false
		if len(same) == len(done.rows) || len(same) == len(first.rows) {
			// otherwise the key is probably a colleague's, who may read the user's files, too
			proven, _ = s.lab.TokenAndKeyShareUser(ctx)
		}
		if !proven {
			return spec.NotVerifiedf("", "the window by API key holds other rows than by the token, "+
				"and nothing shows that both belong to one user")
		}
	case model.ValueTargetUser:
		return s.targetOwnershipDoubt(ctx, done, same)
	}
	return nil
}

// targetOwnershipDoubt is ownershipDoubt for the target user. The document allows the caller's
// wallet where none is named, and users may share one. But a deployment that returns the same
// rows for an unknown user ignores whom an export is for, and rows whose wallet column names the
// caller's wallet are the caller's.
func (s *Suite) targetOwnershipDoubt(
	ctx spec.Context, done *completedExport, same []statement.Quote,
) error {
	f := s.t.Deployment.Fixtures
	callers := slices.ContainsFunc(same, func(q statement.Quote) bool {
		return q.Wallet != "" && (q.Wallet == f.DefaultWalletID || q.Wallet == f.OtherWalletID)
	})
	if len(same) == 0 || callers && len(same) < len(done.rows) {
		return nil
	}
	if len(same) == len(done.rows) {
		q := done.query
		q.label = "the window for a target user who does not exist"
		q.targetUser = target.NewUUID()
		if nobody := s.takeExport(ctx, q); nobody.unusableReason() == nil &&
			statement.SameQuotes(nobody.rows, done.rows) {
			return nil
		}
	}
	return spec.NotVerifiedf("fixtures.target_user_id",
		"the caller and the target user see the same quotes: either the deployment ignores the target "+
			"user, or that user has no quotes; choose one that has")
}
