package export

import (
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"
	. "github.com/onsi/ginkgo/v2"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// wallets: whose wallet the quotes are of.
func (s *Suite) wallets() {
	f := s.t.Deployment.Fixtures
	Describe("wallet", func() {
		s.Group(spec.Needs("fixtures.default_wallet_id"), func() {
			s.Rule("export.default.wallet", Must, ExportOperation,
				"Without a wallet the file is the one of the default wallet.", func() {
					exports := []download{s.wallet, s.window}
					if f.OtherWalletID != "" {
						exports = append(exports, s.otherWallet())
					}
					s.holds("the rows of the default wallet", exports, func(l look) Rows {
						named, unnamed := l.rows(s.wallet), l.sheet(s.window)
						// A file without quotes is a mistaken default as well, where the default wallet has some.
						if !unnamed.empty() || len(named.rows) == 0 {
							s.base(l)
						}
						if len(exports) > 2 {
							if other, ok := l.rowsIfAny(exports[2]); ok && statement.SameRows(named.rows, other.rows) {
								l.unmet("", "the default wallet and the other wallet give the same rows, "+
									"so nothing can show which is the default")
							}
						}
						return equal("the export without a wallet", "the rows of the export with the default wallet's ID",
							unnamed.rows, named.rows)
					})
				})

			s.Rule("export.wallet.selects", Should, ExportOperation, "A wallet that is given selects its own quotes.",
				spec.Needs("fixtures.other_wallet_id"), func() {
					s.selectsWallet("the rows of another wallet", s.otherWallet())
					s.selectsWallet("the rows of another wallet by settled_date, oldest first",
						s.follow("the window of another wallet by settled_date, asc", func(look) query {
							return query{
								fields: s.spelled(statement.SettledDate, 1, 1).With("order", "asc"),
								header: map[string]string{target.HeaderWallet: f.OtherWalletID},
							}
						}))
				})
		})

		s.Rule("export.wallet.foreign", Must, ExportOperation, "A wallet of another user opens nothing.",
			spec.Security, spec.Needs("credentials.other_user"), s.foreignWallets)
	})
}

func (s *Suite) otherWallet() download {
	return s.ofWallet("the window of another wallet", s.t.Deployment.Fixtures.OtherWalletID, 0, 1)
}

func (s *Suite) selectsWallet(name string, other download) {
	GinkgoHelper()
	f := s.t.Deployment.Fixtures
	s.holds(name, []download{s.wallet, other}, func(l look) Rows {
		mine, got := l.rows(s.wallet), l.rows(other)
		if len(got.rows) == 0 {
			l.unmet("fixtures.other_wallet_id", "the other wallet has no quote in the window")
		}
		// A column that does not show IDs says nothing, and one of a third wallet is another rule's matter.
		named := func(q statement.Quote, wallet string) bool { return strings.EqualFold(q.Wallet, wallet) }
		distinct := !strings.EqualFold(f.DefaultWalletID, f.OtherWalletID)
		return Rows{
			Export: "the export of the other wallet", Should: "rows of that wallet only, and none of the default wallet's",
			Held: len(got.rows),
			Extra: pick(got.rows, func(q statement.Quote) bool {
				third := uuid.Validate(q.Wallet) == nil && !named(q, f.DefaultWalletID) && !named(q, f.OtherWalletID)
				return !third && len(common([]statement.Quote{q}, mine.rows)) > 0 || distinct && named(q, f.DefaultWalletID)
			}),
		}
	})
}

// foreignWallets: neither user gets at quotes by naming a wallet of the other one. The other user's wallet is known
// where that user's file shows one.
func (s *Suite) foreignWallets() {
	ours := s.t.Deployment.Fixtures.DefaultWalletID
	exports := []download{s.follow("the window of another user's wallet", func(l look) query {
		i := slices.IndexFunc(l.rows(s.theirs).rows, func(q statement.Quote) bool { return uuid.Validate(q.Wallet) == nil })
		if i < 0 {
			l.unmet("export.csv.columns.wallet_id", "no row of the other user's file shows the ID of its wallet")
		}
		return query{
			fields: s.spelled(statement.CreatedAt, 0, 2),
			header: map[string]string{target.HeaderWallet: l.rows(s.theirs).rows[i].Wallet},
		}
	})}
	if ours != "" {
		exports = append(exports, s.follow("the window of our wallet, as another user", func(look) query {
			return query{
				fields: s.spelled(statement.CreatedAt, 1, 0), as: s.t.Deployment.Credentials.OtherUser,
				header: map[string]string{target.HeaderWallet: ours},
			}
		}))
	}
	s.holds("either user's export of the other one's wallet", append(exports, s.theirs, s.window), func(l look) Rows {
		w := s.base(l)
		var theirs []statement.Quote
		if sh, ok := l.rowsIfAny(s.theirs); ok {
			theirs = s.apart(l, sh, w)
		}
		if ours != "" {
			found := leaked(l, "another user's export of our wallet", l.sheet(exports[1]), w.rows)
			var unknown *spec.NeedError
			if _, err := exports[0].Get(l); !found.Right() || errors.As(err, &unknown) {
				return found
			}
		}
		return leaked(l, "the export of another user's wallet", l.sheet(exports[0]), theirs)
	})
}
