package statement

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestCalendar(t *testing.T) {
	const at = "2025-01-01T23:59:59"
	for format, c := range map[string]struct {
		parse      func(string) (writtenDate, bool)
		fits, fail []string
	}{
		"iso": {
			parseISO,
			[]string{
				"2025-01-01", "2025-12-31", "2025-04-30", "2024-02-29", "0000-01-01", "9999-09-09",
				"2025-01-01T00:00", at,
				at + ".1", at + ".123456789", at + ",5", at + "Z", at + "+14:00", at + "+00:59", at + "+23:59",
				"20250101T235959",
			},
			[]string{
				"2025-00-10", "2025-13-10", "2025-01-00", "2025-01-32", "2025-04-31", "2025-02-29",
				"2025-01-01T24:00:00",
				"2025-01-01T23:60:00", "2025-01-01T23:59:60", at + ".1234567890", at + ".", at + "+00:60",
				at + "+24:00", at + "Zx",
				"2025-01-01x", "2025-01-01T", "2025/01/01", "2025-01/01", "2025-1-01", "202:-01-01",
				"2025-12-31T10:",
			},
		},
		"slashed": {
			parseSlashed,
			[]string{"31/12/2025", "31/12/2025 10:00", "31/12/2025, 10:00", "31/12/2025 às 10:00"},
			[]string{
				"31/13/2025", "31-12-2025", "31/12-2025", "31/12/2025,10:00", "31/12/2025,", "31/12/2025, ",
				"31/12/2025T10:00",
				"31/12/2025 10:00x", "31/12/2025 25:00", "31/12/2025 10:", "31/12/2025 10:00:00.",
			},
		},
		"seconds": {
			func(s string) (writtenDate, bool) { return parseEpoch(s, 10) },
			[]string{"1735689600", "1735689600.5"},
			[]string{"17356896001", "173568960", "-735689600", "1735689600.", "1735689600.+5"},
		},
		"milliseconds": {
			func(s string) (writtenDate, bool) { return parseEpoch(s, 13) },
			[]string{"1735689600123"},
			[]string{"173568960012", "1735689600:23"},
		},
	} {
		for _, cell := range c.fits {
			if _, ok := c.parse(cell); !ok {
				t.Errorf("%s does not read %q", format, cell)
			}
		}
		for _, cell := range c.fail {
			if _, ok := c.parse(cell); ok {
				t.Errorf("%s reads %q", format, cell)
			}
		}
	}
}

