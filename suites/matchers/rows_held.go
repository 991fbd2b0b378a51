package matchers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/statement"
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
	Whole   string            // the same of a window too large to be compared row by row; empty: nothing
	Refused string            // how the export was answered where it should have been accepted; empty: it was accepted
	Key     statement.Key     // the date that it is about; empty: quote_created_at
	Strange string            // what the rows that should not be there are; empty: "rows too many"
	Instead string            // what it holds instead, as a whole; empty: missing and extra rows say it
	Cause   string            // what the deployment was proven to do that explains the rows: "ignores the end"
	Shared  string            // the defect that rules about other things show as well; empty: none is known
	Beside  []spec.Row        // around the bound that it is about
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
	var parts []string
	if len(r.Missing) > 0 {
		parts = append(parts, fmt.Sprintf("%d missing: %s", len(r.Missing), statement.Describe(r.Missing, most)))
	}
	if len(r.Extra) > 0 {
		parts = append(parts, fmt.Sprintf("%d that should not be there: %s", len(r.Extra),
			statement.Describe(r.Extra, most)))
	}
	if r.Order != "" {
		parts = append(parts, r.Order)
	}
	for _, whole := range []string{r.Whole, r.Instead} {
		if whole != "" {
			parts = append(parts, whole)
		}
	}
	held := fmt.Sprintf("%d rows", r.Held)
	if r.Held == 1 {
		held = "1 row"
	}
	if len(parts) == 0 {
		return held + ", as expected"
	}
	return held + "; " + strings.Join(parts, "; ")
}

// HoldItsRows holds for Rows that are Right.
func HoldItsRows() types.GomegaMatcher {
	return matcher[Rows]{right: Rows.Right, finding: func(r Rows) (string, string, string) {
		spec.Beside(r.beside())
		spec.Because(cmp.Or(r.Cause, r.Shared))
		return r.headline(), r.Should, r.Found()
	}}
}

// beside is the table of a bound. Where none of its rows is wrong, such as where those without a date are, wrong ones
// are added.
func (r Rows) beside() []spec.Row {
	wrong := func(row spec.Row) bool { return row.Expected != row.Found }
	if len(r.Beside) == 0 || slices.ContainsFunc(r.Beside, wrong) {
		return r.Beside
	}
	return slices.Concat(r.Beside, Astray(r.Missing, r.Extra, r.Key))
}

// Astray lists rows that an export lacks, and rows that it should not hold, for a table: a few of each.
func Astray(missing, extra []statement.Quote, key statement.Key) (rows []spec.Row) {
	const each = 3
	key = cmp.Or(key, statement.CreatedAt)
	date := func(q statement.Quote) string { return cmp.Or(clip(q.Moment(key).Text, 40), "no "+string(key)) }
	for _, q := range missing[:min(len(missing), each)] {
		rows = append(rows, spec.Row{Date: date(q), Expected: true})
	}
	for _, q := range extra[:min(len(extra), each)] {
		rows = append(rows, spec.Row{Date: date(q), Found: true})
	}
	return rows
}

// headline names the defect where it was proven, else the export, and then the rows.
func (r Rows) headline() string {
	subject, _, _ := strings.Cut(strings.TrimPrefix(r.Export, "the "), " (")
	subject = spec.Capital(subject)
	if r.Cause != "" {
		subject = "The deployment " + r.Cause
	}
	switch {
	case r.Refused != "":
		expected := "its file"
		if strings.HasPrefix(r.Should, "no row") {
			expected = r.Should
		}
		return spec.Sentence(subject, " not accepted: "+r.Refused+", expected "+expected)
	case r.Instead != "" && !r.Right():
		return spec.Sentence(subject, ": "+r.Instead)
	case len(r.Missing)+len(r.Extra) == 0 && r.Whole != "":
		return spec.Sentence(subject, ": "+r.Whole+", expected "+r.Should)
	case len(r.Missing)+len(r.Extra) == 0:
		where, _, _ := strings.Cut(r.Order, ", ")
		if _, throughout, ok := strings.Cut(where, " and "); ok { // "reversed throughout": which line shows it first is a detail
			return spec.Sentence(subject, " is "+throughout+", expected "+r.Should)
		}
		return spec.Sentence(subject, " is out of order"+strings.TrimRight(" "+where, " ")+", expected "+r.Should)
	}
	var wrong []string
	if n := len(r.Missing); n > 0 {
		wrong = append(wrong, rowsOf(n, "row")+" missing")
	}
	if n := len(r.Extra); n > 0 {
		wrong = append(wrong, rowsOf(n, cmp.Or(r.Strange, "row too many"))+r.undated())
	}
	rest := ": " + strings.Join(wrong, ", ")
	dated := len(r.Missing) > 0 || r.undated() == ""
	if whole := rest + ", " + r.example(); dated && utf8.RuneCountInString(subject+whole) <= spec.HeadlineLimit {
		rest = whole
	}
	return spec.Sentence(subject, rest)
}

// undated says that no row which should not be there has the date that the export is about.
func (r Rows) undated() string {
	dated := func(q statement.Quote) bool { return !q.Moment(r.Key).Empty }
	if r.Key == "" || len(r.Extra) == 0 || slices.ContainsFunc(r.Extra, dated) {
		return ""
	}
	return " without " + string(r.Key)
}

// rowsOf writes a number of rows: "3 rows too many".
func rowsOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %s", n, strings.Replace(what, "row", "rows", 1))
}

// example is one of the wrong rows by the date that the export is about.
func (r Rows) example() string {
	all := slices.Concat(r.Missing, r.Extra)
	m := all[0].Moment(cmp.Or(r.Key, statement.CreatedAt))
	dated := "dated " + clip(m.Text, 40)
	if m.Empty || m.Text == "" {
		dated = "without a date"
	}
	if len(all) == 1 {
		return dated
	}
	return "the first " + dated
}
