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

// ExportRows compares the rows of an export with the rows that it should hold.
type ExportRows struct {
	// the export in a few words: "the export from 2025-01-02T03:04:05Z"
	Export string
	// rows that it should hold: "every row dated on the start or later, and no other"
	Expectation    string
	RowCount       int                 // number of rows in the file
	Missing        []statement.Quote   // expected rows that are not in the file
	Extra          []statement.Quote   // rows in the file that are not expected
	OrderViolation string              // first violation of the order; empty: none
	SortKey        statement.ColumnKey // date column of the comparison; empty: quote_created_at
	// description of Extra; empty: "too many"
	ExtraDescription string
	// proven behaviour of the deployment that explains the rows: "ignores the end"
	Cause string

	Condition []record.FactorValue // condition without which the rows are right
	// the first two rows in the wrong order, in the right order; empty: unknown
	Inverted []statement.Quote
	Evidence spec.Evidence // the Sign may be nil: it is then derived from the rows
	// the expected rows come from exports that contradict each other, so the rows of this export
	// alone show nothing
	Contradictory bool
	MayBeRefused  bool // the deployment may also refuse the export
	InPart        bool // other rows are wrong for another cause, so the number of rows shows nothing
}

// AreExpected reports whether the export holds the expected rows in the right order.
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

// describeRows returns the number of rows, with some rows that the file holds and some that it
// does not.
func (r ExportRows) describeRows(rows int, with, without []record.ExportRow) string {
	var parts []string
	if !r.InPart {
		parts = append(parts, printable.Quantity(rows, "row"))
	}
	for i, some := range [][]record.ExportRow{with, without} {
		var named []string
		for _, row := range some {
			named = append(named, row.ID+" dated "+row.Date)
		}
		if len(named) > 0 {
			parts = append(parts, [...]string{"with ", "without "}[i]+strings.Join(named, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

func describeOrder(first, second record.ExportRow) string {
	return fmt.Sprintf("%s dated %s ahead of %s dated %s", first.ID, first.Date, second.ID,
		second.Date)
}

// scriptExpectation returns what a correct file shows; nil: rows without an ID cannot be searched
// for.
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
		if !q.IdentityIsJoined { // a row with this ID but other dates may be expected
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

const maxNamedRows = 3

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

// rowTable returns the first rows with the date of the comparison. Rows without an ID get their
// line number, so that no other cell is shown.
func (r ExportRows) rowTable(quotes []statement.Quote, expected bool) (rows []record.ExportRow) {
	key := cmp.Or(r.SortKey, statement.ColumnCreatedAt)
	for _, q := range quotes[:min(len(quotes), maxNamedRows)] {
		row := record.ExportRow{
			ID: fmt.Sprintf("line %d", q.Line), Expected: expected, Found: !expected,
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
