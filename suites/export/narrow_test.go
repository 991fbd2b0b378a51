package export_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/record"
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
		// a row with dates is a quote, whatever its name
		"export.file.first_id_blank": "export.range.partition",

		"export.success.whole_seconds_rejected": "export.success",
		"export.range.digits_as_milliseconds":   "export.range.precision",
		"export.range.another_day":              "export.range.offset",
		"export.range.asc_by_created":           "export.range.follows_sort",
		"export.range.alone_by_created":         "export.range.follows_sort",
		"export.range.wallet_by_created":        "export.range.follows_sort",
		"export.range.start_alone_ignored":      "export.range.open",
		"export.range.end_alone_ignored":        "export.range.open",
		"export.range.undated_kept":             "export.range.follows_sort",
		"export.range.undated_vanish":           "export.range.unbounded",
		"export.range.start_drops_the_next":     "export.range.precision",
		"export.filter.client_id.needs_start":   "export.filter.client_id",
		"export.range.undated_kept_before":      "export.range.follows_sort",
		"export.isolation.broken_settled_asc":   "export.isolation",
		"export.wallet.ignored_settled_asc":     "export.wallet.selects",
		"export.isolation.broken":               "export.isolation",
		"export.isolation.main_only":            "export.isolation",
		"export.target.rows_of_both":            "export.target.rows",
		"export.target.own_rows_of_both":        "export.target.own_rows",
		"export.header.default_product_is_all":  "export.header.default_product",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			failOnly(t, judge(t, reference.Options{Faults: []string{fault}}, nil), rule)
		})
	}
}

// What explains the rows of one defect hides no other one, and is said in so many words.
func TestDefectsAreNamed(t *testing.T) {
	for headline, faults := range map[string][]string{
		"Bounds are read as UTC, whatever their offset": {"export.range.offset_ignored"},
		"rows? of another wallet":                       {"export.default.sort_settled", "export.default.wallet.all_by_api_key"},
	} {
		t.Run(headline, func(t *testing.T) {
			t.Parallel()
			text := judge(t, reference.Options{Faults: faults}, nil).Explain(record.Fail)
			if !regexp.MustCompile(headline).MatchString(text) {
				t.Error(text)
			}
		})
	}
}

// Bounds are chosen so that an offset which is ignored shows, whatever quotes there are.
func TestIgnoredOffsetsShowInAnyData(t *testing.T) {
	const fault, rule = "export.range.offset.broken_by_settled", "export.range.offset"
	for seed := range int64(8) {
		j := judgeBehind(t, reference.Options{Seed: 21 + seed, Faults: []string{fault}}, nil, nil, rule)
		if j.Explain(record.Fail) == "" {
			t.Errorf("seed %d: nothing failed", 21+seed)
		}
	}
}

// Whatever replay protection compares: exports that are not about it are told apart by their bodies.
func TestReplayProtectionIsInNoOtherRulesWay(t *testing.T) {
	for _, faults := range [][]string{
		{"replay.schema_ignored"},
		{"replay.schema_ignored", "export.range.end_inclusive"},
	} {
		j := judge(t, reference.Options{Faults: faults}, nil)
		want := []string{"export.range.end_exclusive"}[:len(faults)-1]
		failOnly(t, j, want...)
		if text := j.Explain(record.Inconclusive); text != "" && len(faults) == 1 || strings.Contains(text, "409") {
			t.Error(text)
		}
	}
}

// Where bounds are refused with a fraction and without one, the fraction is not to blame.
func TestBoundsThatAreRefusedEitherWaySayNothingAboutFractions(t *testing.T) {
	for name, c := range map[string]struct {
		refused string // how the bounds that are refused end
		want    record.Verdict
	}{
		"without a fraction only": {`:\d\dZ"`, record.Fail},
		"either way":              {`(:\d\d|\.000)Z"`, record.Inconclusive},
		"neither":                 {`never`, record.Pass},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			end := `":"[^"]*` + c.refused
			refused := regexp.MustCompile(`^\{"date_end` + end + `,"date_start` + end + `\}$`)
			j := judgeBehind(t, reference.Options{}, rebodied(func(body []byte) ([]byte, int) {
				if refused.Match(body) {
					return nil, http.StatusUnprocessableEntity
				}
				return body, 0
			}), nil, "export.success")
			if got := j.Verdicts()["export.success"]; got != c.want {
				t.Errorf("export.success is %s%s", got, j.Explain(record.Fail, record.Inconclusive, record.NotVerified))
			}
		})
	}
}
