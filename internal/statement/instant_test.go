package statement

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/testmust"
)

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
