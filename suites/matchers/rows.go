package matchers

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/record"
)

// Rows is what an export was found to hold, beside what it should hold.
type Rows struct {
	Export  string            // what was exported, in a few words: "the export from 2025-01-02T03:04:05Z"
	Should  string            // what it should hold: "every row dated on the start or later, and no other"
	Held    int               // how many rows it holds
	Missing []statement.Quote // should be there and are not
	Extra   []statement.Quote // are there and should not be
	Order   string            // what breaks the order; empty: nothing
	Key     statement.Key     // the date that it is about; empty: quote_created_at
	Strange string            // what the rows that should not be there are; empty: "too many"
	Cause   string            // what the deployment was proven to do that explains the rows: "ignores the end"

	Condition         []record.Setting // without which they are right
	Decisive, Control int              // exchanges: that of the export, and of one that holds what it should
}

// Right reports whether the export holds what it should.
func (r Rows) Right() bool { return len(r.Missing) == 0 && len(r.Extra) == 0 && r.Order == "" }

// HoldItsRows holds for Rows that are Right.
func HoldItsRows() Matcher {
	return judging(Rows.Right, func(r Rows) record.Finding {
		f := record.Finding{
			Subject: strings.TrimPrefix(r.Export, "the "), Cause: r.Cause, Expected: r.Should,
			Rows: append(r.table(r.Missing, true), r.table(r.Extra, false)...), Got: r.wrong(), Actual: printable.Quantity(r.Held, "row"),
			Condition: r.Condition, Decisive: r.Decisive, Control: r.Control,
		}
		if len(f.Rows) == 0 {
			f.Outcome, f.Want = record.OutOfOrder, r.Should
		}
		for _, row := range f.Rows {
			what := "should not be there"
			if row.Expected {
				what = "missing"
			}
			f.Actual += fmt.Sprintf("\n%s: %s, %s", what, row.ID, row.Date)
		}
		return f
	})
}

// wrong counts the rows that are missing and those that should not be there, or says what breaks the order.
func (r Rows) wrong() string {
	var wrong []string
	if n := len(r.Missing); n > 0 {
		wrong = append(wrong, printable.Quantity(n, "row")+" missing")
	}
	if n := len(r.Extra); n > 0 {
		wrong = append(wrong, printable.Quantity(n, "row")+" "+cmp.Or(r.Strange, "too many"))
	}
	return cmp.Or(strings.Join(wrong, ", "), r.Order)
}

// table shows a few rows, each with the date that the export is about. Those without an ID are named by their line, so that
// no other cell ever shows.
func (r Rows) table(quotes []statement.Quote, expected bool) (rows []record.Row) {
	key := cmp.Or(r.Key, statement.CreatedAt)
	for _, q := range quotes[:min(len(quotes), 3)] {
		row := record.Row{
			ID: fmt.Sprintf("line %d", q.Row.Line), Expected: expected, Found: !expected,
			Date: cmp.Or(printable.Clean(record.Shorten(q.Moment(key).Text, 40)), "without "+string(key)),
		}
		if !q.Joined {
			row.ID = printable.Clean(record.Shorten(q.Identity, 64))
		}
		rows = append(rows, row)
	}
	return rows
}
