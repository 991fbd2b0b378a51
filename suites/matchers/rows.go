package matchers

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/repeat"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
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

	Condition []record.Setting  // without which they are right
	Inverted  []statement.Quote // the first two rows that stand in the wrong order, as they should; none: it is not known
	Evidence  spec.Evidence     // its sign follows from the rows
	Unsure    bool              // what it should hold follows from exports that contradict each other: no script could tell
	Refusable bool              // the deployment may refuse the export instead
}

// Right reports whether the export holds what it should.
func (r Rows) Right() bool { return len(r.Missing) == 0 && len(r.Extra) == 0 && r.Order == "" }

// HoldItsRows holds for Rows that are Right.
func HoldItsRows() Matcher {
	return judging(Rows.Right, func(r Rows) (record.Finding, spec.Evidence) {
		missing, extra := r.table(r.Missing, true), r.table(r.Extra, false)
		f := record.Finding{
			Subject: strings.TrimPrefix(r.Export, "the "), Cause: r.Cause, Rows: append(missing, extra...), Got: r.wrong(),
			Expected: r.count(r.Held+len(r.Missing)-len(r.Extra), missing, extra), Actual: r.count(r.Held, extra, missing),
			Condition: r.Condition,
		}
		if len(f.Rows) == 0 {
			f.Outcome, f.Want, f.Expected, f.Actual = record.OutOfOrder, r.Should, r.Should, r.Order
			if len(r.Inverted) == 2 {
				in := r.table(r.Inverted, true)
				f.Expected, f.Actual = ahead(in[0], in[1]), ahead(in[1], in[0])
			}
		}
		if !r.Unsure {
			r.Evidence.Sign = r.sign()
		}
		return f, r.Evidence
	})
}

// count says how many rows an export holds, and names some that it holds, and some that it does not.
func (r Rows) count(rows int, with, without []record.Row) string {
	text := printable.Quantity(rows, "row")
	for i, some := range [][]record.Row{with, without} {
		for j, row := range some {
			lead := ", "
			if j == 0 {
				lead = [...]string{"; with ", "; without "}[i]
			}
			text += lead + row.ID + " dated " + row.Date
		}
	}
	return text
}

func ahead(first, second record.Row) string {
	return fmt.Sprintf("%s dated %s ahead of %s dated %s", first.ID, first.Date, second.ID, second.Date)
}

// sign is what a file that holds its rows shows; nil: rows without an ID cannot be looked for.
func (r Rows) sign() repeat.Sign {
	named := func(all []statement.Quote) (ids []string) {
		for _, q := range all[:min(len(all), mostNamed)] {
			if !q.Joined {
				ids = append(ids, q.Identity)
			}
		}
		return ids
	}
	sign := repeat.Rows{Refused: r.Refusable, With: named(r.Missing), Without: named(r.Extra)}
	if len(sign.With)+len(sign.Without) == 0 {
		order := named(r.Inverted)
		if len(order) < 2 {
			return nil
		}
		sign.Order = [2]string(order)
	}
	return sign
}

// mostNamed is how many rows are named.
const mostNamed = 3

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
	for _, q := range quotes[:min(len(quotes), mostNamed)] {
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
