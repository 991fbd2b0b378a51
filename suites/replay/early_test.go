package replay

import "testing"

// What a run says of how far it looked back is the same in runs that are alike, so that comparisons show nothing.
func TestStepBelow(t *testing.T) {
	for x, want := range map[float64]float64{
		0: 0, 0.9: 0, 1: 1, 2.6: 2, 4.99: 2, 7: 5, 10: 10, 484: 200, 495: 200, 1000: 1000,
	} {
		if got := stepBelow(x); got != want {
			t.Errorf("%g: got %g, want %g", x, got, want)
		}
	}
}
