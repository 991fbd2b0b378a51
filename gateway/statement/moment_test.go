package statement

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestUsableMoments(t *testing.T) {
	for bits := range 16 {
		m := Moment{Empty: bits&1 != 0, Misfit: bits&2 != 0, Ambiguous: bits&4 != 0, Zoned: bits&8 != 0}
		if m.Usable() != (bits == 8) {
			t.Errorf("%+v: usable %v", m, m.Usable())
		}
	}
}

// Zones whose clocks went back for good, so that the hour that was there twice has to be seen from one side alone.
func TestHoursThatAreThereTwice(t *testing.T) {
	for _, c := range []struct {
		zone, local string
		want        bool
	}{
		{"Europe/Moscow", "2014-10-26 01:30:00", true}, // the last change of all
		{"Europe/Moscow", "2014-10-26 00:59:59", false},
		{"Europe/Moscow", "2014-10-26 02:00:00", false},
		{"America/Metlakatla", "2015-11-01 01:30:00", true}, // the change before was another one
		{"America/Metlakatla", "2015-11-01 00:59:59", false},
		{"America/Metlakatla", "2015-11-01 02:00:00", false},
		{"Europe/Berlin", "2025-10-26 02:00:00", true},
		{"Europe/Berlin", "2025-10-26 02:59:59", true},
		{"Europe/Berlin", "2025-10-26 01:59:59", false},
		{"Europe/Berlin", "2025-10-26 03:00:00", false},
		{"Europe/Berlin", "2025-03-30 02:00:00", true}, // never
		{"Europe/Berlin", "2025-03-30 03:00:00", false},
		{"America/New_York", "2025-11-02 01:30:00", true},
		{"America/New_York", "2025-11-02 00:30:00", false},
		{"Pacific/Apia", "2011-12-30 12:00:00", true}, // a day that was left out
		{"UTC", "2025-10-26 02:30:00", false},
		{"Asia/Kolkata", "2025-10-26 02:30:00", false},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		moment := table(t, "id,quote_created_at,settled_date\na,"+c.local+",\n", noColumns, zone).Quotes()[0].CreatedAt
		if moment.Ambiguous != c.want || moment.Misfit || moment.Empty {
			t.Errorf("%s in %s: %+v", c.local, c.zone, moment)
		}
	}
}

func TestCalendar(t *testing.T) {
	for _, c := range []struct {
		format string
		cell   string
		want   bool
	}{
		{"iso", "2025-01-01", true},
		{"iso", "2025-12-31", true},
		{"iso", "2025-00-10", false},
		{"iso", "2025-13-10", false},
		{"iso", "2025-01-00", false},
		{"iso", "2025-01-32", false},
		{"iso", "2025-04-30", true},
		{"iso", "2025-04-31", false},
		{"iso", "2024-02-29", true},
		{"iso", "2025-02-29", false},
		{"iso", "2025-01-01T00:00", true},
		{"iso", "2025-01-01T23:59:59", true},
		{"iso", "2025-01-01T24:00:00", false},
		{"iso", "2025-01-01T23:60:00", false},
		{"iso", "2025-01-01T23:59:60", false},
		{"iso", "2025-01-01T23:59:59.1", true},
		{"iso", "2025-01-01T23:59:59.123456789", true},
		{"iso", "2025-01-01T23:59:59.1234567890", false},
		{"iso", "2025-01-01T23:59:59.", false},
		{"iso", "2025-01-01T23:59:59,5", true},
		{"iso", "2025-01-01T23:59:59Z", true},
		{"iso", "2025-01-01T23:59:59+14:00", true},
		{"iso", "2025-01-01T23:59:59+00:59", true},
		{"iso", "2025-01-01T23:59:59+00:60", false},
		{"iso", "2025-01-01T23:59:59+23:59", true},
		{"iso", "2025-01-01T23:59:59+24:00", false},
		{"iso", "2025-01-01T23:59:59Zx", false},
		{"iso", "2025-01-01x", false},
		{"iso", "2025-01-01T", false},
		{"iso", "2025/01/01", false},
		{"iso", "2025-01/01", false},
		{"iso", "2025-1-01", false},
		{"iso", "202:-01-01", false},
		{"iso", "202/-01-01", false},
		{"iso", "0000-01-01", true},
		{"iso", "9999-09-09", true},
		{"slashed", "31/12/2025", true},
		{"slashed", "31/13/2025", false},
		{"slashed", "31-12-2025", false},
		{"slashed", "31/12-2025", false},
		{"slashed", "31/12/2025 10:00", true},
		{"slashed", "31/12/2025, 10:00", true},
		{"slashed", "31/12/2025,10:00", false},
		{"slashed", "31/12/2025,", false},
		{"slashed", "31/12/2025, ", false},
		{"slashed", "31/12/2025T10:00", false},
		{"slashed", "31/12/2025 10:00x", false},
		{"slashed", "31/12/2025 25:00", false},
		{"slashed", "31/12/2025 10:", false}, // broken off
		{"slashed", "31/12/2025 10:00:00.", false},
		{"iso", "2025-12-31T10:", false},
		{"seconds", "1735689600", true},
		{"seconds", "17356896001", false},
		{"seconds", "173568960", false},
		{"millis", "1735689600123", true},
		{"millis", "173568960012", false},
		{"millis", "1735689600:23", false},
	} {
		parse := map[string]func(string) (civil, bool){
			"iso": parseISO, "slashed": parseSlashed,
			"seconds": func(s string) (civil, bool) { return parseEpoch(s, 10) },
			"millis":  func(s string) (civil, bool) { return parseEpoch(s, 13) },
		}[c.format]
		if _, ok := parse(c.cell); ok != c.want {
			t.Errorf("%s %q: %v", c.format, c.cell, ok)
		}
	}
}

