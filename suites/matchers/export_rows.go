package matchers

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// ExportRows is what an export was found to hold, beside what it should hold.
type ExportRows struct {
	// what was exported, in a few words: "the export from 2025-01-02T03:04:05Z"
	Export string
	// what it should hold: "every row dated on the start or later, and no other"
	Expectation    string
	RowCount       int                 // how many rows it holds
	Missing        []statement.Quote   // should be there and are not
	Extra          []statement.Quote   // are there and should not be
	OrderViolation string              // what breaks the order; empty: nothing
	SortKey        statement.ColumnKey // the date that it is about; empty: quote_created_at
	// what the rows that should not be there are; empty: "too many"
	ExtraDescription string
	// what the deployment was proven to do that explains the rows: "ignores the end"
	Cause string

	Condition []record.FactorValue // without which they are right
	// the first two rows that stand in the wrong order, as they should; none: it is not known
	Inverted []statement.Quote
	Evidence spec.Evidence // without a sign, that follows from the rows
	// what it should hold follows from exports that contradict each other: rows of this one alone are
	// no sign
	Contradictory bool
	MayBeRefused  bool // the deployment may refuse the export instead
}

// AreExpected reports whether the export holds what it should.
func (r ExportRows) AreExpected() bool {
	return len(r.Missing) == 0 && len(r.Extra) == 0 && r.OrderViolation == ""
}

// HoldExpectedRows holds for ExportRows that AreExpected.
func HoldExpectedRows() Matcher {
	return newMatcher(ExportRows.AreExpected, func(r ExportRows) (record.Finding, spec.Evidence) {
		missing, extra := r.rowTable(r.Missing, true), r.rowTable(r.Extra, false)
		f := record.Finding{
			Subject: strings.TrimPrefix(r.Export, "the "), Cause: r.Cause, Rows: append(missing, extra...),
			Got:       r.describeDifference(),
			Expected:  r.describeRows(r.RowCount+len(r.Missing)-len(r.Extra), missing, extra),
			Actual:    r.describeRows(r.RowCount, extra, missing),
			Condition: r.Condition,
		}
		if len(f.Rows) == 0 {
			f.Outcome, f.Want, f.Expected, f.Actual = outcome.OutOfOrder,
				r.Expectation, r.Expectation, r.OrderViolation
			if len(r.Inverted) == 2 {
				in := r.rowTable(r.Inverted, true)
				f.Expected, f.Actual = describeOrder(in[0], in[1]), describeOrder(in[1], in[0])
			}
		}
		if r.Evidence.Sign == nil && !r.Contradictory {
			r.Evidence.Sign = r.scriptExpectation()
		}
		return f, r.Evidence
	})
}

// describeRows says how many rows an export holds, and names some that it holds, and some that it
// does not.
func (r ExportRows) describeRows(rows int, with, without []record.ExportRow) string {
	text := printable.Quantity(rows, "row")
	for i, some := range [][]record.ExportRow{with, without} {
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

func describeOrder(first, second record.ExportRow) string {
	return fmt.Sprintf("%s dated %s ahead of %s dated %s", first.ID, first.Date, second.ID,
		second.Date)
}

// scriptExpectation is what a file that holds its rows shows; nil: rows without an ID cannot be
// looked for.
func (r ExportRows) scriptExpectation() reproscript.Expectation {
	named := func(all []statement.Quote) (ids []string) {
		for _, q := range all[:min(len(all), maxNamedRows)] {
			if !q.IdentityIsJoined {
				ids = append(ids, q.Identity)
			}
		}
		return ids
	}
	expectation := reproscript.ExpectRows{Refused: r.MayBeRefused, With: named(r.Missing)}
	for _, q := range r.Extra[:min(len(r.Extra), maxNamedRows)] {
		if !q.IdentityIsJoined { // with other dates it may well be there
			expectation.Without, expectation.With = append(expectation.Without, q.Marks()), nil
		}
	}
	if len(expectation.With)+len(expectation.Without) == 0 {
		order := named(r.Inverted)
		if len(order) < 2 {
			return nil
		}
		expectation.Order = [2]string(order)
	}
	return expectation
}

// maxNamedRows is how many rows are named.
const maxNamedRows = 3

// describeDifference counts the rows that are missing and those that should not be there, or says
// what breaks the order.
func (r ExportRows) describeDifference() string {
	var wrong []string
	if n := len(r.Missing); n > 0 {
		wrong = append(wrong, printable.Quantity(n, "row")+" missing")
	}
	if n := len(r.Extra); n > 0 {
		wrong = append(wrong, printable.Quantity(n, "row")+" "+cmp.Or(r.ExtraDescription, "too many"))
	}
	return cmp.Or(strings.Join(wrong, ", "), r.OrderViolation)
}

// rowTable shows a few rows, each with the date that the export is about. Those without an ID are
// named by their line, so that no other cell ever shows.
func (r ExportRows) rowTable(quotes []statement.Quote, expected bool) (rows []record.ExportRow) {
	key := cmp.Or(r.SortKey, statement.ColumnCreatedAt)
	for _, q := range quotes[:min(len(quotes), maxNamedRows)] {
		row := record.ExportRow{
			ID: fmt.Sprintf("line %d", q.Row.Line), Expected: expected, Found: !expected,
			Date: cmp.Or(printable.Clean(printable.TruncateAtSpace(q.DateFor(key).Text, 40)),
				"without "+string(key)),
		}
		if !q.IdentityIsJoined {
			row.ID = printable.Clean(printable.TruncateAtSpace(q.Identity, 64))
		}
		rows = append(rows, row)
	}
	return rows
}
