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
	Whole   string            // the same of a window too large to be compared row by row; empty: nothing
	Refused string            // how the export was answered where it should have been accepted; empty: it was accepted
	Key     statement.Key     // the date that it is about; empty: quote_created_at
	Strange string            // what the rows that should not be there are; empty: "row too many"
	Instead string            // what it holds instead, as a whole; empty: missing and extra rows say it
	Cause   string            // what the deployment was proven to do that explains the rows: "ignores the end"
	Shared  string            // the defect that rules about other things show as well; empty: none is known
	Beside  []record.Row      // around the bound that it is about
	Moot    string            // why nothing could be compared, which the rule's other specs do; empty: it could
}

// Right reports whether the export holds what it should.
func (r Rows) Right() bool {
	return len(r.Missing) == 0 && len(r.Extra) == 0 && r.Order == "" && r.Whole == "" && r.Refused == ""
}

// Found says what the export holds instead of what it should, naming a few rows by identity and dates.
func (r Rows) Found() string {
	const most = 3
	if r.Refused != "" {
		return "the export was not accepted: " + r.Refused
	}
	parts := []string{printable.Quantity(r.Held, "row")}
	if n := len(r.Missing); n > 0 {
		parts = append(parts, fmt.Sprintf("%d missing: %s", n, statement.Describe(r.Missing, most)))
	}
	if n := len(r.Extra); n > 0 {
		parts = append(parts, fmt.Sprintf("%d that should not be there: %s", n, statement.Describe(r.Extra, most)))
	}
	for _, whole := range []string{r.Order, r.Whole, r.Instead} {
		if whole != "" {
			parts = append(parts, whole)
		}
	}
	return strings.Join(parts, "\n")
}

// HoldItsRows holds for Rows that are Right.
func HoldItsRows() Matcher {
	return matcher[Rows]{right: Rows.Right, finding: func(r Rows) record.Finding {
		f := record.Finding{
			Subject: strings.TrimPrefix(r.Export, "the "), Cause: cmp.Or(r.Cause, r.Shared), Expected: r.Should,
			Want: r.Should, Actual: r.Found(), Rows: r.beside(),
		}
		switch wrong := r.wrong(); {
		case r.Refused != "":
			f.Outcome, f.Got = record.Refused, r.Refused
		case r.Instead != "":
			f.Got, f.Want = r.Instead, ""
		case wrong != "":
			f.Got, f.Want = wrong, ""
		case r.Whole != "":
			f.Got = r.Whole
		default:
			f.Outcome, f.Got = record.OutOfOrder, r.Order
		}
		return f
	}}
}

// wrong counts the rows that are missing and those that should not be there, with one of them by the date that the
// export is about.
func (r Rows) wrong() string {
	var wrong []string
	if n := len(r.Missing); n > 0 {
		wrong = append(wrong, printable.Quantity(n, "row")+" missing")
	}
	if n := len(r.Extra); n > 0 {
		wrong = append(wrong, fmt.Sprintf("%d %s", n, plural(cmp.Or(r.Strange, "row too many"), n)))
	}
	for _, q := range slices.Concat(r.Missing, r.Extra)[:min(1, len(r.Missing)+len(r.Extra))] {
		dated := map[bool]string{true: "the first "}[len(r.Missing)+len(r.Extra) > 1] + r.dated(q)
		if len(r.Cause)+len(dated) < longCause {
			wrong = append(wrong, dated)
		}
	}
	return strings.Join(wrong, ", ")
}

// longCause is a cause that leaves no room in a headline for a date.
const longCause = 75

func plural(what string, n int) string {
	if n == 1 {
		return what
	}
	return strings.Replace(what, "row", "rows", 1)
}

func (r Rows) dated(q statement.Quote) string {
	key := cmp.Or(r.Key, statement.CreatedAt)
	if m := q.Moment(key); !m.Empty && m.Text != "" {
		return "dated " + clip(m.Text, 40)
	}
	return "without " + string(key)
}

// beside is the table of a bound. Where none of its rows is wrong, such as where those without a date are, wrong ones
// are added.
func (r Rows) beside() []record.Row {
	wrong := func(row record.Row) bool { return row.Expected != row.Found }
	if len(r.Beside) == 0 || slices.ContainsFunc(r.Beside, wrong) {
		return r.Beside
	}
	return slices.Concat(r.Beside, Astray(r.Missing, r.Extra, r.Key))
}

// Astray lists rows that an export lacks, and rows that it should not hold, for a table: a few of each.
func Astray(missing, extra []statement.Quote, key statement.Key) (rows []record.Row) {
	const each = 3
	key = cmp.Or(key, statement.CreatedAt)
	date := func(q statement.Quote) string { return cmp.Or(clip(q.Moment(key).Text, 40), "no "+string(key)) }
	for _, q := range missing[:min(len(missing), each)] {
		rows = append(rows, record.Row{Date: date(q), Expected: true})
	}
	for _, q := range extra[:min(len(extra), each)] {
		rows = append(rows, record.Row{Date: date(q), Found: true})
	}
	return rows
}
