package export_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/record"
)

// A defect that shows wherever bounds are given is held against the rules that it breaks, and named where it shows.
func TestBroadDefectsFailTheirRulesOnly(t *testing.T) {
	for faults, want := range map[string]struct {
		failed []string
		says   string
	}{
		"export.range.end_inclusive":   {[]string{"export.range.end_exclusive"}, "keeps rows dated on the end"},
		"export.range.start_exclusive": {[]string{"export.range.start_inclusive"}, "drops rows dated on the start"},
		"export.range.start_ignored":   {[]string{"export.range.start_inclusive"}, "ignores the start"},
		"export.range.end_ignored":     {[]string{"export.range.end_exclusive"}, "ignores the end"},
		"export.range.bounds_ignored": {[]string{
			"export.range.start_inclusive",
			"export.range.end_exclusive",
		}, "ignores both bounds"},
		"export.range.start_exclusive export.range.end_inclusive": {[]string{
			"export.range.start_inclusive",
			"export.range.end_exclusive",
		}, "on the start and keeps"},
		"export.range.three_hours_off": {[]string{
			"export.range.start_inclusive",
			"export.range.end_exclusive",
		}, "3h off, as in another time zone"},
		"export.range.whole_days":       {[]string{"export.range.precision"}, "cuts bounds to whole days"},
		"export.range.dates_in_seconds": {[]string{"export.range.precision"}, "to whole seconds"},
		"export.range.always_settled": {
			[]string{"export.range.follows_sort"},
			"applies bounds to settled_date whatever the sort",
		},
		"export.range.fifty_rows": {[]string{"export.range.partition"}, "cuts files after 50 rows"},
		"export.range.ties_lost":  {[]string{"export.range.partition"}, "loses rows"},
	} {
		t.Run(faults, func(t *testing.T) {
			t.Parallel()
			j := judge(t, reference.Options{Faults: strings.Fields(faults)}, nil)
			failOnly(t, j, want.failed...)
			if text := j.Explain(record.Inconclusive); !strings.Contains(text, want.says) ||
				!strings.Contains(text, "see "+strings.Join(want.failed, " and ")) {
				t.Errorf("expected %q in%s", want.says, text)
			}
		})
	}
}

// What no single defect explains is held against every rule that sees it, and a defect that shows in one place only
// against the rule of that place.
func TestNothingIsExplainedAway(t *testing.T) {
	for faults, want := range map[string][]string{
		"export.range.end_inclusive export.range.always_created": {
			"export.range.end_exclusive",
			"export.range.follows_sort",
		},
		"export.range.start_alone_ignored":                  {"export.range.open"},
		"export.range.equal_bounds_inclusive":               {"export.range.empty"},
		"export.range.end_inclusive export.filter.one_lost": {"export.range.end_exclusive", "export.filter.client_id"},
		"export.range.end_inclusive export.order.ignored":   {"export.range.end_exclusive", "export.order.asc"},
	} {
		t.Run(faults, func(t *testing.T) {
			t.Parallel()
			failed := judge(t, reference.Options{Faults: strings.Fields(faults)}, nil).Failed()
			for _, rule := range want {
				if !slices.Contains(failed, rule) {
					t.Errorf("%s did not fail: %v", rule, failed)
				}
			}
		})
	}
}

// Where the dates of the file carry no offset, the zone may be mistaken in the deployment file.
func TestAZoneThatIsMistaken(t *testing.T) {
	j := judge(t, reference.Options{Choices: reference.Choices{CSV: reference.CSV{Dates: reference.Zoneless}}},
		func(yaml string) string {
			return strings.Replace(yaml, `time_zone: "America/Sao_Paulo"`, `time_zone: "UTC"`, 1)
		})
	if text := j.Explain(record.Inconclusive); len(j.Failed()) > 0 ||
		!strings.Contains(text, "check export.csv.time_zone") {
		t.Errorf("failed: %v%s%s", j.Failed(), j.Explain(record.Fail), text)
	}
}

// A rule that is asked about alone names what explains its rows, too.
func TestOneRuleAlone(t *testing.T) {
	j := judgeBehind(t, reference.Options{Faults: []string{"export.range.end_inclusive"}}, nil, nil,
		"export.range.follows_sort")
	if text := j.Explain(record.Inconclusive); len(j.Failed()) > 0 ||
		!strings.Contains(text, "see export.range.end_exclusive") {
		t.Errorf("failed: %v%s", j.Failed(), text)
	}
}
