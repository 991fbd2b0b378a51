package peers

import (
	"math"
	"testing"
	"time"

	"github.com/gateassay/gateassay/bench/sink"
	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/traffic"
)

// stalled is the log of 10 s at 1,000/s, answered after 20 ms; answers due in [5 s, 6 s) come at 6 s.
func stalled(late func(k int) time.Duration) []sink.Entry {
	var log []sink.Entry
	for k := range 10_000 {
		arrived := time.Duration(k)*time.Millisecond + late(k)
		answered := arrived + 20*time.Millisecond
		if answered >= 5*time.Second && answered < 6*time.Second {
			answered = 6 * time.Second
		}
		log = append(log, sink.Entry{Arrived: int64(time.Hour + arrived), Answered: int64(time.Hour + answered)})
	}
	return log
}

func TestLookTellsTheTruthOfAStall(t *testing.T) {
	onTime := func(int) time.Duration { return 0 }
	seen := must.Get(Look(stalled(onTime), 1000))(t)
	// 100 of 10,000 waited for more than 920 ms: those that were sent in the first 100 ms of the stall's 1,020.
	if seen.Requests != 10_000 || seen.P99 < 915*time.Millisecond || seen.P99 > 925*time.Millisecond ||
		seen.LagP99 > time.Microsecond || math.Abs(seen.RateError) > 1e-9 {
		t.Errorf("%+v", seen)
	}
	held := func(k int) time.Duration { // as with a tool that waits for the answers before it sends more
		if k > 5000 && k < 6000 {
			return time.Duration(6000-k) * time.Millisecond
		}
		return 0
	}
	again := must.Get(Look(stalled(held), 1000))(t)
	if again.P99 < 900*time.Millisecond || again.LagP99 < 850*time.Millisecond {
		t.Errorf("what was sent late counts from when it was meant: %+v", again)
	}
	slower, err := Look(stalled(func(k int) time.Duration { return time.Duration(k) * 10 * time.Microsecond }), 1000)
	if err != nil || math.Abs(slower.RateError+0.0099) > 1e-4 {
		t.Errorf("a hundredth too slow: %+v, %v", slower, err)
	}
	if _, err := Look(nil, 1000); err == nil {
		t.Error("an empty log says nothing, and that must be said")
	}
}

func TestTruthIsTakenRequestByRequest(t *testing.T) {
	j := Job{Rate: 1000, For: time.Second, RunID: "truth"}
	plan := must.Get(schedule.New(schedule.Stage{Kind: schedule.Constant, Rate: j.Rate, For: j.For}))(t)
	source := must.Get(traffic.New(traffic.Options{Seed: 1, RunID: j.RunID, Schedule: plan}))(t)
	r := Report{StartNS: 5e9}
	var log []sink.Entry
	for k := range plan.K() { // the last 20 arrive first, and are answered late
		var q traffic.Request
		source.Fill(plan.K()-1-k, &q)
		wait := time.Millisecond
		if k < 20 {
			wait = 300 * time.Millisecond
		}
		log = append(log, sink.Entry{
			Nonce: q.Nonce, Arrived: k,
			Answered: r.StartNS + int64(plan.At(plan.K()-1-k)+wait),
		})
	}
	if got, err := TrueP99(log, j, r); err != nil || got != 300*time.Millisecond {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := TrueP99(log[1:], j, r); err == nil {
		t.Error("a request is missing, and nothing was said")
	}
	if _, err := TrueP99(append(log[1:], sink.Entry{}), j, r); err == nil {
		t.Error("a stranger is in the log, and nothing was said")
	}
}
