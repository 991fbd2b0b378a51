package export_test

import (
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/record"
)

// Of a window that is compared in a part, the same defects fail the same rules, and its files that are kept in part
// accuse nobody.
func TestDefectsInALargeWindow(t *testing.T) {
	for fault, rule := range map[string]string{
		"export.range.end_inclusive":  "export.range.end_exclusive",
		"export.range.start_ignored":  "export.range.start_inclusive",
		"export.range.whole_seconds":  "export.range.precision",
		"export.range.always_created": "export.range.follows_sort",
		"export.range.first_row_lost": "export.range.partition",
		"export.isolation.main_only":  "export.isolation",
		// which leaves nothing of a part that is shorter than a day
		"export.range.whole_days": "export.range.partition",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			failOnly(t, judge(t, reference.Options{Faults: []string{fault}, Quotes: 20_000}, nil), rule)
		})
	}
	t.Run("none", func(t *testing.T) {
		t.Parallel()
		j := judge(t, reference.Options{Quotes: 20_000}, nil)
		failOnly(t, j)
		if text := j.Explain(record.Inconclusive); text != "" {
			t.Error(text)
		}
	})
}

// Rows that should not be there are a finding, however far the file goes on.
func TestAPartThatGoesOnBeyondWhatIsRead(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a gateway with very many quotes")
	}
	opts := reference.Options{Faults: []string{"export.range.undated_kept"}, Quotes: 100_000}
	failOnly(t, judge(t, opts, nil), "export.range.follows_sort")
}
