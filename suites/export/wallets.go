package export

import (
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// wallets: whose wallet the quotes are of.
func (s *Suite) wallets() {
	f := s.t.Deployment.Fixtures
	other := s.inOtherWallet()
	s.Describe("wallet", func() {
		s.Group(spec.Needs("fixtures.default_wallet_id"), func() {
			s.Rule("export.default.wallet", Must, ExportOperation,
				"Without a wallet the file is the one of the default wallet.", func() {
					if f.OtherWalletID != "" {
						s.Uses(other)
					}
					s.holds("the rows of the default wallet", []download{s.wallet, s.window}, func(l look) Rows {
						named, unnamed := l.rows(s.wallet), l.sheet(s.window)
						// A file without quotes is a mistaken default as well, where the default wallet has some.
						if !unnamed.empty() || len(named.rows) == 0 {
							s.base(l)
						}
						found := s.blameNamed(named, equal(
							"the export without a wallet", "the rows of the export with the default wallet's ID",
							unnamed.rows, named.rows))
						if f.OtherWalletID == "" {
							return found
						}
						if sh, ok := l.rowsIfAny(other); ok {
							if statement.SameRows(named.rows, sh.rows) {
								l.unmet("", "the default wallet and the other wallet give the same rows, "+
									"so nothing can show which is the default")
							}
							if statement.SameRows(unnamed.rows, sh.rows) && !unnamed.empty() { // nothing shows which key is right
								found.Instead = "the rows of other_wallet_id; was it exchanged with default_wallet_id?"
							}
						}
						return found
					})
					s.noOtherWallet()
					if f.OtherWalletID != "" && f.ProductID != "" {
						s.noOtherWalletOfProduct()
					}
					if f.OtherWalletID != "" {
						s.oneWalletBeside(other)
					}
				})

			s.Rule("export.wallet.selects", Should, ExportOperation, "A wallet that is given selects its own quotes.",
				spec.Needs("fixtures.other_wallet_id"), func() {
					s.selectsWallet("the rows of another wallet", other)
					s.selectsWallet("the rows of another wallet by settled_date, oldest first",
						s.settledInOtherWallet())
					if f.ClientID != "" {
						s.filteredWallet(other, s.clientInOtherWallet())
					}
				})
		})

		s.Rule("export.wallet.foreign", Must, ExportOperation, "Another user's wallet gives access to nothing.",
			spec.Security, spec.Needs("credentials.other_user"), s.foreignWallets)
	})
}

func (s *Suite) selectsWallet(name string, other download) {
	spec.Helper()
	f := s.t.Deployment.Fixtures
	s.holds(name, []download{other, s.wallet}, func(l look) Rows {
		mine := l.rows(s.wallet)
		if got := l.sheet(other); got.denied() {
			l.end(s.refusedInWallet(l, got))
			return Rows{
				Export: "the export of the other wallet", Should: "a file, as beside another sort or order",
				Refused: target.Describe(got.answer),
			}
		}
		got := l.rows(other)
		l.unmetIf(len(got.rows) == 0, "fixtures.other_wallet_id", "the other wallet has no quote in the window")
		// A column that does not show IDs says nothing, and one of a third wallet is another rule's matter.
		ofDefault, ofOther := inWallet(f.DefaultWalletID), inWallet(f.OtherWalletID)
		distinct := !strings.EqualFold(f.DefaultWalletID, f.OtherWalletID)
		return Rows{
			Export: "the export of the other wallet",
			Should: "rows of that wallet only, and none of the default wallet's",
			Held:   len(got.rows),
			Extra: pick(got.rows, func(q statement.Quote) bool {
				third := showsWallet(q) && !ofDefault(q) && !ofOther(q)
				return !third && len(common([]statement.Quote{q}, mine.rows)) > 0 || distinct && ofDefault(q)
			}),
		}
	})
}

// refusedInWallet is why the refusal of an export of another wallet says nothing; nil: it is refused with nothing else
// beside it, too, while the same fields are accepted in the default wallet, and the wallet with nothing but its bounds.
func (s *Suite) refusedInWallet(l look, refused *sheet) error {
	if refused.variation != nil {
		return refused.variation
	}
	again := func(wallet string, bare bool) bool {
		q := refused.query
		q.company, q.header = nil, map[string]string{target.HeaderWallet: wallet}
		if bare {
			q.fields = q.fields.Without("sort", "order")
		}
		return s.start(l, q).Success()
	}
	f := s.t.Deployment.Fixtures
	if !again(f.OtherWalletID, false) && again(f.DefaultWalletID, false) && again(f.OtherWalletID, true) {
		return nil
	}
	return refused.usable()
}

// filteredWallet declares the spec that a wallet is kept to beside a client filter as well, whatever of it that keeps.
func (s *Suite) filteredWallet(unfiltered, other download) {
	spec.Helper()
	s.holds("no row of the default wallet beside a client filter", []download{other, s.wallet}, func(l look) Rows {
		found := Rows{Export: "the export of one client in the other wallet", Should: "no row of the default wallet"}
		mine, named := l.rowsIfAny(s.wallet)
		theirs, known := l.rowsIfAny(unfiltered)
		got, ok := l.rowsIfAny(other)
		s.base(l)
		// Rows of neither wallet, or of both, are another rule's matter.
		if ok && named && known && len(common(mine.rows, theirs.rows)) == 0 &&
			len(statement.Difference(got.rows, slices.Concat(mine.rows, theirs.rows))) == 0 {
			found.Held, found.Extra = len(got.rows), common(got.rows, mine.rows)
		}
		return found
	})
}

func showsWallet(q statement.Quote) bool { return uuid.Validate(q.Wallet) == nil }

// foreignWallets: neither user gets at quotes by naming a wallet of the other one, whatever else is asked for. The
// other user's wallet is known where that user's file shows one.
func (s *Suite) foreignWallets() {
	ours := s.t.Deployment.Fixtures.DefaultWalletID
	if ours != "" {
		const export = "another user's export of our wallet"
		o := s.follow("the window of our wallet, as another user", func() query {
			return query{
				fields: s.spelled(statement.CreatedAt, 1, 0), as: s.t.Deployment.Credentials.OtherUser,
				header: map[string]string{target.HeaderWallet: ours},
			}
		})
		s.holds(export, []download{o, s.theirs, s.window}, func(l look) Rows {
			return leaked(l, export, o, s.base(l).rows)
		})
	}
	for r, how := range []struct {
		words string
		asks  func(f target.Fields, client string) target.Fields
	}{
		{"", func(f target.Fields, _ string) target.Fields { return f }},
		{", of one client", func(f target.Fields, client string) target.Fields {
			if client == "" {
				return f
			}
			return clientFilter(f, client)
		}},
		{", by settled_date, asc", func(f target.Fields, _ string) target.Fields {
			return f.With("sort", string(statement.SettledDate)).With("order", "asc")
		}},
	} {
		export := "the export of another user's wallet" + how.words
		o := s.export("the window of another user's wallet"+how.words, func(l look) query {
			s.fetchable(l)
			rows := l.rows(s.theirs).rows
			i := slices.IndexFunc(rows, showsWallet)
			l.unmetIf(i < 0, "export.csv.columns.wallet_id",
				"no row of the other user's file shows the ID of its wallet")
			header := map[string]string{target.HeaderWallet: rows[i].Wallet}
			if r == 0 && ours != "" { // without anything beside it, the other way round is judged
				s.onBehalf(l, header)
			}
			return query{
				fields:  how.asks(s.spelled(statement.CreatedAt, r, 2), rows[i].Client),
				company: s.company(l, control.Row(r)),
				header:  header,
			}
		})
		s.holds(export, []download{o, s.theirs, s.window}, func(l look) Rows {
			w, theirs := s.base(l), l.rows(s.theirs)
			var unknown *spec.NeedError
			if _, err := o.Get(l); errors.As(err, &unknown) && ours != "" {
				return moot("%v; the other way round was judged", unknown)
			}
			found := leaked(l, export, o, s.apart(l, theirs, w))
			if got, err := o.Get(l); err == nil && got.query.header[target.HeaderTarget] != "" {
				if found.Export += ", on behalf of a user"; !found.Right() && s.opensTarget(l) {
					found.Extra = nil // both may be of one legal person
				}
			}
			return found
		})
	}
}

// inWallet returns what reports a quote that shows this wallet.
func inWallet(id string) func(statement.Quote) bool {
	return func(q statement.Quote) bool { return strings.EqualFold(q.Wallet, id) }
}

// onBehalf adds the target user to the headers of an export, where that user has quotes in wallets of its own.
func (s *Suite) onBehalf(l look, header map[string]string) {
	f := s.t.Deployment.Fixtures
	if f.ProductID == "" || f.TargetUserID == "" {
		return
	}
	_, rows, ok := s.targetRows(l)
	if ok && slices.ContainsFunc(rows, showsWallet) &&
		!slices.ContainsFunc(rows, inWallet(header[target.HeaderWallet])) {
		header[target.HeaderProduct], header[target.HeaderTarget] = f.ProductID, f.TargetUserID
	}
}

// opensTarget reports whether the wallet of the target user opens for the other user.
func (s *Suite) opensTarget(l look) bool {
	_, rows, _ := s.targetRows(l)
	i := slices.IndexFunc(rows, showsWallet)
	if i < 0 {
		return false
	}
	got := s.take(l, query{
		label:  "the window of the target user's wallet, as another user",
		fields: s.spelled(statement.CreatedAt, 3, 2), as: s.t.Deployment.Credentials.OtherUser,
		header: map[string]string{target.HeaderWallet: rows[i].Wallet},
	})
	return got.usable() == nil && len(common(got.rows, rows)) > 0
}
