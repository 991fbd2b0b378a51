package export

import (
	"context"
	"fmt"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// orders: the order of the rows.
func (s *suite) orders() {
	// asc: no row comes before an earlier one.
	s.ordered("export.order.asc", "", statement.CreatedAt, s.createdAsc, true)
	s.ordered("export.order.asc", "", statement.SettledDate, s.settledAsc, true)
	// desc: no row comes before a later one.
	s.ordered("export.order.desc", "", statement.CreatedAt, s.first, false)
	s.ordered("export.order.desc", "", statement.SettledDate, s.settled, false)
	if s.t.Deployment.Fixtures.ClientID != "" {
		// Either does so for the rows of one client as well.
		s.ordered("export.order.asc", " beside a client filter", statement.CreatedAt, s.client.until, true)
		s.ordered("export.order.desc", " beside a client filter", statement.CreatedAt, s.client.window, false)
	}
}

func (s *suite) ordered(rule, beside string, key statement.Key, o *seen, rising bool) {
	way, asked := "falling", "desc"
	if rising {
		way, asked = "rising", "asc"
	}
	s.holds(rule, "by "+string(key)+beside, s.compare(fmt.Sprintf("the %s order of %s%s", way, key, beside), func(ctx context.Context) ([]matchers.Rows, error) {
		got, err := read(ctx, o)
		if err != nil {
			return nil, err
		}
		if err := got.legible(key); err != nil {
			return nil, err
		}
		if len(datesOf(got.rows, key)) < 2 {
			if _, err := s.base(ctx); err != nil {
				return nil, err
			}
			need := "fixtures.window"
			if beside != "" {
				need = "fixtures.client_id"
			}
			return nil, spec.Unmet(need, "fewer than two dates of %s in the export%s", key, beside)
		}
		return []matchers.Rows{{
			Export: fmt.Sprintf("the export of the window by %s, %s%s", key, asked, beside),
			Should: fmt.Sprintf("rows in %s order of %s", way, key),
			Held:   len(got.rows), Order: matchers.Disorder(got.rows, key, rising),
		}}, nil
	}), o)
}

// datesOf counts the rows of each date.
func datesOf(rows []statement.Quote, key statement.Key) map[time.Time]int {
	dates := map[time.Time]int{}
	for _, q := range rows {
		if m := q.Moment(key); m.Usable() {
			dates[m.Time.UTC()]++
		}
	}
	return dates
}
