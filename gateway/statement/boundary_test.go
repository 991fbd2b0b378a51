package statement

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/gateway/deployment"
)

var january = deployment.Window{
	Start: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
	End:   time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC),
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 2)) }

// month is a file of n quotes over January: milliseconds, some shared dates, settlement days later, two of them before.
func month(n int) string {
	var text strings.Builder
	text.WriteString("id,quote_created_at,settled_date\n")
	for i := range n {
		created := january.Start.Add(time.Duration(i/2) * 11 * time.Hour).Add(time.Duration(
			i/2*137%1000) * time.Millisecond)
		settled := created.AddDate(0, 0, 2)
		if i%9 == 0 {
			settled = created.AddDate(0, 0, -2)
		}
		fmt.Fprintf(&text, "q%02d,%s,%s\n", i, FormatInstant(created, time.Millisecond, nil),
			settled.Format(time.DateOnly))
	}
	return text.String()
}

func TestBoundariesHoldWhatTheyPromise(t *testing.T) {
	quotes := table(t, month(60), noColumns, time.UTC).Quotes()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SampledFrom([]Key{CreatedAt, SettledDate}).Draw(t, "key")
		b := Choose(seeded(rapid.Uint64().Draw(t, "seed")), quotes, key, january)
		for name, pick := range map[string]Pick{
			"sub_second": b.SubSecond, "just_after": b.JustAfter,
			"shared": b.Shared, "straddling": b.Straddling, "between": b.Between,
		} {
			if pick.Missing != "" {
				continue
			}
			before, on, after := 0, 0, 0
			for _, q := range quotes {
				switch at := q.Moment(key).Time; {
				case at.Before(january.Start) || !at.Before(january.End):
				case at.Before(pick.At):
					before++
				case at.Equal(pick.At):
					on++
				default:
					after++
				}
			}
			if name == "just_after" && key == SettledDate { // the day after may be taken
				after += on
			}
			if before == 0 || after == 0 || pick.Why == "" {
				t.Errorf("%s by %s at %s: %d before, %d after, %q", name, key, inText(pick), before, after, pick.Why)
			}
			if back, err := time.Parse(time.RFC3339Nano, inText(pick)); err != nil || !back.Equal(pick.At) {
				t.Errorf("%s: text %s of %s", name, inText(pick), pick.At)
			}
			held := pick.Row.Moment(key).Time
			switch name {
			case "sub_second":
				if pick.At.Nanosecond() == 0 || !held.Equal(pick.At) {
					t.Errorf("sub_second: %+v", pick)
				}
			case "just_after":
				if key == SettledDate {
					if !pick.At.Equal(held.AddDate(0, 0, 1)) {
						t.Errorf("just_after: %+v", pick)
					}
				} else if on != 0 || pick.At.Sub(held) != time.Millisecond ||
					!pick.At.Truncate(time.Second).Before(held) {
					t.Errorf("just_after: %+v", pick)
				}
			case "shared":
				if on < 2 || !held.Equal(pick.At) {
					t.Errorf("shared: %d rows on %+v", on, pick)
				}
			case "straddling":
				created, settled := pick.Row.CreatedAt.Time, pick.Row.SettledDate.Time
				if created.Before(pick.At) == settled.Before(pick.At) {
					t.Errorf("straddling: %s between %s and %s", inText(pick), created, settled)
				}
			case "between":
				if on != 0 || !held.Before(pick.At) {
					t.Errorf("between: %d rows on %+v", on, pick)
				}
			}
		}
	})
}

func TestBoundariesFollowTheSeed(t *testing.T) {
	quotes := table(t, month(60), noColumns, time.UTC).Quotes()
	show := func(seed uint64, quotes []Quote) string {
		b := Choose(seeded(seed), quotes, CreatedAt, january)
		return fmt.Sprint(b.SubSecond.At, b.JustAfter.At, b.Shared.At, b.Shared.Row.Identity,
			b.Straddling.At, b.Between.At)
	}
	reversed := make([]Quote, len(quotes))
	for i, q := range quotes {
		reversed[len(quotes)-1-i] = q
	}
	seen := map[string]bool{}
	for seed := range uint64(20) {
		if show(seed, quotes) != show(seed, reversed) {
			t.Errorf("seed %d: the order of the rows decides", seed)
		}
		seen[show(seed, quotes)] = true
	}
	if len(seen) < 15 {
		t.Errorf("20 seeds give %d choices", len(seen))
	}
	if b := Choose(nil, quotes, CreatedAt, january); b.Shared.Missing != "" {
		t.Error("no generator, no picks")
	}
}