func TestInstantsThatCellsStandFor(t *testing.T) {
	for cell, want := range map[string]struct {
		at        string
		precision time.Duration
		zoned     bool
	}{
		"2025-01-02":                          {"2025-01-02T00:00:00Z", Day, false},
		"2025-01-02 03:04":                    {"2025-01-02T03:04:00Z", time.Minute, false},
		"2025-01-02t03:04:05z":                {"2025-01-02T03:04:05Z", time.Second, true},
		"2025-01-02T03:04:05.6+03:30":         {"2025-01-01T23:34:05.6Z", 100 * time.Millisecond, true},
		"2025-01-02T03:04:05.060-03:30":       {"2025-01-02T06:34:05.06Z", time.Millisecond, true},
		"2025-01-02T03:04:05.000000001+00:00": {"2025-01-02T03:04:05.000000001Z", 1, true},
		"1735689600123":                       {"2025-01-01T00:00:00.123Z", time.Millisecond, true},
		"1735689600":                          {"2025-01-01T00:00:00Z", time.Second, true},
		"02/01/2025 10:11:12.5":               {"2025-01-02T10:11:12.5Z", 100 * time.Millisecond, false},
	} {
		m := table(t, "id;quote_created_at\na;"+cell+"\n", noColumns, nil).Quotes()[0].CreatedAt
		if got := m.Time.UTC().Format(time.RFC3339Nano); got != want.at || m.Precision != want.precision ||
			m.Zoned != want.zoned || m.Misfit || m.Ambiguous {
			t.Errorf("%s: %s, %+v", cell, got, m)
		}
	}
}

func TestFormattedInstants(t *testing.T) {
	at := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		t         time.Time
		precision time.Duration
		loc       *time.Location
		want      string
	}{
		{at, 0, nil, "2025-01-02T03:04:05Z"},
		{at, -1, nil, "2025-01-02T03:04:05Z"},
		{at, Day, nil, "2025-01-02T03:04:05Z"},
		{at, time.Second, nil, "2025-01-02T03:04:05Z"},
		{at, 100 * time.Millisecond, nil, "2025-01-02T03:04:05.0Z"},
		{at, time.Millisecond, nil, "2025-01-02T03:04:05.000Z"},
		{at, 1, nil, "2025-01-02T03:04:05.000000000Z"},
		{at.Add(1), time.Second, nil, "2025-01-02T03:04:05.000000001Z"},
		{at.Add(120 * time.Millisecond), 0, nil, "2025-01-02T03:04:05.12Z"},
		{at, 0, time.FixedZone("", -3*3600), "2025-01-02T00:04:05-03:00"},
		{at, 0, time.FixedZone("", 90), "2025-01-02T03:04:05Z"}, // no whole minutes
		{at, 0, time.FixedZone("LMT", -11188), "2025-01-02T03:04:05Z"},
		{at.Add(120e6), time.Microsecond, time.FixedZone("", -3*3600), "2025-01-02T00:04:05.120000-03:00"},
	} {
		if got := FormatInstant(c.t, c.precision, c.loc); got != c.want {
			t.Errorf("%s to %s: %s, want %s", c.t, c.precision, got, c.want)
		}
	}
}

