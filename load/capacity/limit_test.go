package capacity_test

import (
	"context"
	"testing"
	"time"

	"github.com/gateassay/gateassay/load/capacity"
)

// A search names what ends the capacity, and no knee where latency stayed as it was.
func TestASearchNamesItsLimit(t *testing.T) {
	found, err := capacity.Find(t.Context(), capacity.Options{
		From: 10, To: 500,
		Wait: func(context.Context, time.Duration) error { return nil },
	},
		func(_ context.Context, rate float64) (capacity.Outcome, error) {
			o := capacity.Outcome{
				Holds: rate <= 53, Answering: true, Achieved: rate,
				P50: time.Millisecond, P99: 20 * time.Millisecond,
			}
			if !o.Holds {
				o.Reason, o.Trouble = "1 of 2 thresholds missed, first errors<1%: observed 7%", "429 answers"
			}
			return o, nil
		})
	if err != nil || found.Reason != "holds 51.9/s; from 54.2/s 429 answers: errors<1%: observed 7%" ||
		found.Knee != nil {
		t.Errorf("%v: %s, %+v", err, found.Reason, found.Knee)
	}
}