func TestMissingBoundariesSayWhy(t *testing.T) {
	cases := []struct {
		name, rows string
		zone       *time.Location
		missing    map[string]string
	}{
		{"no rows", "", nil, map[string]string{
			"between": "no row", "shared": "no row", "straddling": "no row",
			"sub_second": "no row", "just_after": "no row",
		}},
		{
			"outside the window", "a,2024-01-01T00:00:00Z,\nb,2025-02-01T00:00:00Z,\n", nil,
			map[string]string{"between": "inside the window"},
		},
		{
			"one date", "a,2025-01-02T00:00:00Z,\nb,2025-01-02T00:00:00Z,\n", nil,
			map[string]string{"shared": "the same", "between": "the same"},
		},
		{
			"no zone", "a,2025-01-02 00:00:00,\nb,2025-01-03 00:00:00,\n", nil,
			map[string]string{"between": "export.csv.time_zone"},
		},
		{
			"seconds in a row", "a,2025-01-02T00:00:00Z,\nb,2025-01-02T00:00:01Z,\nc,2025-01-02T00:00:02Z,\n", nil,
			map[string]string{
				"between": "neighbouring", "sub_second": "sub-second", "shared": "several",
				"straddling": "different sides",
			},
		},
		{
			"days in a row", "a,2025-01-02,\nb,2025-01-03,\nc,2025-01-04,\n", time.UTC,
			map[string]string{"between": "neighbouring"},
		},
		{
			"shared at the edges only", "a,2025-01-02T00:00:00Z,\nb,2025-01-02T00:00:00Z,\nc,2025-01-04T00:00:00Z,\n",
			nil,
			map[string]string{"shared": "several"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := Choose(seeded(1), table(t, "id,quote_created_at,settled_date\n"+c.rows, noColumns, c.zone).Quotes(),
				CreatedAt, january)
			for name, pick := range map[string]Pick{
				"sub_second": b.SubSecond, "just_after": b.JustAfter, "shared": b.Shared, "straddling": b.Straddling,
				"between": b.Between,
			} {
				if !strings.Contains(pick.Missing, c.missing[name]) {
					t.Errorf("%s: %q, want %q", name, pick.Missing, c.missing[name])
				}
			}
		})
	}
}

func TestADayThatIsShownStandsForAllItsInstants(t *testing.T) {
	// settled on the 5th may mean any time of that day: a bound within the day says nothing about the row
	b := chosen(t, 1, CreatedAt, time.UTC, "a,2025-01-05T12:00:00Z,2025-01-05", "b,2025-01-05T06:00:00Z,",
		"c,2025-01-02T06:00:00Z,")
	if b.Straddling.Missing == "" {
		t.Errorf("straddling %+v", b.Straddling)
	}
}

func TestAmbiguousRowsAreNoBounds(t *testing.T) {
	b := chosen(t, 1, CreatedAt, berlin(t), "a,2025-10-26 01:00:00.500,", "b,2025-10-26 02:30:00.500,",
		"c,2025-10-26 02:30:00.500,", "d,2025-10-26 04:00:00.500,")
	if b.Shared.Missing == "" || b.SubSecond.Missing == "" {
		t.Errorf("picks %+v", b)
	}
}

func TestDaysBetweenAreWholeDaysOfTheZone(t *testing.T) {
	for seed := range uint64(50) {
		b := chosen(t, seed, CreatedAt, berlin(t), "a,2025-03-29,", "b,2025-03-31,", "c,2025-04-05,")
		local := b.Between.At.In(berlin(t))
		if local.Hour() != 0 || local.Minute() != 0 || local.Day() == 31 || local.Day() == 29 || local.Day() == 5 {
			t.Errorf("seed %d: %s", seed, local)
		}
	}
}
