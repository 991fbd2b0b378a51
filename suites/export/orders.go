package export

import (
	"context"
	"fmt"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/plan"
)

// orders: the order of the rows.
func (s *suite) orders() {
	// asc: no row comes before an earlier one.
	s.ordered("export.order.asc", statement.CreatedAt, s.createdAsc, true)
	s.ordered("export.order.asc", statement.SettledDate, s.settledAsc, true)
	// desc: no row comes before a later one.
	s.ordered("export.order.desc", statement.CreatedAt, s.first, false)
	s.ordered("export.order.desc", statement.SettledDate, s.settled, false)
}

func (s *suite) ordered(rule string, key statement.Key, o *seen, rising bool) {
	way := map[bool]string{true: "rising", false: "falling"}[rising]
	s.holds(rule, "by "+string(key), s.compare(fmt.Sprintf("the %s order of %s", way, key), func(ctx context.Context) ([]matchers.Rows, error) {
		w, err := s.window(ctx, o, key)
		if err != nil {
			return nil, err
		}
		if len(datesOf(w.rows, key)) < 2 {
			return nil, plan.Unmet("fixtures.window", "fewer than two dates of %s in the window", key)
		}
		return []matchers.Rows{{
			Export: fmt.Sprintf("the export of the window by %s, %s", key, map[bool]string{true: "asc", false: "desc"}[rising]),
			Should: fmt.Sprintf("rows in %s order of %s", way, key),
			Held:   len(w.rows), Order: matchers.Disorder(w.rows, key, rising),
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
