package export_test

import (
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/record"
)

// How a file writes dates is not documented. Dates in an unknown notation fail no rule, and the
// reasons show the text that could not be read.
func TestDatesInAnUnknownNotationLeaveRulesUnverified(t *testing.T) {
	const layout = "01/02/2006 03:04:05.000 PM" // months first
	j := judgeRewritten(t, reference.Options{}, dateCells(t, formatted(func(at time.Time) string {
		return at.Format(layout)
	})), nil)
	j.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved, record.VerdictNotVerified)
	for _, rule := range []string{
		"export.range.partition", "export.filter.client_id", "export.order.asc",
	} {
		testmust.Equal(t, j.Verdicts()[rule], record.VerdictNotVerified, rule)
	}
	testmust.Contain(t, j.Explain(record.VerdictNotVerified),
		`in the column "quote_created_at", are in a notation that cannot be read, such as "`)
}
