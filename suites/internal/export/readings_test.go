package export_test

import (
	"encoding/csv"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/suitetest"
	"github.com/gateassay/gateassay/suites/record"
)

// judgeRewritten runs the suite against a reference gateway whose files rewrite changes. n
// counts the files.
func judgeRewritten(t *testing.T, o reference.Options, rewrite func(n int, text string) string,
	edit func(yaml string) string,
) suitetest.SuiteResult {
	t.Helper()
	var files atomic.Int64
	return judgeBehind(t, o, rewriting(func(answer *httptest.ResponseRecorder) []byte {
		if !isFile(answer) {
			return nil
		}
		return []byte(rewrite(int(files.Add(1)), answer.Body.String()))
	}), edit)
}

// cells rewrites the rows of a file, including its titles. change returns nil to drop a row.
func cells(t *testing.T, change func(row []string) []string) func(int, string) string {
	return func(_ int, text string) string {
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Error(err)
		}
		var out strings.Builder
		w := csv.NewWriter(&out)
		for _, row := range rows {
			if row = change(row); row == nil {
				continue
			}
			if err := w.Write(row); err != nil {
				t.Error(err)
			}
		}
		w.Flush()
		return out.String()
	}
}

// dateCells rewrites the dates of a file and their titles.
func dateCells(t *testing.T, change func(date string) string) func(int, string) string {
	return cells(t, func(row []string) []string {
		row[3], row[4] = change(row[3]), change(row[4])
		return row
	})
}

// formatted rewrites a date by its instant.
func formatted(format func(at time.Time) string) func(date string) string {
	return func(date string) string {
		if at, err := time.Parse(time.RFC3339Nano, date); err == nil {
			return format(at)
		}
		return date
	}
}

// withoutTitles removes the columns from the deployment file.
func withoutTitles(yaml string) string {
	return regexp.MustCompile(`(?m)^  csv:\n(    .*\n)*`).ReplaceAllString(yaml, "")
}

// shownIn truncates the dates of files to whole units.
func shownIn(t *testing.T, unit string) func(int, string) string {
	digits := map[string]string{
		"seconds": `\.\d{3}Z`, "minutes": `:\d\d\.\d{3}Z`, "days": `T.*Z`,
	}[unit]
	dropped, end := regexp.MustCompile(digits), "Z"
	if unit == "days" {
		end = ""
	}
	return dateCells(t, func(date string) string { return dropped.ReplaceAllString(date, end) })
}

// inUTC sets the zone of dates without an offset.
func inUTC(yaml string) string {
	return strings.Replace(yaml, "  csv:\n", "  csv:\n    time_zone: UTC\n", 1)
}

// A file may show dates with fewer digits than they have. Bounds that are cut to a coarser unit
// than the file shows fail; nothing is said about finer ones.
func TestBoundsAreAsFineAsAFileThatShowsLess(t *testing.T) {
	for _, c := range []struct {
		unit, fault string
		fails       bool
	}{
		{"minutes", "export.range.whole_days", true},
		{"days", "export.range.whole_days", false},
		{"seconds", "export.range.whole_seconds", false},
	} {
		t.Run(c.unit+" "+c.fault, func(t *testing.T) {
			t.Parallel()
			j := judgeRewritten(t, reference.Options{Faults: []string{c.fault}}, shownIn(t, c.unit), inUTC)
			want := []string{"export.range.precision"}
			if !c.fails {
				want = nil
			}
			failOnly(t, j, want...)
			if text := j.Explain(record.VerdictNotVerified, record.VerdictInconclusive); !c.fails &&
				text != "" {
				t.Error(text)
			}
		})
	}
}

// settled_date may be shown as a day.
func TestAFileWithDaysIsConformant(t *testing.T) {
	days := cells(t, func(row []string) []string {
		row[4], _, _ = strings.Cut(row[4], "T")
		return row
	})
	zoned := judgeRewritten(t, reference.Options{}, days, inUTC)
	zoned.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved)
}

