package schedule

import (
	"testing"
	"time"
)

func TestNoMomentAllocates(t *testing.T) {
	s := mustNew(t, Stage{Kind: Constant, Rate: 100, For: time.Minute},
		Stage{Kind: Ramp, From: 1, To: 900, For: time.Minute}, Stage{
			Kind: Sine, Mean: 100, Amplitude: 50,
			Period: time.Minute, For: time.Hour,
		})
	c, k := s.Cursor(0, 1), int64(0)
	if n := testing.AllocsPerRun(
		1000, func() { c.Next(); s.At(k); s.DueBy(time.Duration(k) * time.Millisecond); k += 317 }); n != 0 {
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
