package matchers

import (
	"cmp"
	"fmt"
	"slices"
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
	Strange string            // what the rows that should not be there are; empty: "row too many"
	Cause   string            // what the deployment was proven to do that explains the rows: "ignores the end"
}

// Right reports whether the export holds what it should.
func (r Rows) Right() bool { return len(r.Missing) == 0 && len(r.Extra) == 0 && r.Order == "" }

// HoldItsRows holds for Rows that are Right.
func HoldItsRows() Matcher {
	return matcher[Rows]{right: Rows.Right, finding: func(r Rows) record.Finding {
		f := record.Finding{
			Subject: strings.TrimPrefix(r.Export, "the "), Cause: r.Cause, Expected: r.Should, Want: r.Should,
			Got: r.wrong(), Actual: r.found(), Rows: r.astray(),
		}
		if f.Got == "" {
			f.Outcome, f.Got = record.OutOfOrder, r.Order
		}
		return f
	}}
}

// found says what the export holds instead of what it should, naming a few rows by identity and dates.
func (r Rows) found() string {
	const most = 3
	parts := []string{printable.Quantity(r.Held, "row")}
	if n := len(r.Missing); n > 0 {
		parts = append(parts, fmt.Sprintf("%d missing: %s", n, statement.Describe(r.Missing, most)))
	}
	if n := len(r.Extra); n > 0 {
		parts = append(parts, fmt.Sprintf("%d that should not be there: %s", n, statement.Describe(r.Extra, most)))
	}
	if r.Order != "" {
		parts = append(parts, r.Order)
	}
	return strings.Join(parts, "\n")
}

// wrong counts the rows that are missing and those that should not be there, with one of them by the date that the
// export is about.
func (r Rows) wrong() string {
	var wrong []string
	if n := len(r.Missing); n > 0 {
		wrong = append(wrong, printable.Quantity(n, "row")+" missing")
	}
	if n := len(r.Extra); n > 0 {
		what := cmp.Or(r.Strange, "row too many")
		if n > 1 {
			what = strings.Replace(what, "row", "rows", 1)
		}
		wrong = append(wrong, fmt.Sprintf("%d %s", n, what))
	}
	for _, q := range slices.Concat(r.Missing, r.Extra)[:min(1, len(r.Missing)+len(r.Extra))] {
		dated := strings.Replace("dated "+r.date(q), "dated without", "without", 1)
		if len(r.Missing)+len(r.Extra) > 1 {
			dated = "the first " + dated
		}
		if len(r.Cause)+len(dated) < longCause {
			wrong = append(wrong, dated)
		}
	}
	return strings.Join(wrong, ", ")
}

// longCause is a cause that leaves no room in a headline for a date.
const longCause = 75

func (r Rows) date(q statement.Quote) string {
	key := cmp.Or(r.Key, statement.CreatedAt)
	return cmp.Or(clip(q.Moment(key).Text, 40), "without "+string(key))
}

// astray is a table of rows that the export lacks, and of those that it should not hold: a few of each.
func (r Rows) astray() (rows []record.Row) {
	const each = 3
	for _, q := range r.Missing[:min(len(r.Missing), each)] {
		rows = append(rows, record.Row{Date: r.date(q), Expected: true})
	}
	for _, q := range r.Extra[:min(len(r.Extra), each)] {
		rows = append(rows, record.Row{Date: r.date(q), Found: true})
	}
	return rows
}
