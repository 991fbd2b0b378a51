package schedule

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
	"pgregory.net/rapid"
)

var _ vegeta.Pacer = Pacer{}

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
		return Stage{Kind: Steps, From: drawRate(t, "from"), To: drawRate(t, "to"), Count: rapid.IntRange(2, 9).Draw(t, "count"), Each: drawLength(t, "each")}
	case 2:
		return Stage{Kind: Steps, From: drawRate(t, "from"), To: drawRate(t, "to"), Step: rapid.Float64Range(20, 90).Draw(t, "step"), Each: drawLength(t, "each")}
	case 3:
		at, width := drawLength(t, "at"), drawLength(t, "width")
		return Stage{Kind: Spike, Base: drawRate(t, "base"), Peak: drawRate(t, "peak"), At: at, Width: width, For: at + width + drawLength(t, "rest")}
	case 4:
		mean := drawRate(t, "mean")
		return Stage{Kind: Sine, Mean: mean, Amplitude: mean * rapid.Float64Range(0, 1).Draw(t, "part"), Period: max(drawLength(t, "period"), time.Second), For: drawLength(t, "for")}
	}
	return Stage{Kind: Constant, Rate: drawRate(t, "rate"), For: drawLength(t, "for")}
}

// drawSchedule draws a schedule that has requests.
func drawSchedule(t *rapid.T) ([]Stage, *Schedule) {
	stages := rapid.SliceOfN(rapid.Custom(drawStage), 1, 4).Draw(t, "stages")
	s, err := New(stages...)
	if err != nil {
		if !strings.Contains(err.Error(), "at least one request, found none") {
			t.Fatalf("%v", err)
		}
		t.Skip("no requests")
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
		c := s.Cursor(0, 1)
		n := int64(0)
		for k, at, ok := c.Next(); ok; k, at, ok = c.Next() {
			if k != n || at < last || at > s.Duration() || at != s.At(k) {
				t.Fatalf("request %d: cursor gives %d at %v, At %v, the one before %v", n, k, at, s.At(k), last)
			}
			first, next, start, end := s.StageRange(s.StageOf(k))
			if k < first || k >= next || at < start || at > end {
				t.Fatalf("T(%d) = %v is not in its stage %d: requests %d to %d, %v to %v", k, at, s.StageOf(k), first, next, start, end)
			}
			last, n = at, n+1
		}
		if n != s.K() {
			t.Fatalf("the cursor gives %d requests, K is %d", n, s.K())
		}
	})
}

func TestShardsTogetherAreTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, s := drawSchedule(t)
		shards := rapid.IntRange(1, 16).Draw(t, "shards")
		seen := make([]int, s.K())
		for shard := range shards {
			c, p, n := s.Cursor(shard, shards), s.Pacer(shard, shards), uint64(0)
			for k, at, ok := c.Next(); ok; k, at, ok = c.Next() {
				seen[k]++
				wait, stop := p.Pace(0, n)
				if at != s.At(k) || stop || wait != at || p.K(n) != k {
					t.Fatalf("shard %d of %d, request %d: cursor %v, schedule %v, pacer %v %v", shard, shards, k, at, s.At(k), wait, stop)
				}
				n++
			}
			if _, stop := p.Pace(0, n); !stop || int64(n) != s.Count(shard, shards) {
				t.Fatalf("shard %d of %d has %d requests, Count says %d, the pacer stops: %v", shard, shards, n, s.Count(shard, shards), stop)
			}
		}
		for k, n := range seen {
			if n != 1 {
				t.Fatalf("request %d belongs to %d of %d shards", k, n, shards)
			}
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

func mustNew(t testing.TB, stages ...Stage) *Schedule {
	t.Helper()
	s, err := New(stages...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestConventions(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		name   string
		stages []Stage
		k      int64
		want   map[int64]time.Duration
	}{
		{"constant", []Stage{{Kind: Constant, Rate: 4, For: s}}, 4, map[int64]time.Duration{0: 0, 1: s / 4, 3: 3 * s / 4, 4: s, 99: s, -1: 0}},
		{"100 in a minute are 100", []Stage{{Kind: Constant, Rate: 100.0 / 60, For: time.Minute}}, 100, map[int64]time.Duration{99: 59400 * time.Millisecond}},
		{"a part of a request", []Stage{{Kind: Constant, Rate: 1, For: 1500 * time.Millisecond}}, 2, map[int64]time.Duration{1: s}},
		{"ramp from nothing", []Stage{{Kind: Ramp, To: 2, For: 100 * s}}, 100, map[int64]time.Duration{0: 0, 1: 10 * s, 25: 50 * s}},
		{"ramp to nothing", []Stage{{Kind: Ramp, From: 2, For: 100 * s}}, 100, map[int64]time.Duration{0: 0, 75: 50 * s, 99: 90 * s}},
		{"the ramp and hold of the notes", []Stage{{Kind: Ramp, From: 10, To: 200, For: 3 * s}, {Kind: Constant, Rate: 200, For: 4 * s}}, 1115, map[int64]time.Duration{315: 3 * s, 515: 4 * s}},
		{"a pause holds the next request", []Stage{{Kind: Constant, Rate: 1, For: 2 * s}, {Kind: Constant, For: 10 * s}, {Kind: Constant, Rate: 1, For: 2 * s}}, 4, map[int64]time.Duration{1: s, 2: 12 * s, 3: 13 * s}},
		{"steps", []Stage{{Kind: Steps, From: 1, To: 3, Count: 3, Each: s}}, 6, map[int64]time.Duration{0: 0, 1: s, 3: 2 * s}},
		{"steps down by step, the last one shorter", []Stage{{Kind: Steps, From: 5, To: 1, Step: 3, Each: s}}, 8, map[int64]time.Duration{5: s, 7: 2 * s}},
		{"spike", []Stage{{Kind: Spike, Base: 1, Peak: 10, At: 2 * s, Width: s, For: 4 * s}}, 13, map[int64]time.Duration{2: 2 * s, 7: 2500 * time.Millisecond, 12: 3 * s}},
		{"whole sine", []Stage{{Kind: Sine, Mean: 5, Amplitude: 5, Period: 10 * s, For: 20 * s}}, 100, map[int64]time.Duration{0: 0, 50: 10 * s}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mustNew(t, c.stages...)
			if got.K() != c.k {
				t.Errorf("K = %d, expected %d", got.K(), c.k)
			}
			for k, want := range c.want {
				if at := got.At(k); at != want {
					t.Errorf("T(%d) = %v, expected %v", k, at, want)
				}
			}
		})
	}
}

func TestNothingDriftsOverDays(t *testing.T) {
	const day = 24 * time.Hour
	constant := mustNew(t, Stage{Kind: Constant, Rate: 100.0 / 60, For: 90 * day})
	for _, k := range []int64{1, 12345, 144_000*89 + 7} {
		// 100 a minute: one each 600 ms, in whole numbers.
		if at, want := constant.At(k), time.Duration(k)*600*time.Millisecond; (at - want).Abs() > 2 {
			t.Errorf("constant: T(%d) = %v, expected %v", k, at, want)
		}
	}
	sine := mustNew(t, Stage{Kind: Sine, Mean: 1000, Amplitude: 999, Period: time.Hour, For: 30 * day})
	for _, j := range []int64{0, 1, 77, 1_800_000, 3_599_999} {
		k := int64(29*24+5)*3_600_000 + j
		if at, want := sine.At(k), (29*day + 5*time.Hour + sine.At(j)); (at - want).Abs() > 2 {
			t.Errorf("sine: T(%d) = %v, expected %v", k, at, want)
		}
	}
	// A million per second for ten days, and then one per second: the second stage begins on the dot.
	then := mustNew(t, Stage{Kind: Constant, Rate: 1e6, For: 10 * day}, Stage{Kind: Constant, Rate: 1, For: time.Minute})
	if at := then.At(864_000_000_000 + 3); at != 10*day+3*time.Second {
		t.Errorf("after many: T = %v", at)
	}
	// A ramp over a week against the same sum in 200 bits.
	ramp := mustNew(t, Stage{Kind: Ramp, From: 0.7, To: 333.3, For: 7 * day})
	for k := int64(1); k < ramp.K(); k = k*7 + 3 {
		at := exact(float64(ramp.At(k).Nanoseconds()))
		at.Quo(at, exact(second))
		slope := new(big.Float).SetPrec(precise).Sub(exact(333.3), exact(0.7))
		slope.Quo(slope, exact((7 * day).Seconds()))
		due := product(at, exact(0.7))
		due.Add(due, product(product(at, at), product(slope, exact(0.5))))
		due.Sub(due, exactInt(k))
		off, _ := due.Float64()
		if seconds := off / ramp.Rate(ramp.At(k)); math.Abs(seconds) > 2e-9 {
			t.Errorf("ramp: T(%d) is %v s off", k, seconds)
		}
	}
}

func TestRate(t *testing.T) {
	s := mustNew(t, Stage{Kind: Ramp, From: 10, To: 30, For: 10 * time.Second}, Stage{Kind: Sine, Mean: 20, Amplitude: 5, Period: 4 * time.Second, For: 8 * time.Second}, Stage{Kind: Ramp, From: 30, To: 10, For: 10 * time.Second})
	for at, want := range map[time.Duration]float64{
		-1: 0, 0: 10, 5 * time.Second: 20, 10 * time.Second: 20, 11 * time.Second: 25, 13 * time.Second: 15, 23 * time.Second: 20, 28 * time.Second: 0,
	} {
		if got := s.Rate(at); math.Abs(got-want) > 1e-9 {
			t.Errorf("Rate(%v) = %v, expected %v", at, got, want)
		}
		if half := s.Pacer(1, 2).Rate(at); math.Abs(half-want/2) > 1e-9 {
			t.Errorf("one of two shards has the rate %v at %v", half, at)
		}
	}
	if s.PeakRate() != 30 {
		t.Errorf("PeakRate() = %v", s.PeakRate())
	}
	for at, want := range map[time.Duration]int{-1: 0, 0: 0, 10*time.Second - 1: 0, 10 * time.Second: 1, 18 * time.Second: 2, time.Hour: 2} {
		if got := s.StageAt(at); got != want {
			t.Errorf("StageAt(%v) = %d, expected %d", at, got, want)
		}
	}
}

func TestStagesThatCannotBeUsed(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		field, found string
		stages       []Stage
	}{
		{"", "0", nil},
		{"rate", "-1/s", []Stage{{Kind: Constant, Rate: -1, For: s}}},
		{"rate", "NaN/s", []Stage{{Kind: Constant, Rate: math.NaN(), For: s}}},
		{"rate", "+Inf/s", []Stage{{Kind: Constant, Rate: math.Inf(1), For: s}}},
		{"for", "0s", []Stage{{Kind: Constant, Rate: 1}}},
		{"", "none", []Stage{{Kind: Constant, For: s}}},
		{"", "2e+12", []Stage{{Kind: Constant, Rate: 1e6, For: 2e6 * s}}},
		{"", "1e+13", []Stage{{Kind: Constant, Rate: 5e6, For: 1e6 * s}, {Kind: Constant, Rate: 5e6, For: 1e6 * s}}},
		{"", "400 days", []Stage{{Kind: Constant, Rate: 1, For: 200 * 24 * time.Hour}, {Kind: Constant, Rate: 1, For: 200 * 24 * time.Hour}}},
		{"steps", "both", []Stage{{Kind: Steps, From: 1, To: 2, Step: 1, Count: 2, Each: s}}},
		{"steps", "neither", []Stage{{Kind: Steps, From: 1, To: 2, Each: s}}},
		{"steps.step", "1e-06/s", []Stage{{Kind: Steps, From: 1, To: 2, Step: 1e-6, Each: s}}},
		{"spike", "2s and 3s in 4s", []Stage{{Kind: Spike, Base: 1, Peak: 2, At: 2 * s, Width: 3 * s, For: 4 * s}}},
		{"sine.amplitude", "3/s", []Stage{{Kind: Sine, Mean: 2, Amplitude: 3, Period: s, For: s}}},
		{"", `"wobble"`, []Stage{{Kind: "wobble", For: s}}},
	} {
		_, err := New(c.stages...)
		var e *FieldError
		if !errors.As(err, &e) || e.Field != c.field || e.Found != c.found {
			t.Errorf("%v: %v, expected %q found in %q", c.stages, err, c.found, c.field)
		}
	}
}

