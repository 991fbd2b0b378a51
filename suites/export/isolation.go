package export

import (
	"strings"
	"time"

	"github.com/google/uuid"
	. "github.com/onsi/ginkgo/v2"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// isolation: a user's quotes are in no file of another legal person's user.
func (s *Suite) isolation() {
	Describe("another user", func() {
		s.Rule("export.isolation", Must, ExportOperation, "Another user's export holds none of this user's quotes.",
			spec.Security, spec.Needs("credentials.other_user"), func() {
				s.holds("another user's export of the same window", []download{s.theirs, s.window}, func(l look) Rows {
					w, got := s.base(l), l.sheet(s.theirs)
					if got.refused {
						l.end(got.usable())
					}
					return leaked(l, "another user's export of the window", got, w.rows)
				})
				// A bound that is not given opens nothing. The exports are sorted so that the window's own quotes
				// would come early, which is why the beginning of each file is enough; one is of the other sort and
				// order.
				if w := s.t.Deployment.Fixtures.Window; w != nil {
					s.isolatedOpen("only a start, by settled_date, asc",
						bounded(statement.SettledDate, w.Start, time.Time{}, 0).With("order", "asc"))
					s.isolatedOpen("only an end", bounded(statement.CreatedAt, time.Time{}, w.End, 0))
				}
			})
	})
}

func (s *Suite) isolatedOpen(what string, f target.Fields) {
	GinkgoHelper()
	o := s.follow("another user's quotes with "+what, func(look) query {
		return query{fields: f, as: s.t.Deployment.Credentials.OtherUser, most: enoughOfEverything}
	})
	s.holds("another user's export with "+what, []download{o, s.window}, func(l look) Rows {
		w, got := s.base(l), l.sheet(o)
		if got.fault != nil {
			l.unmet("", "the file could not be fetched, and may be too large: %s", got.fault.Error())
		}
		return leaked(l, "another user's export with "+what, got, w.rows)
	})
}

// targetUsers: whose quotes an export for another user of the product holds, and one for nobody else. Quotes that both
// exports show are somebody's by their wallet: in the caller's default wallet they are the caller's.
func (s *Suite) targetUsers() {
	user := s.t.Deployment.Fixtures.TargetUserID
	Describe("target user", func() {
		needs := spec.Needs("fixtures.product_id", "fixtures.target_user_id", "credentials.other_user")
		s.Group(spec.Security, needs, func() {
			s.Rule("export.target.rows", Must, ExportOperation,
				"Quotes exported for a target user are that user's, and nobody else's.", func() {
					named := s.forUser(user)
					s.holds("the export for the target user", []download{named, s.theirs, s.window}, func(l look) Rows {
						w, got := s.base(l), l.rows(named)
						if len(got.rows) == 0 {
							l.unmet("fixtures.target_user_id", "the target user has no quote in the window")
						}
						own, _ := s.ownedOf(common(w.rows, got.rows))
						if len(own) == len(got.rows) { // where no wallet is named, the caller's default one may stand in
							l.unmet("fixtures.target_user_id", "the export for the target user holds the caller's default wallet "+
								"and nothing else, which the document lets stand in where no wallet is named")
						}
						found := leaked(l, "the export for the target user", got, append(s.foreign(l, w), own...))
						if found.Right() {
							s.sharesNone(l, w, got)
						}
						return found
					})
				})

			s.Rule("export.target.own_rows", Must, ExportOperation,
				"Quotes exported without a target user are the caller's, and nobody else's.", func() {
					own, named := s.ofProduct(), s.forUser(user)
					s.holds("the export of the product", []download{own, named, s.theirs, s.window}, func(l look) Rows {
						w, got, others := s.base(l), l.rows(own), l.rows(named)
						_, strange := s.ownedOf(others.rows)
						found := leaked(l, "the export of the product without a target user", got, append(s.foreign(l, w), strange...))
						if found.Right() {
							s.sharesNone(l, w, others)
						}
						return found
					})
				})
		})
	})
}

// ownedOf parts rows by the wallet that they show: those in the caller's default wallet, and those in another one.
func (s *Suite) ownedOf(rows []statement.Quote) (own, strange []statement.Quote) {
	wallet := s.t.Deployment.Fixtures.DefaultWalletID
	shown := pick(rows, func(q statement.Quote) bool { return wallet != "" && uuid.Validate(q.Wallet) == nil })
	is := func(q statement.Quote) bool { return strings.EqualFold(q.Wallet, wallet) }
	return pick(shown, is), pick(shown, func(q statement.Quote) bool { return !is(q) })
}

// sharesNone ends the act where the caller and the target user see the same quotes and no wallet shows whose they are: users
// of one legal person may share them.
func (s *Suite) sharesNone(l look, w *window, named *sheet) {
	shared := common(w.rows, named.rows)
	if own, strange := s.ownedOf(shared); len(own)+len(strange) < len(shared) {
		l.unmet("fixtures.target_user_id", "the caller and the target user see the same quotes, and no wallet that the "+
			"file shows says whose they are; choose a user with quotes of its own")
	}
}

// ofProduct is the window with the product named.
func (s *Suite) ofProduct() download {
	return s.follow("the window of the product", func(look) query {
		return query{
			fields: s.spelled(statement.CreatedAt, 2, 0),
			header: map[string]string{target.HeaderProduct: s.t.Deployment.Fixtures.ProductID},
		}
	})
}

// forUser is the window for a target user.
func (s *Suite) forUser(id string) download {
	return s.follow("the window for the target user", func(look) query {
		return query{
			fields: s.spelled(statement.CreatedAt, 2, 1),
			header: map[string]string{target.HeaderProduct: s.t.Deployment.Fixtures.ProductID, target.HeaderTarget: id},
		}
	})
}

// apart returns the rows of the other user. Where they are our own, that is the isolation's matter, and nothing says
// whose any row is.
func (s *Suite) apart(l look, theirs *sheet, w *window) []statement.Quote {
	if len(common(theirs.rows, w.rows)) > 0 {
		l.unclear("another user's export holds our own rows, so nothing shows whose a row is; see export.isolation")
	}
	return theirs.rows
}

// foreign is apart for rules that need rows of the other user.
func (s *Suite) foreign(l look, w *window) []statement.Quote {
	rows := s.apart(l, l.rows(s.theirs), w)
	if len(rows) == 0 {
		l.unmet("credentials.other_user", "the other user has no quote in the window")
	}
	return rows
}

// leaked finds the rows of an export that are among those of somebody else.
func leaked(l look, export string, got *sheet, rows []statement.Quote) Rows {
	found := Rows{Export: export, Should: "no row of the other user, or a refusal", Held: len(got.rows)}
	if got.gaveNothing() {
		return found
	}
	l.end(got.fileless())
	l.end(got.usable())
	found.Extra = common(got.rows, rows)
	return found
}

// common returns the rows that both hold.
func common(a, b []statement.Quote) []statement.Quote {
	return statement.Difference(a, statement.Difference(a, b))
}