// Where nothing says in which zone a day is, no window shows what its zone would.
func TestDaysOfAnUnknownZoneAskForTheZone(t *testing.T) {
	days := cells(t, func(row []string) []string {
		row[4], _, _ = strings.Cut(row[4], "T")
		return row
	})
	j := judgeRewritten(t, reference.Options{}, days, nil)
	asked := 0
	for _, c := range j.Checks {
		switch {
		case c.MissingKey == "export.csv.time_zone":
			asked++
		case c.Verdict == record.VerdictFail, c.MissingKey == "fixtures.window":
			t.Errorf("%s: %s %q", c.Rule, c.MissingKey, c.Message)
		}
	}
	if asked == 0 {
		t.Error("expected the run to ask for the zone")
	}
}

// A file may show dates rounded to fewer digits than the deployment compares. A date that seems
// to be on a bound may then be before it.
func TestRoundedDatesLeaveTheBoundsUnverified(t *testing.T) {
	for _, unit := range []time.Duration{10 * time.Millisecond, time.Second} {
		j := judgeRewritten(t, reference.Options{}, dateCells(t, formatted(func(at time.Time) string {
			return at.Round(unit).Format("2006-01-02T15:04:05.99Z07:00")
		})), nil)
		j.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved, record.VerdictNotVerified)
		if got := j.RulesWithVerdict(record.VerdictNotVerified); !slices.Equal(got, []string{
			"export.range.start_inclusive", "export.range.end_exclusive", "export.range.empty",
		}) {
			t.Errorf("not verified: %v%s", got, j.Explain(record.VerdictNotVerified))
		}
	}
}

// Unknown titles are a gap in the deployment file, which the reasons name.
func TestUnknownTitlesLeaveRulesUnverified(t *testing.T) {
	choices := reference.Choices{CSV: reference.CSV{Titles: [5]string{
		"Cotação", "Cliente", "Carteira", "Criada em",
		"Liquidada em",
	}}}
	j := judge(t, reference.Options{Choices: choices}, withoutTitles)
	j.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved, record.VerdictNotVerified)
	verdicts := j.Verdicts()
	for _, rule := range []string{"export.range.partition", "export.order.asc"} {
		testmust.Equal(t, verdicts[rule], record.VerdictNotVerified, rule)
	}
	for _, r := range j.Checks {
		if r.Rule == "export.range.partition" && r.MissingKey != "export.csv.columns" {
			t.Errorf("need %q, message %q", r.MissingKey, r.Message)
		}
	}
	const observed = "Criada em, Liquidada em, amount, currency, note; none is known to hold: " +
		"quote_created_at; none is known to hold: settled_date"
	testmust.Contain(t, j.Explain(record.VerdictObserved), observed)
}

// Without a column for IDs, rows are identified by all their cells. Files in another language
// may have the same rows.
func TestAFileWithoutIDs(t *testing.T) {
	j := judgeRewritten(t, reference.Options{},
		cells(t, func(row []string) []string { return row[1:] }), withoutTitles)
	j.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved, record.VerdictNotVerified)
	if got := j.RulesWithVerdict(record.VerdictNotVerified); !slices.Equal(got,
		[]string{"export.header.language.rows", "export.file.distinct_rows"}) {
		t.Errorf("not verified: %v%s", got, j.Explain(record.VerdictNotVerified))
	}
}

// Quotes that appear in the window during the run are no violation.
func TestAWindowThatChangesIsConformant(t *testing.T) {
	const late = "7d1f5a52-5a0f-4c0e-8a37-6d1b3e9a0c11,client,wallet," +
		"2025-01-15T12:00:00.500Z,2025-01-16T12:00:00.500Z,1.00,USD,\n"
	j := judgeRewritten(t, reference.Options{}, func(n int, text string) string {
		if n > 8 {
			text += late
		}
		return text
	}, nil)
	for _, rule := range j.FailedRules() {
		if strings.HasPrefix(rule, "export.range.") {
			t.Errorf("%s failed%s", rule, j.Explain(record.VerdictFail))
		}
	}
}

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
