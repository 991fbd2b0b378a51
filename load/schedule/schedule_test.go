package schedule

import (
	"testing"
	"time"
)

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
	type moments map[int64]time.Duration
	for _, c := range []struct {
		name   string
		stages []Stage
		k      int64
		want   moments
	}{
		{"constant", []Stage{{Kind: Constant, Rate: 4, For: s}}, 4, moments{0: 0, 1: s / 4, 3: 3 * s / 4, 4: s, -1: 0}},
		{"100 in a minute", []Stage{{Kind: Constant, Rate: 100.0 / 60, For: 60 * s}}, 100, moments{99: 594 * s / 10}},
		{"a part of a request", []Stage{{Kind: Constant, Rate: 1, For: 3 * s / 2}}, 2, moments{1: s}},
		{"ramp from nothing", []Stage{{Kind: Ramp, To: 2, For: 100 * s}}, 100, moments{0: 0, 1: 10 * s, 25: 50 * s}},
		{"ramp to nothing", []Stage{{Kind: Ramp, From: 2, For: 100 * s}}, 100, moments{0: 0, 75: 50 * s, 99: 90 * s}},
		{"the ramp and hold of the notes", []Stage{
			{Kind: Ramp, From: 10, To: 200, For: 3 * s}, {Kind: Constant, Rate: 200, For: 4 * s},
		}, 1115, moments{315: 3 * s, 515: 4 * s}},
		{"a pause holds the next request", []Stage{
			{Kind: Constant, Rate: 1, For: 2 * s}, {Kind: Constant, For: 10 * s}, {Kind: Constant, Rate: 1, For: 2 * s},
		}, 4, moments{1: s, 2: 12 * s, 3: 13 * s}},
		{"steps", []Stage{{Kind: Steps, From: 1, To: 3, Count: 3, Each: s}}, 6, moments{0: 0, 1: s, 3: 2 * s}},
		{"steps down by step, the last one shorter", []Stage{
			{Kind: Steps, From: 5, To: 1, Step: 3, Each: s},
		}, 8, moments{5: s, 7: 2 * s}},
		{"spike", []Stage{
			{Kind: Spike, Base: 1, Peak: 10, At: 2 * s, Width: s, For: 4 * s},
		}, 13, moments{2: 2 * s, 7: 5 * s / 2, 12: 3 * s}},
		{"whole sine", []Stage{
			{Kind: Sine, Mean: 5, Amplitude: 5, Period: 10 * s, For: 20 * s},
		}, 100, moments{0: 0, 50: 10 * s}},
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
