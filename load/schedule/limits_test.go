package schedule

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/strictyaml"
)

func TestStagesThatCannotBeUsed(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		field, found string
		stages       []Stage
	}{
		{"", "0", nil},
		{"[0].rate", "-1/s", []Stage{ConstantStage(-1, s)}},
		{"[0].rate", "NaN/s", []Stage{ConstantStage(math.NaN(), s)}},
		{"[0].rate", "+Inf/s", []Stage{ConstantStage(math.Inf(1), s)}},
		{"[0].for", "0s", []Stage{{From: 1, To: 1}}},
		{"", "none", []Stage{ConstantStage(0, s)}},
		{"", "2e+12", []Stage{ConstantStage(1e6, 2e6*s)}},
		{"", "1e+13", []Stage{ConstantStage(5e6, 1e6*s), ConstantStage(5e6, 1e6*s)}},
		{"", "400 days", []Stage{
			ConstantStage(1, 200*24*time.Hour),
			ConstantStage(1, 200*24*time.Hour),
		}},
	} {
		_, err := New(c.stages...)
		wrong, is := err.(*strictyaml.Problems)
		if !is || len(wrong.All) != 1 || wrong.All[0].Key != "stages"+c.field ||
			!strings.HasSuffix(wrong.All[0].Message, ", found "+c.found) {
			t.Errorf("%v: %v, expected %q found in %q", c.stages, err, c.found, c.field)
		}
	}
}

// TestExtremesEndWell checks that no schedule panics or hangs, whatever its numbers.
func TestExtremesEndWell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.OneOf(rapid.Float64(), rapid.Float64Range(0, 1e7), rapid.Just(0.0),
			rapid.Just(1e-300))
		length := rapid.Map(rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, int64(MaxDuration))),
			func(n int64) time.Duration { return time.Duration(n) })
		stage := Stage{For: length.Draw(t, "for"), From: rate.Draw(t, "from"), To: rate.Draw(t, "to")}
		s, err := New(stage)
		if err != nil {
			return
		}
		last := time.Duration(0)
		for _, k := range []int64{
			0, 1, s.RequestCount() / 3, s.RequestCount() / 2, s.RequestCount() - 2, s.RequestCount() - 1,
		} {
			if k < 0 || k >= s.RequestCount() {
				continue
			}
			if at := s.DueAt(k); at < 0 || at > s.Duration() {
				t.Fatalf("T(%d) = %v of %v", k, at, s.Duration())
			}
		}
		for i := range int64(50) {
			at := s.DueAt(i * (s.RequestCount() / 50))
			if at < last {
				t.Fatalf("T(%d) = %v after %v", i*(s.RequestCount()/50), at, last)
			}
			last = at
		}
	})
}
