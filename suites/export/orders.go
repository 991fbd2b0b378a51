package export

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
)

// orders: the order of the rows, of one client's as well.
func (s *Suite) orders() {
	const created, settled = statement.CreatedAt, statement.SettledDate
	Describe("order", func() {
		s.Rule("export.order.asc", Should, ExportOperation, "asc puts the rows in rising order of the chosen date.", func() {
			s.ordered("by quote_created_at", "fixtures.window", created, s.windowAsc, true)
			s.ordered("by settled_date", "fixtures.window", settled, s.settledAsc, true)
			if s.t.Deployment.Fixtures.ClientID != "" {
				s.ordered("by quote_created_at beside a client filter", "fixtures.client_id", created, s.client.until, true)
			}
		})

		s.Rule("export.order.desc", Should, ExportOperation, "desc puts the rows in falling order of that date.", func() {
			s.ordered("by quote_created_at", "fixtures.window", created, s.window, false)
			s.ordered("by settled_date", "fixtures.window", settled, s.settled, false)
			if s.t.Deployment.Fixtures.ClientID != "" {
				s.ordered("by quote_created_at beside a client filter", "fixtures.client_id", created, s.client.window, false)
			}
		})
	})
}

// ordered declares the spec that an export is in order. need is the key to change where its rows show none.
func (s *Suite) ordered(name, need string, key statement.Key, o download, rising bool) {
	GinkgoHelper()
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
		return Rows{
			Export: fmt.Sprintf("the export of the window %s, %s", name, order),
			Should: fmt.Sprintf("rows in %s order of %s", way, key),
			Held:   len(got.rows), Order: Disorder(got.rows, key, rising),
		}
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