// TestExtremesEndWell: no schedule panics or hangs, whatever its numbers.
func TestExtremesEndWell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.OneOf(rapid.Float64(), rapid.Float64Range(0, 1e7), rapid.Just(0.0), rapid.Just(1e-300))
		length := rapid.Map(rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, int64(MaxDuration))), func(n int64) time.Duration { return time.Duration(n) })
		stage := Stage{
			Kind: rapid.SampledFrom([]Kind{Constant, Ramp, Steps, Spike, Sine, ""}).Draw(t, "kind"),
			For:  length.Draw(t, "for"), Rate: rate.Draw(t, "rate"), From: rate.Draw(t, "from"), To: rate.Draw(t, "to"),
			Step: rate.Draw(t, "step"), Count: rapid.IntRange(-1, 50).Draw(t, "count"), Each: length.Draw(t, "each"),
			Base: rate.Draw(t, "base"), Peak: rate.Draw(t, "peak"), At: length.Draw(t, "at"), Width: length.Draw(t, "width"),
			Mean: rate.Draw(t, "mean"), Amplitude: rate.Draw(t, "amplitude"), Period: length.Draw(t, "period"),
		}
		s, err := New(stage)
		if err != nil {
			return
		}
		last := time.Duration(0)
		for _, k := range []int64{0, 1, s.K() / 3, s.K() / 2, s.K() - 2, s.K() - 1} {
			if k < 0 || k >= s.K() {
				continue
			}
			if at := s.At(k); at < 0 || at > s.Duration() {
				t.Fatalf("T(%d) = %v of %v", k, at, s.Duration())
			}
		}
		for i := range int64(50) {
			at := s.At(i * (s.K() / 50))
			if at < last {
				t.Fatalf("T(%d) = %v after %v", i*(s.K()/50), at, last)
			}
			last = at
		}
	})
}

