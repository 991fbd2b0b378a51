package export

import (
	"time"

	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// exportOfSameBody sends one body twice, for two wallets or by two users, and another body in
// the reverse order. If each file holds the rows of the first requester, files are cached by
// body alone.
func (s *Suite) exportOfSameBody(ctx spec.Context, label string) ExportRows {
	window := s.plain.window.Await(ctx)
	ctx.StopOnError(window.unusableReason())
	one, other := model.Query{Wallet: model.WalletDefault}, model.Query{Wallet: model.WalletOther}
	switch {
	case s.t.Deployment.Fixtures.OtherWalletID != "" && s.t.Deployment.Fixtures.DefaultWalletID != "":
	case s.t.Deployment.Credentials.OtherUser != nil:
		one, other = model.Query{}, model.Query{User: model.OwnerStranger}
	default:
		ctx.NotVerifiedf("fixtures.other_wallet_id", "")
	}
	take := func(q model.Query, earlier time.Duration) *completedExport {
		extent := *window.extent
		extent.End = extent.End.Add(-earlier) // shared with no other export of the run
		return s.takeUsable(ctx, s.windowQuery(label, q, &extent))
	}
	found := ExportRows{
		Export:      label,
		Expectation: "the rows of its own wallet and user",
		Cause:       "gives an export the file of an earlier one with the same body",
	}
	source, copied := take(one, time.Second), take(other, time.Second)
	if len(source.rows) == 0 || !statement.SameQuotes(source.rows, copied.rows) {
		return found
	}
	right, otherCopied := take(other, 2*time.Second), take(one, 2*time.Second)
	if !statement.SameQuotes(right.rows, otherCopied.rows) ||
		statement.SameQuotes(source.rows, right.rows) {
		return found // both have the same rows, whoever comes first
	}
	return copied.differFrom(right, source, found)
}
