package export_test

import (
	"slices"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/reports/record"
)

// A defect that only some requests meet is found by a request of that kind, and held against its rule alone.
func TestNarrowDefectsFailTheirRuleOnly(t *testing.T) {
	for fault, rule := range map[string]string{
		"export.default.order_asc_filtered":    "export.default.order",
		"export.default.order_asc_bare":        "export.default.order",
		"export.default.sort_settled_filtered": "export.default.sort",
		"export.default.sort_settled_bare":     "export.default.sort",
		"export.filter.ends_with":              "export.filter.prefix",
		"export.file.first_id_blank":           "export.range.partition", // a row with dates is a quote, whatever its name
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			j := judge(t, reference.Options{Faults: []string{fault}}, nil)
			if failed := j.Failed(); !slices.Equal(failed, []string{rule}) {
				t.Errorf("failed: %v%s", failed, j.Explain(record.Fail, record.Inconclusive))
			}
		})
	}
}
