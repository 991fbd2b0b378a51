package export

import (
	"time"

	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// observeSharedBody sends one body twice, for two wallets or by two users, and another one in the
// other order. Files that hold the rows of whoever came first are kept by their body alone.
func (s *Suite) observeSharedBody() *spec.Observation[ExportRows] {
	const label = "an export with the same body, for another wallet or user"
	return spec.ObserveAsCase(s.Plan, label, func(l spec.Context) ExportRows {
		window := s.plain.window.Await(l)
		l.StopOnError(window.unusableReason())
		one, other := model.Query{Wallet: model.WalletDefault}, model.Query{Wallet: model.WalletOther}
		switch {
		case s.t.Deployment.Fixtures.OtherWalletID != "" && s.t.Deployment.Fixtures.DefaultWalletID != "":
		case s.t.Deployment.Credentials.OtherUser != nil:
			one, other = model.Query{}, model.Query{User: model.OwnerStranger}
		default:
			l.NotVerifiedf("fixtures.other_wallet_id", "")
		}
		take := func(q model.Query, later time.Duration) *completedExport {
			extent := *window.extent
			extent.End = extent.End.Add(later) // which no other export of the run has
			sh := s.takeExport(l, s.windowQuery(label, q, &extent))
			l.StopOnError(sh.unusableReason())
			return sh
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
		found.RowCount = len(copied.rows)
		found.Missing = statement.Difference(right.rows, copied.rows)
		found.Extra = statement.Difference(copied.rows, right.rows)
		found.Evidence = spec.Evidence{
			Repeat:  append(source.repeatRequests(), copied.repeatRequests()...),
			Control: right.answer,
		}
		return found
	}, spec.PhaseLate)
}
