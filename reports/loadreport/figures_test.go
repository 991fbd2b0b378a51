package loadreport

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/plot"
)

func TestThresholdsOfTimesAreLinesWhereTheyHold(t *testing.T) {
	run := results.Run{Stages: []results.Stage{
		{Number: 1, Name: "climb", EndMS: 6000},
		{Number: 2, Name: "hold", StartMS: 6000, EndMS: 16000},
	}}
	for _, expr := range []string{
		"p99<300ms", "service.max<2s", "p90<100ms for hold",
		"errors<1%", "mean<1s", "file.p95<30s", "lag.p99<5ms", "</script>", "p99<1s for nowhere",
	} {
		run.Thresholds = append(run.Thresholds, threshold.Result{Expr: expr})
	}
	f := newFigures(run, Data{})
	for name, c := range map[string]struct {
		limits []plot.Limit
		want   string
	}{
		"response": {f.Response.Limits, "p99<300ms 300 0-0, p90<100ms for hold 100 6-16"},
		"service":  {f.Service.Limits, "service.max<2s 2000 0-0"},
		"files":    {f.Files.Limits, "file.p95<30s 30000 0-0"}, "answers": {f.Answers.Limits, ""},
		"distribution": {f.Distribution.Limits, "p99<300ms 300 1-100, service.max<2s 2000 1-1e+09"},
	} {
		var got []string
		for _, l := range c.limits {
			got = append(got, strings.Join([]string{l.Label, digits(l.Value), digits(l.From) + "-" + digits(l.To)},
				" "))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
	if l := f.Lag.Limits; len(l) != 2 || l[1].Value != 5 {
		t.Errorf("send lag: %v", l)
	}
}

func digits(v float64) string {
	text := strings.TrimSuffix(plot.Count.Say(math.Round(v)), "/s")
	if v >= 1e9-2 {
		return "1e+09"
	}
	return text
}

// TestASliverAtTheEndIsNoPeak keeps the last, very short interval of a run from looking like a burst.
func TestASliverAtTheEndIsNoPeak(t *testing.T) {
	dir := t.TempDir()
	text := "seconds,target_rate,achieved_rate,accepted,response_p99_ms\n1,100,100,100,5\n2,100,100,100,6\n2.001,2000,2000,2,900\nNaN,1,1,1,1\n1.5,1,1,1,1\n"
	for name, text := range map[string]string{results.SeriesName: text, results.HistogramName: "#[empty]\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Seconds) != 2 || d.Seconds[1] != 2.001 || d.Achieved[1] > 102 || *d.Times["response_p99_ms"][1] != 900 {
		t.Errorf("%v, %v", d.Seconds, d.Achieved)
	}
}

func TestTheCurveMarksWhereTheCapacityLies(t *testing.T) {
	for name, c := range map[string]struct {
		result capacity.Result
		want   string
	}{
		"between": {
			capacity.Result{Rate: 200, Low: 200, High: 260, Knee: &capacity.Knee{Rate: 180}},
			"it lies within 200-260; capacity 200/s 200-0; knee 180/s 180-0",
		},
		"above":    {capacity.Result{Rate: 800, Low: 800}, "it lies here or higher 800-800000; capacity 800/s 800-0"},
		"below":    {capacity.Result{High: 50}, "it lies below 0-50"},
		"unstable": {capacity.Result{Rate: 300, Low: 250, High: 400}, "it lies within 250-400; capacity 300/s 300-0"},
		"nothing":  {capacity.Result{}, ""},
	} {
		var got []string
		for _, m := range capacityMarks(capacity.File{Capacity: c.result}) {
			got = append(got, m.Label+" "+digits(m.From)+"-"+digits(m.To))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}
