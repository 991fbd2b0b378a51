package export_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/record"
)

const byKey, byLanguage = "export.method.same_rows", "export.header.language.rows"

// A language decides nothing about the rows, nor does the API key where it is our own.
func TestRowsBesideWhatMakesNoDifference(t *testing.T) {
	for fault, c := range map[string]struct{ rule, says string }{
		"export.method.same_rows.some_lost_by_api_key": {byKey, "Export by the API key: 10 rows missing"},
		"export.target.own_rows.shared_by_api_key":     {"export.target.own_rows", "rows of another user"},
		"export.header.language.rows.some_lost_in_english": {
			byLanguage, "Export with x-lang en-US: 10 rows missing",
		},
		"export.header.language.rows.some_lost_in_portuguese": {
			byLanguage, "Export with x-lang pt-BR: 10 rows missing",
		},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			j := judge(t, reference.Options{Faults: []string{fault}}, nil)
			failOnly(t, j, c.rule)
			if text := j.Explain(record.Fail); !strings.Contains(text, c.says) {
				t.Errorf("expected %q in%s", c.says, text)
			}
		})
	}
}

// What is not known to be our own key may be that of a user with other quotes.
func TestTheKeyOfAColleague(t *testing.T) {
	for fault, rule := range map[string]string{
		"": "",
		"export.method.same_rows.some_lost_by_api_key": byKey,
		"export.target.own_rows.shared_by_api_key":     "export.target.own_rows " + byKey,
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			o := reference.Options{Choices: reference.Choices{Readings: []string{"key-of-colleague"}}}
			if fault != "" {
				o.Faults = []string{fault}
			}
			j := judge(t, o, nil)
			j.None(t, record.Fail, record.Inconclusive)
			text := j.Explain(record.NotVerified)
			for _, id := range strings.Fields(rule) {
				if !strings.Contains(text, id) {
					t.Errorf("%s has a verdict:%s", id, text)
				}
			}
			if rule == "" && text != "" {
				t.Error(text)
			}
		})
	}
}

// What a language changes about titles, or about how dates read, is not documented.
func TestALanguageOfTitlesAndDates(t *testing.T) {
	english := func(h http.Header, _ bool) bool { return h.Get("x-lang") == "en-US" }
	for name, change := range map[string]func(row []string) []string{
		"dates": func(row []string) []string {
			for i, text := range row {
				if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
					row[i] = at.AddDate(0, 1, 0).Format(time.RFC3339Nano)
				}
			}
			return row
		},
		"titles": func(row []string) []string {
			for i, text := range row {
				if text == "quote_created_at" || text == "settled_date" || text == "id" {
					row[i] = "the " + text
				}
			}
			return row
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &confused{when: english, rewrite: cells(t, change)}
			j := c.judge(t, nil)
			j.None(t, record.Fail, record.Inconclusive)
			lossy := &confused{when: english, rewrite: cells(t, func(row []string) []string {
				if row[0] != "id" && row[0] < "1" {
					return nil
				}
				return change(row)
			})}
			var failed []string // whose titles are unknown cannot be compared
			if name == "dates" {
				failed = []string{byLanguage}
			}
			failOnly(t, lossy.judge(t, nil), failed...)
		})
	}
}
