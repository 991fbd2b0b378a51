package statement

import (
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// chosen gives the bounds for rows that are written as "id,created,settled".
func chosen(t *testing.T, seed uint64, key Key, zone *time.Location, rows ...string) Boundaries {
	t.Helper()
	text := "id,quote_created_at,settled_date\n" + strings.Join(rows, "\n") + "\n"
	year := deployment.Window{
		Start: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
		End:   time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	return Choose(seeded(seed), table(t, text, noColumns, zone).Quotes(), key, year)
}

// inText is a bound as a request says it, in as many digits as it needs.
func inText(p Pick) string { return FormatInstant(p.At, time.Second, time.UTC) }

func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func TestReasonsWithoutBounds(t *testing.T) {
	const (
		doubtful = "every date in quote_created_at could mean more than one instant"
		same     = "all rows of the window have the same quote_created_at"
		outside  = "no row has its quote_created_at inside the window"
		unzoned  = "the dates in quote_created_at carry no offset; set export.csv.time_zone in the deployment file"
	)
	for name, c := range map[string]struct {
		rows []string
		zone *time.Location
		want string
	}{
		"one doubtful date":          {[]string{"a,2025-10-26 02:30:00,"}, berlin(t), doubtful},
		"a doubtful one and a sound": {[]string{"a,2025-10-26 02:30:00,", "b,2025-10-27 02:30:00,"}, berlin(t), same},
		"one sound date":             {[]string{"a,2025-10-27 02:30:00,"}, berlin(t), same},
		"a day among times":          {[]string{"a,2025-10-27 02:30:00,", "b,2025-10-28,"}, berlin(t), same},
		"no date at all":             {[]string{"a,,"}, nil, outside},
		"one date without a zone":    {[]string{"a,2025-10-27 02:30:00,"}, nil, unzoned},
		"on the end of the window":   {[]string{"a,2026-01-01T00:00:00Z,", "b,2025-01-01T00:00:00Z,"}, nil, same},
		"both before and after it":   {[]string{"a,2024-12-31T23:59:59Z,", "b,2026-01-01T00:00:00Z,"}, nil, outside},
	} {
		b := chosen(t, 1, CreatedAt, c.zone, c.rows...)
		for i, pick := range []Pick{b.SubSecond, b.JustAfter, b.Shared, b.Straddling, b.Between} {
			if pick.Missing != c.want {
				t.Errorf("%s: %d: %q, want %q", name, i, pick.Missing, c.want)
			}
		}
	}
}

// A row on the start of the window belongs to it.
func TestTheWindowHoldsItsStart(t *testing.T) {
	b := chosen(t, 1, CreatedAt, nil, "a,2025-01-01T00:00:00Z,", "b,2025-01-01T00:00:01Z,", "c,2025-01-01T00:00:01Z,",
		"d,2025-12-31T23:59:59Z,")
	if b.Shared.Missing != "" || !b.Shared.At.Equal(time.Date(2025, 1, 1, 0, 0, 1, 0, time.UTC)) ||
		b.Shared.Why != "quote_created_at that 2 rows share" {
		t.Errorf("%+v: %s", b.Shared, b.Shared.Missing)
	}
}

func TestSubSecondBounds(t *testing.T) {
	rows := []string{
		"a,2025-01-01T00:00:00.100Z,", "b,2025-01-01T00:00:01.000Z,", "c,2025-01-01T00:00:02.250Z,",
		"d,2025-01-01T00:00:03.999Z,",
	}
	for seed := range uint64(20) {
		b := chosen(t, seed, CreatedAt, nil, rows...)
		if b.SubSecond.Row.Identity != "c" || inText(b.SubSecond) != "2025-01-01T00:00:02.25Z" ||
			b.SubSecond.Why != "quote_created_at of a row, with sub-second digits" {
			t.Fatalf("sub-second: %+v", b.SubSecond)
		}
		after := b.JustAfter
		if after.Missing != "" || after.Row.Identity != "a" && after.Row.Identity != "c" ||
			after.At.Sub(after.Row.CreatedAt.Time) != time.Millisecond ||
			after.Why != "1ms after the quote_created_at of a row, in the same second" {
			t.Fatalf("just after: %+v", after)
		}
	}
	for name, rows := range map[string][]string{
		"the next second": {"a,2025-01-01T00:00:00.999Z,", "b,2025-01-01T00:00:02.000Z,"},
		"taken": {
			"a,2025-01-01T00:00:00.100Z,", "b,2025-01-01T00:00:00.101Z,",
			"c,2025-01-01T00:00:01.000Z,",
		},
		"the last row of all":  {"a,2025-01-01T00:00:00.000Z,", "b,2025-01-01T00:00:00.100Z,"},
		"no sub-second digits": {"a,2025-01-01T00:00:00.000Z,", "b,2025-01-01T00:00:01.000Z,"},
	} {
		b := chosen(t, 1, CreatedAt, nil, rows...)
		if name == "taken" {
			if b.JustAfter.Missing != "" || b.JustAfter.Row.Identity != "b" {
				t.Errorf("%s: %+v", name, b.JustAfter)
			}
			continue
		}
		if b.JustAfter.Missing == "" ||
			b.JustAfter.Missing != "no quote_created_at between the first and the last has sub-second digits with the next instant free" {
			t.Errorf("%s: %+v, %q", name, b.JustAfter, b.JustAfter.Missing)
		}
	}
}

func TestStraddlingRows(t *testing.T) {
	for name, c := range map[string]struct {
		key  Key
		zone *time.Location
		rows []string
		row  string // that straddles; empty: none
		at   string
		why  string
	}{
		"hours apart": {
			CreatedAt, nil,
			[]string{
				"z,2025-01-01T00:00:00Z,", "a,2025-01-05T12:00:00Z,2025-01-05T15:00:00Z", "b,2025-01-05T13:00:00Z,",
				"c,2025-01-06T00:00:00Z,",
			},
			"a", "2025-01-05T13:00:00Z",
			"quote_created_at of a row; another or the same row was created before it and settled on it or later",
		},
		"settled first": {
			CreatedAt, nil,
			[]string{
				"z,2025-01-01T00:00:00Z,", "a,2025-01-05T12:00:00Z,2025-01-05T10:00:00Z", "c,2025-01-06T00:00:00Z,",
			},
			"a", "2025-01-05T12:00:00Z",
			"quote_created_at of a row; another or the same row was settled before it and created on it or later",
		},
		"settled on the bound": {
			CreatedAt, nil,
			[]string{
				"a,2025-01-05T12:00:00Z,2025-01-05T13:00:00Z", "b,2025-01-05T13:00:00Z,", "c,2025-01-06T00:00:00Z,",
			},
			"a", "2025-01-05T13:00:00Z", "",
		},
		"settled before the bound": {
			CreatedAt, nil, []string{
				"a,2025-01-05T12:00:00Z,2025-01-05T12:59:59Z", "b,2025-01-05T13:00:00Z,", "c,2025-01-06T00:00:00Z,",
			}, "", "", "",
		},
		"created in the second of the bound": {
			SettledDate, nil, []string{
				"z,,2025-01-05T11:00:00.000Z", "a,2025-01-05T12:00:00Z,2025-01-05T12:00:00.500Z",
				"c,,2025-01-06T00:00:00.000Z",
			}, "", "", "",
		},
		"created in the second before the bound": {
			SettledDate, nil,
			[]string{
				"z,,2025-01-05T11:00:00.000Z", "a,2025-01-05T12:00:00Z,2025-01-05T12:00:01.000Z",
				"c,,2025-01-06T00:00:00.000Z",
			},
			"a", "2025-01-05T12:00:01Z", "",
		},
		"a day that is 25 hours long": {
			CreatedAt, berlin(t),
			[]string{
				"z,2025-10-01 00:00:00,", "b,2025-10-26 23:30:00,", "a,2025-10-28 00:00:00,2025-10-26",
				"c,2025-10-29 00:00:00,",
			},
			"a", "2025-10-27T23:00:00Z", "",
		},
		"no second date": {
			CreatedAt, nil,
			[]string{"z,2025-01-01T00:00:00Z,", "a,2025-01-05T12:00:00Z,", "c,2025-01-06T00:00:00Z,"},
			"", "", "",
		},
	} {
		for seed := range uint64(10) {
			pick := chosen(t, seed, c.key, c.zone, c.rows...).Straddling
			switch {
			case c.row == "" && pick.Missing == "", c.row != "" && pick.Missing != "":
				t.Fatalf("%s: %+v", name, pick)
			case c.row != "" && (pick.Row.Identity != c.row || inText(pick) != c.at ||
				!strings.Contains(pick.Why, c.why)):
				t.Fatalf("%s: %s by %s, %s", name, inText(pick), pick.Row.Identity, pick.Why)
			}
		}
	}
}

// Between two days lies no day that one of them is, whatever the clocks do.
func TestDaysBetweenAreNeitherOfTheTwo(t *testing.T) {
	for name, c := range map[string]struct {
		rows []string
		want string
	}{
		"over the longest day":        {[]string{"a,2025-10-25,", "b,2025-10-27,"}, "2025-10-25T22:00:00Z"},
		"over the shortest day":       {[]string{"a,2025-03-29,", "b,2025-03-31,"}, "2025-03-29T23:00:00Z"},
		"the longest day and no room": {[]string{"a,2025-10-26,", "b,2025-10-27,"}, ""},
		"no room":                     {[]string{"a,2025-05-26,", "b,2025-05-27,"}, ""},
	} {
		for seed := range uint64(20) {
			pick := chosen(t, seed, CreatedAt, berlin(t), c.rows...).Between
			if c.want == "" && pick.Missing == "" || c.want != "" &&
				(pick.Missing != "" || inText(pick) != c.want || pick.Row.Identity != "a") {
				t.Fatalf("%s: %+v", name, pick)
			}
		}
	}
}

func TestInstantsBetweenFillTheGap(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(200) {
		pick := chosen(t, seed, CreatedAt, nil, "a,2025-01-01T00:00:00Z,", "b,2025-01-01T00:00:04Z,",
			"c,2025-01-01T00:00:05Z,").Between
		if pick.Missing != "" || pick.Row.Identity != "a" ||
			pick.Why != "an instant that is the quote_created_at of no row, between two that are" {
			t.Fatalf("%+v", pick)
		}
		seen[inText(pick)] = true
	}
	if len(seen) != 3 || !seen["2025-01-01T00:00:01Z"] || !seen["2025-01-01T00:00:02Z"] ||
		!seen["2025-01-01T00:00:03Z"] {
		t.Errorf("chosen were %v", seen)
	}
}

// Where a file shows whole units, the unit above says how fine bounds are.
func TestJustAfterWholeUnits(t *testing.T) {
	for name, c := range map[string]struct {
		rows          []string
		at, row, says string
	}{
		"seconds": {
			[]string{
				"a,2025-01-01T00:00:59Z,", "b,2025-01-01T00:02:05Z,", "c,2025-01-01T00:02:59Z,",
				"d,2025-01-01T00:04:00Z,",
			},
			"2025-01-01T00:02:06Z", "b", "1s after the quote_created_at of a row, in the same minute",
		},
		"minutes": {
			[]string{"a,2025-01-01T00:59Z,", "b,2025-01-01T01:10Z,", "c,2025-01-01T02:00Z,"},
			"2025-01-01T01:11:00Z", "b",
			"1m0s after the quote_created_at of a row, in the same hour",
		},
		"days": {
			[]string{"a,2025-01-01,", "b,2025-01-02,", "c,2025-01-05,"},
			"2025-01-03T00:00:00Z", "b", "the day after the quote_created_at of a row",
		},
		"taken seconds": {
			[]string{"a,2025-01-01T00:00:58Z,", "b,2025-01-01T00:00:59Z,", "c,2025-01-01T00:01:00Z,"},
			"2025-01-01T00:00:59Z", "a",
			"1s after the quote_created_at of a row, in the same minute",
		},
		"the last second of a minute": {
			[]string{"a,2025-01-01T00:00:59Z,", "b,2025-01-01T00:02:00Z,"},
			"", "",
			"no quote_created_at before the last has its next instant in the same minute",
		},
	} {
		b := chosen(t, 1, CreatedAt, time.UTC, c.rows...)
		switch {
		case c.at == "":
			if b.JustAfter.Missing == "" || b.JustAfter.Missing != c.says {
				t.Errorf("%s: %+v, %q", name, b.JustAfter, b.JustAfter.Missing)
			}
		case b.JustAfter.Missing != "" || inText(b.JustAfter) != c.at || b.JustAfter.Row.Identity != c.row ||
			b.JustAfter.Why != c.says:
			t.Errorf("%s: %+v, %q", name, b.JustAfter, b.JustAfter.Missing)
		}
	}
}
