package export

import (
	"errors"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

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
				return Rows{} // the other way round was judged
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

// onBehalf adds the target user to the headers of an export, where that user has quotes in wallets of its own.
func (s *Suite) onBehalf(l look, header map[string]string) {
	f := s.t.Deployment.Fixtures
	if f.ProductID == "" || f.TargetUserID == "" {
		return
	}
	_, rows, ok := s.targetRows(l)
	foreign := func(q statement.Quote) bool { return strings.EqualFold(q.Wallet, header[target.HeaderWallet]) }
	if ok && slices.ContainsFunc(rows, showsWallet) && !slices.ContainsFunc(rows, foreign) {
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

// isolation: a user's quotes are in no file of another legal person's user.
func (s *Suite) isolation() {
	w := s.t.Deployment.Fixtures.Window
	Describe("another user", func() {
		s.Rule("export.isolation", Must, ExportOperation, "Another user's export holds none of this user's quotes.",
			spec.Security, spec.Needs("credentials.other_user"), func() {
				s.notSwapped()
				s.holds("another user's export of the same window", []download{s.theirs, s.window}, func(l look) Rows {
					w := s.base(l)
					if got := l.sheet(s.theirs); got.refused {
						l.end(got.usable())
					}
					return leaked(l, "another user's export of the window", s.theirs, w.rows)
				})
				s.noStrangers()
				// A bound that is not given opens nothing. The exports are sorted so that the window's own quotes
				// would come early, which is why the beginning of each file is enough; one is of the other sort and
				// order.
				if w != nil {
					s.isolatedOpen("only a start, by settled_date, asc", func() target.Fields {
						return bounded(statement.SettledDate, s.extent().Start, time.Time{}, 0).With("order", "asc")
					})
					s.isolatedOpen("only an end", func() target.Fields {
						return bounded(statement.CreatedAt, time.Time{}, s.extent().End, 0)
					})
				}
			})
	})
}

func (s *Suite) isolatedOpen(what string, ask func() target.Fields) {
	GinkgoHelper()
	o := s.follow("another user's quotes with "+what, func() query {
		return query{fields: ask(), as: s.t.Deployment.Credentials.OtherUser, most: enoughOfEverything}
	})
	s.holds("another user's export with "+what, []download{o, s.window}, func(l look) Rows {
		w := s.base(l)
		if got := l.sheet(o); got.fault != nil {
			l.unmet("", "the file could not be fetched, and may be too large: %s", got.fault.Error())
		}
		return leaked(l, "another user's export with "+what, o, w.rows)
	})
}

// apart returns the rows of the other user. Where they are our own, that is the isolation's matter, and nothing says
// whose any row is.
func (s *Suite) apart(l look, theirs *sheet, w *window) []statement.Quote {
	l.unclearIf(len(common(theirs.rows, w.rows)) > 0,
		"another user's export holds our own rows, so nothing shows whose a row is; see export.isolation")
	return theirs.rows
}

// leaked finds the rows of an export that are among those of somebody else.
func leaked(l look, export string, o download, rows []statement.Quote) Rows {
	found := Rows{Export: export, Should: "no row of the other user, or a refusal", Strange: "row of somebody else"}
	got, there := l.anything(o)
	found.Held = len(got.rows)
	if there {
		found.Extra = common(got.rows, rows)
	}
	return found
}

// common returns the rows that both hold.
func common(a, b []statement.Quote) []statement.Quote {
	return statement.Difference(a, statement.Difference(a, b))
}
