package schedule

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// intended is the rate of a stage straight from its words, in requests per second, t seconds after its start.
func intended(s Stage, t float64) float64 {
	switch s.Kind {
	case Ramp:
		return s.From + (s.To-s.From)*t/s.For.Seconds()
	case Steps:
		i := min(int(t/s.Each.Seconds()), s.levels()-1)
		if s.Count > 0 {
			return s.From + (s.To-s.From)*float64(i)/math.Max(1, float64(s.Count-1))
		}
		if s.To >= s.From {
			return math.Min(s.From+float64(i)*s.Step, s.To)
		}
		return math.Max(s.From-float64(i)*s.Step, s.To)
	case Spike:
		if t >= s.At.Seconds() && t < (s.At+s.Width).Seconds() {
			return s.Peak
		}
		return s.Base
	case Sine:
		return s.Mean + s.Amplitude*math.Sin(2*math.Pi*t/s.Period.Seconds())
	}
	return s.Rate
}

// corners are the moments within a stage where its rate jumps.
func corners(s Stage) []float64 {
	var at []float64
	switch s.Kind {
	case Steps:
		for i := 1; i < s.levels(); i++ {
			at = append(at, float64(i)*s.Each.Seconds())
		}
	case Spike:
		at = append(at, s.At.Seconds(), (s.At + s.Width).Seconds())
	case Sine:
		for i := 1; float64(i)*s.Period.Seconds() < s.For.Seconds(); i++ {
			at = append(at, float64(i)*s.Period.Seconds())
		}
	}
	return at
}

// integral is C(t) by Simpson's rule between the corners.
func integral(stages []Stage, t float64) float64 {
	sum := 0.0
	for _, s := range stages {
		end := math.Min(t, s.Duration().Seconds())
		from := 0.0
		for _, to := range append(corners(s), s.Duration().Seconds()) {
			to = math.Min(to, end)
			if to <= from {
				continue
			}
			const n = 200
			h := (to - from) / n
			// Just inside the corner: what holds at the jump itself belongs to the next part.
			eps := h * 1e-9
			part := intended(s, from+eps) + intended(s, to-eps)
			for i := 1; i < n; i++ {
				part += float64(2+2*(i%2)) * intended(s, from+float64(i)*h)
			}
			sum += part * h / 3
			from = to
		}
		if t -= s.Duration().Seconds(); t <= 0 {
			break
		}
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
	return time.Duration(rapid.Int64Range(int64(10*time.Millisecond), int64(time.Minute)).Draw(t, label))
}

func drawStage(t *rapid.T) Stage {
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		return Stage{Kind: Ramp, From: drawRate(t, "from"), To: drawRate(t, "to"), For: drawLength(t, "for")}
	case 1:
		return Stage{
			Kind: Steps, From: drawRate(t, "from"), To: drawRate(t, "to"),
			Count: rapid.IntRange(2, 9).Draw(t, "count"), Each: drawLength(t, "each"),
		}
	case 2:
		return Stage{
			Kind: Steps, From: drawRate(t, "from"), To: drawRate(t, "to"),
			Step: rapid.Float64Range(20, 90).Draw(t, "step"), Each: drawLength(t, "each"),
		}
	case 3:
		at, width := drawLength(t, "at"), drawLength(t, "width")
		return Stage{
			Kind: Spike, Base: drawRate(t, "base"), Peak: drawRate(t, "peak"), At: at, Width: width,
			For: at + width + drawLength(t, "rest"),
		}
	case 4:
		mean := drawRate(t, "mean")
		return Stage{
			Kind: Sine, Mean: mean, Amplitude: mean * rapid.Float64Range(0, 1).Draw(t, "part"),
			Period: max(drawLength(t, "period"), time.Second), For: drawLength(t, "for"),
		}
	}
	return Stage{Kind: Constant, Rate: drawRate(t, "rate"), For: drawLength(t, "for")}
}

// drawSchedule draws a schedule that has requests.
func drawSchedule(t *rapid.T) ([]Stage, *Schedule) {
	stages := rapid.SliceOfN(rapid.Custom(drawStage), 1, 4).Draw(t, "stages")
	s, err := New(stages...)
	if err != nil && strings.Contains(err.Error(), "at least one request, found none") {
		stages = append(stages, Stage{Kind: Constant, Rate: 3, For: time.Second})
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
		if k := float64(s.K()); k < total-1e-6 || k > total+1+1e-6 {
			t.Fatalf("K = %v, the integral of the rate is %v", k, total)
		}
		for range 12 {
			k := rapid.Int64Range(0, s.K()-1).Draw(t, "k")
			at := s.At(k)
			const off = time.Microsecond
			tolerance := 1e-8 * (1 + total) // of Simpson's rule
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
		c := s.Share(0, 1, nil).Cursor()
		n := int64(0)
		for k, at, ok := c.Next(); ok; k, at, ok = c.Next() {
			if k != n || at < last || at > s.Duration() || at != s.At(k) {
				t.Fatalf("request %d: cursor gives %d at %v, At %v, the one before %v", n, k, at, s.At(k), last)
			}
			for stage := range s.Stages() {
				first, next, start, end := s.StageRange(stage)
				if k >= first && k < next && (at < start || at > end) {
					t.Fatalf("T(%d) = %v is not in its stage %d, %v to %v", k, at, stage, start, end)
				}
			}
			last, n = at, n+1
		}
		if n != s.K() {
			t.Fatalf("the cursor gives %d requests, K is %d", n, s.K())
		}
	})
}

func TestDueByCountsTheMoments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, s := drawSchedule(t)
		at := time.Duration(rapid.Int64Range(-1, int64(s.Duration())+1).Draw(t, "at"))
		if rapid.Bool().Draw(t, "exactly at a request") {
			at = s.At(rapid.Int64Range(0, s.K()-1).Draw(t, "k"))
		}
		n := s.DueBy(at)
		if n > 0 && at < s.Duration() && s.At(n-1) > at || n < s.K() && s.At(n) <= at || n < 0 || n > s.K() {
			t.Fatalf("DueBy(%v) = %d of %d", at, n, s.K())
		}
	})
}
