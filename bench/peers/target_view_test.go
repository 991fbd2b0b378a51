package peers

import (
	"math"
	"testing"
	"time"

	"github.com/gateassay/gateassay/bench/sink"
	"github.com/gateassay/gateassay/internal/testmust"
)

// stalled returns the log of 10 s at 1,000/s with answers after 20 ms. Answers due in [5 s, 6 s)
// come at 6 s.
func stalled(late func(k int) time.Duration) []sink.RequestTimes {
	var log []sink.RequestTimes
	for k := range 10_000 {
		arrived := time.Duration(k)*time.Millisecond + late(k)
		answered := arrived + 20*time.Millisecond
		if answered >= 5*time.Second && answered < 6*time.Second {
			answered = 6 * time.Second
		}
		log = append(log, sink.RequestTimes{Arrived: time.Hour + arrived, Answered: time.Hour + answered})
	}
	return log
}

func TestLookTellsTheTruthOfAStall(t *testing.T) {
	onTime := func(int) time.Duration { return 0 }
	seen := testmust.Get(ViewOfTarget(stalled(onTime), 1000))(t)
	// 100 of 10,000 waited for more than 920 ms: those sent in the first 100 ms of the stall of
	// 1,020 ms.
	if seen.Requests != 10_000 || seen.P99 < 915*time.Millisecond ||
		seen.P99 > 925*time.Millisecond ||
		seen.LagP99 > time.Microsecond || math.Abs(seen.RateError) > 1e-9 {
		t.Errorf("%+v", seen)
	}
	// like a tool that waits for answers before it sends more
	held := func(k int) time.Duration {
		if k > 5000 && k < 6000 {
			return time.Duration(6000-k) * time.Millisecond
		}
		return 0
	}
	again := testmust.Get(ViewOfTarget(stalled(held), 1000))(t)
	if again.P99 < 900*time.Millisecond || again.LagP99 < 850*time.Millisecond {
		t.Errorf("what was sent late counts from when it was meant: %+v", again)
	}
	slower, err := ViewOfTarget(
		stalled(func(k int) time.Duration { return time.Duration(k) * 10 * time.Microsecond }), 1000)
	if err != nil || math.Abs(slower.RateError+0.0099) > 1e-4 {
		t.Errorf("a hundredth too slow: %+v, %v", slower, err)
	}
	if _, err := ViewOfTarget(nil, 1000); err == nil {
		t.Error("an empty log says nothing, and that must be said")
	}
}
