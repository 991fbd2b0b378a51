package export

import (
	"fmt"
	"slices"
	"time"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// orders: the order of the rows, of one client's as well.
func (s *Suite) orders() {
	const created, settled = statement.CreatedAt, statement.SettledDate
	s.Describe("order", func() {
		s.Rule("export.order.asc", Should, ExportOperation, "asc puts the rows in rising order of the chosen date.",
			func() {
				s.ordered("by quote_created_at", "fixtures.window", created, s.windowAsc, true)
				s.ordered("by settled_date", "fixtures.window", settled, s.settledAsc, true)
				if s.t.Deployment.Fixtures.ClientID != "" {
					s.ordered("by quote_created_at beside a client filter", "fixtures.client_id", created,
						s.client.until, true)
				}
				s.orderedInOtherWallet(settled, s.settledInOtherWallet(), s.settledAsc, true)
				s.forTargetUser("for the target user", s.target.between,
					func(w *window, _ []statement.Quote, got *sheet) Rows {
						return Rows{
							Export: "the export for the target user, asc", Should: "rows in rising order",
							Held: len(got.rows), Order: Disorder(got.rows, w.key, true),
						}
					})
				s.everyExport("asc", "rising")
			})

		s.Rule("export.order.desc", Should, ExportOperation, "desc puts the rows in falling order of that date.",
			func() {
				s.ordered("by quote_created_at", "fixtures.window", created, s.window, false)
				s.ordered("by settled_date", "fixtures.window", settled, s.settled, false)
				s.orderedInOtherWallet(created, s.inOtherWallet(), s.window, false)
				if s.t.Deployment.Fixtures.ClientID != "" {
					s.ordered("by quote_created_at beside a client filter", "fixtures.client_id", created,
						s.client.window, false)
					s.ordered("by settled_date beside a client filter", "fixtures.client_id", settled,
						s.client.after, false)
				}
				s.forTargetUser("for the target user", s.target.window,
					func(w *window, _ []statement.Quote, got *sheet) Rows {
						return Rows{
							Export: "the export of the window for the target user, desc",
							Should: "rows in falling order", Held: len(got.rows),
							Order: Disorder(got.rows, w.key, false),
						}
					})
				s.orderedPart("from a row on", s.cuts.from[onRow])
				s.orderedPart("until a row", s.cuts.until[onRow])
				s.everyExport("desc", "falling")
			})
	})
}

// ordered declares the spec that an export is in order. need is the key to change where its rows show none.
func (s *Suite) ordered(name, need string, key statement.Key, o download, rising bool) {
	spec.Helper()
	way, order := "falling", "desc"
	if rising {
		way, order = "rising", "asc"
	}
	s.holds(name, []download{o}, func(l look) Rows {
		got := l.rows(o)
		l.end(got.legible(key))
		if countDates(got.rows, key) < 2 {
			s.base(l)
			l.unmet(need, "fewer than two dates of %s in the export %s", key, name)
		}
		if Disorder(got.rows, key, rising) != "" {
			l.unclearIf(Disorder(beyond(got.rows, s.knownTheirs(l)), key, rising) == "",
				"the only rows out of order are those of another user; see %s", spec.Ref("export.isolation"))
		}
		return s.wholly(l, Rows{
			Export: fmt.Sprintf("the export of the window %s, %s", name, order),
			Should: fmt.Sprintf("rows in %s order of %s", way, key),
			Held:   len(got.rows), Order: Disorder(got.rows, key, rising),
		}, func(w whole) string {
			if slices.Contains([]download{s.client.window, s.client.until, s.client.after}, o) {
				return ""
			}
			return w.disorder[string(key)+" "+order]
		})
	})
}

// orderedPart declares the spec that a part of the window falls, whatever else is sent, where all of it does.
func (s *Suite) orderedPart(name string, o download) {
	spec.Helper()
	s.holds("by quote_created_at "+name, []download{o, s.window}, func(l look) Rows {
		w := s.base(l)
		found := Rows{Export: "the export " + name + ", desc", Should: "rows in falling order of quote_created_at"}
		if got, ok := l.rowsIfAny(o); ok && got.legible(w.key) == nil && Disorder(w.rows, w.key, false) == "" {
			found.Held, found.Order = len(got.rows), Disorder(got.rows, w.key, false)
		}
		return found
	})
}

// countDates counts the dates that rows show.
func countDates(rows []statement.Quote, key statement.Key) int {
	dates := map[time.Time]bool{}
	for _, q := range rows {
		if m := q.Moment(key); m.Usable() {
			dates[m.Time.UTC()] = true
		}
	}
	return len(dates)
}
