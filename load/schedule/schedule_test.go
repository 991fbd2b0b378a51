package schedule

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/testmust"
)

func TestConventions(t *testing.T) {
	const s = time.Second
	type moments map[int64]time.Duration
	for _, c := range []struct {
		name   string
		stages []Stage
		k      int64
		want   moments
	}{
		{"constant", []Stage{ConstantStage(4, s)}, 4, moments{0: 0, 1: s / 4, 3: 3 * s / 4, 4: s, -1: 0}},
		{"100 in a minute", []Stage{ConstantStage(100.0/60, 60*s)}, 100, moments{99: 594 * s / 10}},
		{"a part of a request", []Stage{ConstantStage(1, 3*s/2)}, 2, moments{1: s}},
		{"ramp from nothing", []Stage{{To: 2, For: 100 * s}}, 100, moments{0: 0, 1: 10 * s, 25: 50 * s}},
		{"ramp to nothing", []Stage{{From: 2, For: 100 * s}}, 100, moments{0: 0, 75: 50 * s, 99: 90 * s}},
		{"the ramp and hold of the notes", []Stage{
			{From: 10, To: 200, For: 3 * s}, ConstantStage(200, 4*s),
		}, 1115, moments{315: 3 * s, 515: 4 * s}},
		{"a pause holds the next request", []Stage{
			ConstantStage(1, 2*s), ConstantStage(0, 10*s),
			ConstantStage(1, 2*s),
		}, 4, moments{1: s, 2: 12 * s, 3: 13 * s}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := testmust.Get(New(c.stages...))(t)
			testmust.Equal(t, got.RequestCount(), c.k)
			for k, want := range c.want {
				testmust.Equal(t, got.DueAt(k), want, k)
			}
		})
	}
}

// integral returns C(t), computed directly from the stages.
func integral(stages []Stage, t float64) (sum float64) {
	for _, s := range stages {
		length := s.For.Seconds()
		from, to := s.From, s.To
		x := math.Min(t, length)
		if sum += from*x + (to-from)*x*x/2/length; t <= length {
			break
		}
		t -= length
	}
	return sum
}

func drawRate(t *rapid.T, label string) float64 {
	if rapid.IntRange(0, 3).Draw(t, label+" kind") == 0 {
		return float64(rapid.IntRange(0, 200).Draw(t, label))
	}
	return rapid.Float64Range(0, 200).Draw(t, label)
}

func drawLength(t *rapid.T, label string) time.Duration {
	if rapid.Bool().Draw(t, label+" whole") {
		return time.Duration(rapid.IntRange(1, 60).Draw(t, label)) * time.Second
	}
	return time.Duration(rapid.Int64Range(int64(10*time.Millisecond), int64(time.Minute)).Draw(t,
		label))
}

func drawStage(t *rapid.T) Stage {
	if rapid.Bool().Draw(t, "ramp") {
		return Stage{From: drawRate(t, "from"), To: drawRate(t, "to"), For: drawLength(t, "for")}
	}
	return ConstantStage(drawRate(t, "rate"), drawLength(t, "for"))
}

// drawSchedule draws a schedule that has requests.
func drawSchedule(t *rapid.T) ([]Stage, *Schedule) {
	stages := rapid.SliceOfN(rapid.Custom(drawStage), 1, 4).Draw(t, "stages")
	s, err := New(stages...)
	if err != nil && strings.Contains(err.Error(), "at least one request, found none") {
		stages = append(stages, ConstantStage(3, time.Second))
		s, err = New(stages...)
	}
	if err != nil {
		t.Fatalf("%v", err)
	}
	return stages, s
}

func TestMomentsAreTheInverseOfTheIntegral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stages, s := drawSchedule(t)
		total := integral(stages, s.Duration().Seconds())
		if k := float64(s.RequestCount()); k < total-1e-6 || k > total+1+1e-6 {
			t.Fatalf("K = %v, the integral of the rate is %v", k, total)
		}
		for range 12 {
			k := rapid.Int64Range(0, s.RequestCount()-1).Draw(t, "k")
			at := s.DueAt(k)
			const off = time.Microsecond
			tolerance := 1e-8 * (1 + total)
			if before := integral(stages, (at - off).Seconds()); at > off && before > float64(k)+tolerance {
				t.Fatalf("T(%d) = %v is late: %v requests are due a microsecond before", k, at, before)
			}
			if after := integral(stages, (at + off).Seconds()); after < float64(k)-tolerance {
				t.Fatalf("T(%d) = %v is early: only %v requests are due a microsecond after", k, at, after)
			}
		}
	})
}

func TestMomentsNeverGoBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, s := drawSchedule(t)
		last := time.Duration(0)
		c := s.NewShare(0, 1, nil).NewCursor()
		n := int64(0)
		for k, at, ok := c.Next(); ok; k, at, ok = c.Next() {
			if k != n || at < last || at > s.Duration() || at != s.DueAt(k) {
				t.Fatalf("request %d: cursor gives %d at %v, At %v, the one before %v", n, k, at,
					s.DueAt(k), last)
			}
			for stage := range s.Stages() {
				first, next, start, end := s.StageRange(stage)
				if k >= first && k < next && (at < start || at > end) {
					t.Fatalf("T(%d) = %v is not in its stage %d, %v to %v", k, at, stage, start, end)
				}
			}
			last, n = at, n+1
		}
		testmust.Equal(t, n, s.RequestCount(), "requests of the cursor")
	})
}

func TestDueByCountsTheMoments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, s := drawSchedule(t)
		at := time.Duration(rapid.Int64Range(-1, int64(s.Duration())+1).Draw(t, "at"))
		if rapid.Bool().Draw(t, "exactly at a request") {
			at = s.DueAt(rapid.Int64Range(0, s.RequestCount()-1).Draw(t, "k"))
		}
		n := s.DueBy(at)
		if n > 0 && at < s.Duration() && s.DueAt(n-1) > at || n < s.RequestCount() &&
			s.DueAt(n) <= at || n < 0 || n > s.RequestCount() {
			t.Fatalf("DueBy(%v) = %d of %d", at, n, s.RequestCount())
		}
	})
}

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
