package traffic

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestBodiesAreWhatTheOperationTakes(t *testing.T) {
	g := mustNew(t, options(steady(t, 100, 100*time.Second)))
	var r Request
	fields := map[string]int{}
	shared := map[string]bool{}
	for k := range int64(5000) {
		g.Fill(k, &r)
		var body map[string]string
		if err := json.Unmarshal(r.Body, &body); err != nil {
			t.Fatalf("%s: %v", r.Body, err)
		}
		for name := range body {
			fields[name]++
		}
		for _, id := range []string{r.Nonce, r.Transaction} {
			parsed, err := uuid.Parse(id)
			if err != nil || parsed.Version() != 4 || parsed.Variant() != uuid.RFC4122 ||
				parsed.String() != id {
				t.Fatalf("%s is not a UUID v4 in lower case: %v", id, err)
			}
		}
		if r.Mode != 0 {
			shared[body["date_start"]+body["date_end"]] = true
		}
		start, errStart := time.Parse("2006-01-02T15:04:05.000Z", body["date_start"])
		end, errEnd := time.Parse("2006-01-02T15:04:05.000Z", body["date_end"])
		if errStart != nil || errEnd != nil || start.Before(windowStart) || !start.Before(end) ||
			end.After(windowEnd) {
			t.Fatalf("bounds outside the window: %s", r.Body)
		}
	}
	for _, name := range []string{
		"sort", "order", "filter_type", "filter_text", "type_extension", "date_start", "date_end",
	} {
		if fields[name] == 0 {
			t.Errorf("no body has %s", name)
		}
	}
	testmust.Equal(t, len(shared), sharedBoundPairs, "pairs of bounds where identifiers are compared")
}

func TestUniqueBoundsAreUnique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.OneOf(rapid.Int64Range(int64(time.Second), int64(2*time.Second)),
			rapid.Int64Range(int64(time.Second), int64(200*365*24*time.Hour))).Draw(t, "window")
		b := newBoundGenerator(windowStart.Add(123456*time.Nanosecond),
			windowStart.Add(time.Duration(length)), rapid.Uint64().Draw(t, "salt"))
		if greatestCommonDivisor(b.stride, b.pairs) != 1 || b.lengths > uint64(b.half) ||
			b.pairs > 1<<62 {
			t.Fatalf("%+v", b)
		}
		first := rapid.Uint64Range(0, b.pairs-1).Draw(t, "k")
		seen := map[[2]int64]bool{}
		check := func(start, end int64) {
			if start < windowStart.UnixMilli() || end <= start ||
				time.UnixMilli(end).After(windowStart.Add(time.Duration(length))) {
				t.Fatalf("%d to %d leave the window of %v", start, end, time.Duration(length))
			}
			if seen[[2]int64{start, end}] {
				t.Fatalf("%d to %d twice", start, end)
			}
			seen[[2]int64{start, end}] = true
		}
		for i := range min(1000, b.pairs) {
			check(b.uniquePair(int64((first + i) % b.pairs)))
		}
		for i := range uint64(sharedBoundPairs) {
			check(b.sharedPair(i))
		}
	})
}
