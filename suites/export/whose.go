package export

import (
	"time"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// isolation: a user's quotes are in no file of another legal person's user.
func (s *Suite) isolation() {
	w := s.t.Deployment.Fixtures.Window
	s.Describe("another user", func() {
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
	spec.Helper()
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
		"another user's export holds this user's rows, so nothing shows whose a row is; see %s", spec.Ref("export.isolation"))
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