func TestShapesShowNoContent(t *testing.T) {
	for cell, want := range map[string]string{
		"2025-01-02T03:04:05.678+00:00": "9999-99-99a99:99:99.999+99:99",
		"09/,é Zx;\"":                   "99/,a aaaa",
		"\u0660-":                       "a-", // a digit of another script
		strings.Repeat("1", 40):         strings.Repeat("9", 40),
		strings.Repeat("1", 41):         strings.Repeat("9", 39) + "a",
	} {
		if got := shape(cell); got != want {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
}

func TestColumnsOfDates(t *testing.T) {
	column := func(cells ...string) *Table {
		return table(t, "id;quote_created_at\nx;"+strings.Join(cells, "\nx;")+"\n", noColumns, time.UTC)
	}
	for _, c := range []struct {
		cells  []string
		format string
		found  int // cells that cannot be read
	}{
		{[]string{"", "-", "--", "NULL", "nil", "None", "n/a"}, "", 0},
		{[]string{"0001-01-01T00:00:00Z", "1970-01-01", "9999-12-31 23:59:59", "01/01/0001"}, "", 0},
		{[]string{"2025-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "31/12/9999"}, "ISO 8601 (YYYY-MM-DD)", 0},
		{[]string{"2025-01-01", "soon"}, "ISO 8601 (YYYY-MM-DD)", 1},
		{[]string{"2025-01-01", "soon", "later"}, "", 3},
		{[]string{"01/02/2025", "02/02/2025"}, "DD/MM/YYYY", 0},
		{[]string{"01/02/2025", "x"}, "", 2},
		{[]string{"1735689600123", "-"}, "milliseconds since 1970", 0},
		{[]string{"1735689600"}, "seconds since 1970", 0},
		{[]string{"1735689600.123", "1735689601.000"}, "seconds since 1970", 0},
		{[]string{"1735689600.", "1735689601"}, "", 2},
		{[]string{"01/02/2025 às 10:11:12", "02/02/2025 às 10:11:12"}, "DD/MM/YYYY", 0},
		{[]string{"20250102T0304", "20250102"}, "", 2},
		{[]string{"31 Mar 2025 15:56:56"}, "RFC 2822 (Mon, 31 Mar 2025 15:04:05 -0300)", 0},
	} {
		table := column(c.cells...)
		if table.Format(CreatedAt) != c.format || misfits(table) != c.found {
			t.Errorf("%q: format %q, %d misfits", c.cells, table.Format(CreatedAt), misfits(table))
		}
	}
	if got := fmt.Sprint(table(t, "id\na\n", noColumns, nil).Quotes()[0].CreatedAt.Empty); got != "true" {
		t.Error("without the column there is no date")
	}
}

// The two instants of a local time that happens twice are an hour apart; one that never happens has none.
func TestInstants(t *testing.T) {
	berlin := berlin(t)
	for cell, want := range map[string]string{
		"2025-10-26 02:30:00": "00:30 01:30", "2025-10-26 03:30:00": "02:30", "2025-03-30 02:30:00": "", "": "",
		"yesterday": "",
	} {
		_, moments := dates(t, berlin, cell, "2025-01-01 00:00:00")
		got := ""
		for _, at := range moments[0].Instants() {
			got += at.UTC().Format(" 15:04")
		}
		if parts := strings.Fields(got); !sameTimes(parts, strings.Fields(want)) {
			t.Errorf("%q: %s, expected %s", cell, got, want)
		}
	}
}

func sameTimes(a, b []string) bool {
	slices.Sort(a)
	return slices.Equal(a, b)
}

func TestADateThatCannotBeRead(t *testing.T) {
	for want, cells := range map[string][]string{
		"02/03/2024 07:05:01.123 PM":    {"", "02/03/2024 07:05:01.123 PM"},
		"02/13/2024":                    {"02/03/2024", "02/13/2024"},
		"Sat, 03 Feb 2024 19:05:01 BRT": {"Sat, 03 Feb 2024 19:05:01 BRT"},
		"1706943901.":                   {"1706943901."},
		"999.999.999-99":                {"123.456.789-09"},
		"aaaaa aaaaa":                   {"Maria Silva"},
		"":                              {"", "2025-01-01"},
	} {
		table, _ := dates(t, time.UTC, cells...)
		if got := table.Strange(CreatedAt); got != want {
			t.Errorf("%q: %q, expected %q", cells, got, want)
		}
	}
}

func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}