func TestNoMomentAllocates(t *testing.T) {
	s := mustNew(t, Stage{Kind: Constant, Rate: 100, For: time.Minute}, Stage{Kind: Ramp, From: 1, To: 900, For: time.Minute}, Stage{Kind: Sine, Mean: 100, Amplitude: 50, Period: time.Minute, For: time.Hour})
	c, k := s.Cursor(0, 1), int64(0)
	if n := testing.AllocsPerRun(1000, func() { c.Next(); s.At(k); s.DueBy(time.Duration(k) * time.Millisecond); k += 317 }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkAt(b *testing.B) {
	for _, c := range []struct {
		name  string
		stage Stage
	}{
		{"constant", Stage{Kind: Constant, Rate: 1000, For: 24 * time.Hour}},
		{"ramp", Stage{Kind: Ramp, From: 1, To: 1000, For: 24 * time.Hour}},
		{"falling", Stage{Kind: Ramp, From: 1000, To: 1, For: 24 * time.Hour}},
		{"steps", Stage{Kind: Steps, From: 1, To: 1000, Count: 100, Each: 24 * time.Minute}},
		{"sine", Stage{Kind: Sine, Mean: 1000, Amplitude: 900, Period: time.Hour, For: 24 * time.Hour}},
	} {
		s := mustNew(b, c.stage)
		b.Run("At/"+c.name, func(b *testing.B) {
			k := int64(0)
			for b.Loop() {
				s.At(k)
				if k += 7919; k >= s.K() {
					k = 0
				}
			}
		})
		b.Run("Next/"+c.name, func(b *testing.B) {
			cursor := s.Cursor(0, 1)
			for b.Loop() {
				if _, _, ok := cursor.Next(); !ok {
					cursor = s.Cursor(0, 1)
				}
			}
		})
	}
}
