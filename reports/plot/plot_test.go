package plot_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/recordtest"
)

// sampled returns a page with the samples.
func sampled(t *testing.T, text string) string {
	t.Helper()
	return string(testmust.Get(
		view.WritePage(
			view.Report{Parts: []view.Part{{Title: "Plots", Blocks: []view.Block{{Charts: samples(text)}}}}},
		),
	)(t))
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
	if len(drawn) != 4 || len(drawn[0].Series) != 2 || len(drawn[0].At) != 100 ||
		drawn[0].Series[1].Values[50] != nil || *drawn[0].Series[1].Values[51] != 12 {
		t.Errorf("%d plots are drawn: %s", len(drawn), text)
	}
	for _, want := range []string{
		"uPlot 1.6.32", "Permission is hereby granted",
		`<p class="nothing">Nothing came </p>`, "high: 10.0 ms to 16.0 ms, highest at 7 s",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestTextsCannotLeaveTheirPlace(t *testing.T) {
	for name, text := range map[string]string{
		"markup":   recordtest.HostileText,
		"megabyte": strings.Repeat(recordtest.HostileText, 1<<20/len(recordtest.HostileText)),
	} {
		page := sampled(t, text)
		if strings.Contains(page, "<script>alert") || strings.Contains(page, "<img src") ||
			strings.Count(page, "</script>") != 2 {
			t.Errorf("%s: a text became markup", name)
		}
		if len(page) > 1<<20 {
			t.Errorf("%s: the page has %d bytes", name, len(page))
		}
	}
}

func TestValuesKeepWhatMatters(t *testing.T) {
	for _, c := range []struct {
		in   plot.Values
		want string
	}{
		{plot.Values{0, 1.5, math.NaN(), math.Inf(1)}, "[0,1.5,null,null]"},
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
	for got, want := range map[string]string{
		plot.UnitMilliseconds.FormatValue(
			0.0421): "42 µs", plot.UnitMilliseconds.FormatValue(1234): "1234 ms",
		plot.UnitMilliseconds.FormatValue(12345): "12.3 s", plot.UnitMilliseconds.FormatValue(0): "–",
		plot.UnitPerSecond.FormatValue(
			247.5): "247.5/s", plot.UnitPerSecond.FormatValue(12345.6): "12,346/s",
		plot.UnitPercent.FormatValue(0.0123): "0.0123%", plot.UnitCount.FormatValue(math.NaN()): "–",
		plot.FormatElapsed(
			119): "119 s", plot.FormatElapsed(125): "2:05", plot.FormatElapsed(3607): "1:00:07",
		plot.FormatPercentile(1): "p0", plot.FormatPercentile(2): "p50", plot.FormatPercentile(10): "p90",
		plot.FormatPercentile(1000): "p99.9", plot.FormatPercentile(3960): "p99.974",
		plot.AxisTimestamps.FormatPosition(1795257765): "2026-11-21 10:42:45 UTC",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// samples returns two plots over time in one group, a distribution of two runs, one of markers,
// and one without values. They have a text in every possible place.
func samples(text string) []plot.Figure {
	var at, low, high plot.Values
	for i := range 100 {
		at = append(at, float64(i+1))
		low = append(low, 1+math.Sin(float64(i)/9)/2)
		high = append(high, 10+float64(i%7))
	}
	high[50] = math.NaN()
	over := func(id string) plot.Figure {
		return plot.Figure{
			ID: id, Title: "Title " + text, Note: "Note " + text, Unit: plot.UnitMilliseconds,
			X: plot.AxisElapsed, Group: "time", At: at,
			Series: []plot.Series{
				{Label: "low" + text, Colour: plot.Blue, Values: low},
				{Label: "high", Colour: plot.Orange, Dash: plot.Dashed, Values: high},
				{Label: "nothing", Values: plot.Values{math.NaN()}},
			},
			Marks: []plot.Mark{
				{From: 0, To: 40, Label: "one" + text, Kind: plot.MarkStage},
				{From: 40, To: 100, Label: "two", Kind: plot.MarkStage},
			},
			Limits: []plot.LimitLine{{Value: 20, Label: "p99<20ms" + text, Colour: plot.Red}},
		}
	}
	return []plot.Figure{
		over("first"), over("second"),
		{
			ID:    "overlaid",
			Title: "Overlaid",
			X:     plot.AxisPercentiles,
			Unit:  plot.UnitMilliseconds,
			Series: []plot.Series{
				{
					Label: "before", Colour: plot.Grey, Dash: plot.Dashed, At: plot.Values{1, 2, 10, 100, 1000},
					Values: plot.Values{1, 2, 3, 40, 500},
				},
				{
					Label:  "after",
					Colour: plot.Violet,
					At:     plot.Values{1, 3, 30, 300},
					Values: plot.Values{1, 2, 4, 50},
				},
			},
		},
		{
			ID: "marked", Title: "Marked", X: plot.AxisRates, Unit: plot.UnitPercent, At: plot.Values{
				100, 200, 400,
			},
			Series: []plot.Series{
				{
					Label: "held", Colour: plot.Green, Dash: plot.NoLine, Marker: plot.Dot,
					Values: plot.Values{0, 0, math.NaN()},
				},
				{
					Label: "missed", Colour: plot.Red, Dash: plot.NoLine, Marker: plot.Cross,
					Values: plot.Values{math.NaN(), math.NaN(), 7},
				},
			}, Marks: []plot.Mark{
				{From: 150, To: 250, Label: "within", Kind: plot.MarkRegion},
				{From: 200, Label: "capacity", Kind: plot.MarkPoint},
			},
		},
		{
			ID: "none", Title: "None", Empty: "Nothing came " + text,
			Series: []plot.Series{{Label: "x", Values: plot.Values{math.NaN()}}},
		},
	}
}
