package schedule

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/testmust"
)

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