func TestColumnsOfDates(t *testing.T) {
	column := func(cells ...string) *Table {
		return table(t, "id;quote_created_at\nx;"+strings.Join(cells, "\nx;")+"\n", noColumns, time.UTC)
	}
	const iso, slashed, millis, seconds = 0, 1, 2, 3
	for _, c := range []struct {
		cells  []string
		format int
		found  int // unreadable cells
	}{
		{[]string{"", "-", "--", "NULL", "nil", "None", "n/a"}, dateFormatNone, 0},
		{[]string{
			"0001-01-01T00:00:00Z", "1970-01-01", "9999-12-31 23:59:59", "01/01/0001",
		}, dateFormatNone, 0},
		{[]string{"2025-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "31/12/9999"}, iso, 0},
		{[]string{"2025-01-01", "soon"}, iso, 1},
		{[]string{"2025-01-01", "soon", "later"}, dateFormatNone, 3},
		{[]string{"01/02/2025", "02/02/2025"}, slashed, 0},
		{[]string{"01/02/2025", "x"}, dateFormatNone, 2},
		{[]string{"01/02/2025", "12/31/2024"}, dateFormatNone, 2}, // the second has the month first
		{[]string{"1735689600", "1735689600000"}, dateFormatNone, 2},
		{[]string{"45658", "45659"}, dateFormatNone, 2},
		{[]string{"1735689600123", "-"}, millis, 0},
		{[]string{"1735689600"}, seconds, 0},
		{[]string{"1735689600.123", "1735689601.000"}, seconds, 0},
		{[]string{"1735689600.", "1735689601"}, dateFormatNone, 2},
		{[]string{"01/02/2025 às 10:11:12", "02/02/2025 às 10:11:12"}, slashed, 0},
		{[]string{"20250102T0304", "20250102"}, dateFormatNone, 2},
	} {
		table := column(c.cells...)
		if table.dates[ColumnCreatedAt].format != c.format || misfits(table) != c.found {
			t.Errorf("%q: format %d, %d misfits", c.cells, table.dates[ColumnCreatedAt].format,
				misfits(table))
		}
	}
	if got := fmt.Sprint(table(t,
		"id\na\n", noColumns, nil).Quotes()[0].CreatedAt.Empty); got != "true" {
		t.Error("without the column there is no date")
	}
}

// TestInstants checks local times in Berlin: one that occurs twice has two instants, one that
// never occurs has none.
func TestInstants(t *testing.T) {
	berlin := testmust.Get(time.LoadLocation("Europe/Berlin"))(t)
	for cell, want := range map[string]string{
		"2025-10-26 02:30:00": "00:30 01:30", "2025-10-26 03:30:00": "02:30", "2025-03-30 02:30:00": "",
		"":          "",
		"yesterday": "",
	} {
		_, moments := dates(t, berlin, cell, "2025-01-01 00:00:00")
		var found []string
		for _, at := range moments[0].Instants() {
			found = append(found, at.UTC().Format("15:04"))
		}
		slices.Sort(found)
		testmust.Equal(t, strings.Join(found, " "), want, cell)
	}
}

func TestADateThatCannotBeRead(t *testing.T) {
	for want, cells := range map[string][]string{
		"02/03/2024 07:05:01.123 PM":    {"", "02/03/2024 07:05:01.123 PM"},
		"02/13/2024":                    {"02/03/2024", "02/13/2024"},
		"Sat, 03 Feb 2024 19:05:01 BRT": {"Sat, 03 Feb 2024 19:05:01 BRT"},
		"1706943901.":                   {"1706943901."},
		"999.999.999-99":                {"123.456.789-09"},
		"a-":                            {"\u0660-"}, // a digit of another script
		"aaaaa aaaaa":                   {"Maria Silva"},
		"":                              {"", "2025-01-01"},
	} {
		table, _ := dates(t, time.UTC, cells...)
		testmust.Equal(t, table.UnreadableDate(ColumnCreatedAt), want, cells)
	}
}

// TestFormatInstantIsExact checks that the text denotes the same instant, for any precision and
// zone.
func TestFormatInstantIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "seconds"),
			rapid.Int64Range(0, 1e9-1).Draw(t, "nanoseconds"))
		zone := time.FixedZone("", rapid.IntRange(-14*3600, 14*3600).Draw(t, "offset"))
		unit := rapid.SampledFrom(
			[]time.Duration{0, time.Nanosecond, time.Millisecond, 100 * time.Millisecond, time.Second}).
			Draw(t,
				"unit")
		text := FormatInstant(at, unit, zone)
		if back, err := time.Parse(time.RFC3339Nano, text); err != nil || !back.Equal(at) {
			t.Fatalf("%s is %s, %v", at.UTC(), text, err)
		}
		if c, ok := parseISO(text); !ok || !c.inZone(text, nil).Time.Equal(at) {
			t.Errorf("the parser does not read %s", text)
		}
	})
}

func TestFormatInstantShowsItsUnit(t *testing.T) {
	at := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	for unit, want := range map[time.Duration]string{
		0: "2025-01-02T03:04:05Z", time.Second: "2025-01-02T03:04:05Z",
		time.Millisecond:       "2025-01-02T03:04:05.000Z",
		100 * time.Millisecond: "2025-01-02T03:04:05.0Z",
	} {
		testmust.Equal(t, FormatInstant(at, unit, nil), want, unit)
	}
}
