package schedule

import (
	"testing"
	"time"

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
