package plot_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/view"
)

// sampled returns a page with the samples.
func sampled(t *testing.T, text string) string {
	t.Helper()
	parts := []view.Part{{Title: "Plots", Blocks: []view.Block{{Charts: samples(text)}}}}
	return string(testmust.Get(view.WritePage(view.Report{Parts: parts}))(t))
}

func TestAPageSaysInDataWhatItDraws(t *testing.T) {
	page := sampled(t, "")
	_, after, _ := strings.Cut(page, `id="plotted">`)
	text, _, _ := strings.Cut(after, "</script>")
	var drawn []struct {
		ID     string
		At     []*float64
		Series []struct {
			Label  string
			Values []*float64
		}
	}
	testmust.Succeed(t, json.Unmarshal([]byte(text), &drawn))
	if len(drawn) != 1 || len(drawn[0].Series) != 2 || len(drawn[0].At) != 100 ||
		drawn[0].Series[1].Values[50] != nil || *drawn[0].Series[1].Values[51] != 12 {
		t.Errorf("%d plots are drawn: %s", len(drawn), text)
	}
	if strings.Contains(page, "impossible") {
		t.Error("an infinite mark is drawn")
	}
	for _, want := range []string{
		"uPlot 1.6.32", "Permission is hereby granted",
		`<p class="nothing">Nothing came </p>`, "high: 10.0 ms to 16.0 ms, highest at 7 s",
	} {
		testmust.Contain(t, page, want)
	}
}

func TestLongTextsAreCut(t *testing.T) {
	if page := sampled(t, strings.Repeat("long ", 1<<18)); len(page) > 1<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

func TestValuesKeepWhatMatters(t *testing.T) {
	for _, c := range []struct {
		in   plot.Values
		want string
	}{
		{plot.Values{0, 1.5, math.NaN(), math.Inf(1), -1e300}, "[0,1.5,null,null,null]"},
		{plot.Values{1.23456789, 123456.789, 1795255365.654}, "[1.2346,123456.789,1795255365.654]"},
		{nil, "null"},
		{plot.Values{}, "[]"},
	} {
		if got, err := json.Marshal(c.in); err != nil || string(got) != c.want {
			t.Errorf("%v: %s, want %s (%v)", c.in, got, c.want, err)
		}
	}
}

func TestWords(t *testing.T) {
	ms, rate := plot.UnitMilliseconds.FormatValue, plot.UnitPerSecond.FormatValue
	elapsed, percentile := plot.FormatElapsed, plot.FormatPercentile
	for got, want := range map[string]string{
		ms(0.0421): "42 µs", ms(1234): "1234 ms", ms(12345): "12.3 s", ms(0): "–",
		rate(247.5): "247.5/s", rate(12345.6): "12,346/s",
		plot.UnitPercent.FormatValue(0.0123): "0.0123%", plot.UnitCount.FormatValue(math.NaN()): "–",
		elapsed(119): "119 s", elapsed(125): "2:05", elapsed(3607): "1:00:07",
		percentile(1): "p0", percentile(2): "p50", percentile(10): "p90",
		percentile(1000): "p99.9", percentile(3960): "p99.974",
		plot.AxisTimestamps.FormatPosition(1795257765): "2026-11-21 10:42:45 UTC",
	} {
		testmust.Equal(t, got, want)
	}
}

// samples returns a plot over time and one without values, with a text in every possible place.
func samples(text string) []plot.Figure {
	var at, low, high plot.Values
	for i := range 100 {
		at = append(at, float64(i+1))
		low = append(low, 1+math.Sin(float64(i)/9)/2)
		high = append(high, 10+float64(i%7))
	}
	high[50] = math.NaN()
	nothing := []plot.Series{{Label: "nothing", Values: plot.Values{math.NaN()}}}
	return []plot.Figure{
		{
			ID: "first", Title: "Title " + text, Note: "Note " + text, Unit: plot.UnitMilliseconds,
			X: plot.AxisElapsed, At: at,
			Series: append(nothing, plot.Series{Label: "low" + text, Values: low},
				plot.Series{Label: "high", Values: high}),
			Marks: []plot.Mark{
				{From: 0, To: 40, Label: "one" + text, Kind: plot.MarkStage},
				{From: 1e300, To: math.Inf(1), Label: "impossible"},
			},
			Limits: []plot.LimitLine{
				{Value: 20, Label: "p99<20ms" + text}, {Value: math.Inf(1), Label: "impossible"},
			},
		},
		{ID: "none", Title: "None", Empty: "Nothing came " + text, Series: nothing},
	}
}
