package export_test

import (
	"slices"
	"strings"
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
		"export.order.ignored_filtered":        "export.order.asc",
		"export.order.asc_filtered":            "export.order.desc",
		"export.filter.ends_with":              "export.filter.prefix",
		"export.file.first_id_blank":           "export.range.partition", // a row with dates is a quote, whatever its name

		"export.success.whole_seconds_rejected": "export.success",
		"export.range.digits_as_milliseconds":   "export.range.precision",
		"export.range.another_day":              "export.range.offset",
		"export.range.asc_by_created":           "export.range.follows_sort",
		"export.range.alone_by_created":         "export.range.follows_sort",
		"export.range.wallet_by_created":        "export.range.follows_sort",
		"export.range.undated_kept":             "export.range.follows_sort",
		"export.range.undated_kept_before":      "export.range.follows_sort",
		"export.isolation.broken_settled_asc":   "export.isolation",
		"export.wallet.ignored_settled_asc":     "export.wallet.selects",
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

// Whatever replay protection compares: exports that are not about it are told apart by their bodies.
func TestReplayProtectionIsInNoOtherRulesWay(t *testing.T) {
	for _, faults := range [][]string{{"replay.schema_ignored"}, {"replay.schema_ignored", "export.range.end_inclusive"}} {
		j := judge(t, reference.Options{Faults: faults}, nil)
		want := []string{"export.range.end_exclusive"}[:len(faults)-1]
		if failed := j.Failed(); !slices.Equal(failed, want) {
			t.Errorf("failed: %v%s", failed, j.Explain(record.Fail))
		}
		if text := j.Explain(record.Inconclusive); text != "" && len(faults) == 1 || strings.Contains(text, "409") {
			t.Error(text)
		}
	}
}
