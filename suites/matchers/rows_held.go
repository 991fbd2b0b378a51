package matchers

import (
	"fmt"
	"strings"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/statement"
)

// Rows is what an export was found to hold, beside what it should hold.
type Rows struct {
	Export  string            // what was exported, in a few words: "the export from 2025-01-02T03:04:05Z"
	Should  string            // what it should hold: "every row dated on the start or later, and no other"
	Held    int               // how many rows it holds
	Missing []statement.Quote // should be there and are not
	Extra   []statement.Quote // are there and should not be
	Order   string            // what breaks the order; empty: nothing
	Refused string            // how the export was answered where it should have been accepted; empty: it was accepted
}

// Right reports whether the export holds what it should.
func (r Rows) Right() bool {
	return len(r.Missing) == 0 && len(r.Extra) == 0 && r.Order == "" && r.Refused == ""
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
		parts = append(parts, fmt.Sprintf("%d that should not be there: %s", len(r.Extra), statement.Describe(r.Extra, most)))
	}
	if r.Order != "" {
		parts = append(parts, r.Order)
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
		what := "does not hold the right rows"
		switch {
		case r.Refused != "":
			what = "was not accepted"
		case len(r.Missing)+len(r.Extra) == 0:
			what = "is not in order"
		}
		return r.Export + " " + what, r.Should, r.Found()
	}}
}
