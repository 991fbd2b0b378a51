package loadreport

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/plot"
)

func TestThresholdsOfTimesAreLinesWhereTheyHold(t *testing.T) {
	run := results.Run{Stages: []results.StageResult{
		{Number: 1, Name: "climb", EndMS: 6000},
		{Number: 2, Name: "hold", StartMS: 6000, EndMS: 16000},
	}}
	for _, expr := range []string{
		"p99<300ms", "service.max<2s", "p90<100ms for hold",
		"errors<1%", "mean<1s", "file.p95<30s", "lag.p99<5ms", "</script>", "p99<1s for nowhere",
	} {
		run.Thresholds = append(run.Thresholds, threshold.Result{Expr: expr})
	}
	f := Charts(run, RunData{})
	for name, want := range map[string]string{
		"response": "p99<300ms 300 0-0, p90<100ms for hold 100 6-16",
		"service":  "service.max<2s 2000 0-0", "files": "file.p95<30s 30000 0-0", "answers": "",
		"distribution": "p99<300ms 300 1-100, service.max<2s 2000 1-1e+09",
	} {
		var got []string
		for _, l := range f[name].Limits {
			got = append(got,
				l.Label+" "+digits(l.Value)+" "+digits(l.From)+"-"+digits(l.To))
		}
		testmust.Equal(t, strings.Join(got, ", "), want, name)
	}
	if l := f["lag"].Limits; len(l) != 2 || l[1].Value != 5 {
		t.Errorf("send lag: %v", l)
	}
}

func digits(v float64) string {
	text := strings.TrimSuffix(plot.UnitCount.FormatValue(math.Round(v)), "/s")
	if v >= 1e9-2 {
		return "1e+09"
	}
	return text
}

// Joined points have the sums of their intervals, and the worst of their worst times.
func TestJoiningKeepsWhatWasCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []IntervalPoint
		var sent int64
		worst := time.Duration(0)
		for i := range rapid.IntRange(1, 50).Draw(t, "intervals") {
			took := time.Duration(rapid.IntRange(1, 1000).Draw(t, "ms")) * time.Millisecond
			d := new(results.Distribution)
			d.Record(took)
			p := IntervalPoint{
				From: float64(i), To: float64(i + 1), Stage: 1 + i/20, Sent: int64(i),
				CPU: 0.5,
			}
			p.Times = map[threshold.TimeKind]*results.Distribution{threshold.TimeResponse: d}
			list, sent, worst = append(list, p), sent+p.Sent, max(worst, took)
		}
		all, to, got, most := Downsample(list, rapid.IntRange(1, 60).Draw(t, "n")), 0.0, int64(0), 0.0
		for _, p := range all {
			if p.From != to || math.Abs(p.CPU-0.5) > 1e-9 {
				t.Fatalf("from %g after %g, CPU %g", p.From, to, p.CPU)
			}
			to, got, most = p.To, got+p.Sent, max(most, p.PercentileMS(threshold.TimeResponse, 100))
		}
		if got != sent || to != float64(len(list)) ||
			math.Abs(most-milliseconds(worst)) > most/100 {
			t.Fatalf("%d of %d sent until %g, at most %g ms of %s", got, sent, to, most, worst)
		}
	})
}

func TestTheCurveMarksWhereTheCapacityLies(t *testing.T) {
	for want, found := range map[string]capacity.Estimate{
		"capacity within 200-260; capacity 200/s 200-0":           {Rate: 200, Low: 200, High: 260},
		"capacity within 250-400; capacity 300/s 300-0":           {Rate: 300, Low: 250, High: 400},
		"capacity here or above 800-800000; capacity 800/s 800-0": {Rate: 800, Low: 800},
		"capacity below 0-50":                                     {High: 50},
		"":                                                        {},
	} {
		var got []string
		for _, m := range capacityMarks(found) {
			got = append(got, m.Label+" "+digits(m.From)+"-"+digits(m.To))
		}
		testmust.Equal(t, strings.Join(got, "; "), want, found)
	}
}
