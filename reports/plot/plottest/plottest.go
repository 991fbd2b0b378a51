// Package plottest has plots to test with, and a page that shows them.
package plottest

import (
	"math"

	"github.com/gateassay/gateassay/reports/frame"
	"github.com/gateassay/gateassay/reports/plot"
)

const layout = `<!DOCTYPE html><html lang="en"><head>{{template "head" .}}<title>plots</title></head>
<body><main><h1>Plots</h1><h2>All</h2><div class="plots">{{range .Figures}}{{.HTML}}{{end}}</div></main>{{.Tail}}</body></html>`

// Page is a page with figures.
func Page(figures []plot.Figure) ([]byte, error) {
	sealed, err := plot.Seal(figures, "")
	if err != nil {
		return nil, err
	}
	return frame.Render(layout, nil, struct {
		frame.Sealed
		Figures []plot.Figure
	}{sealed, figures})
}

// Samples are two plots of one group over time, a distribution of two runs, one of markers, and one without values. A
// text stands wherever a text can.
func Samples(text string) []plot.Figure {
	var at, low, high plot.Values
	for i := range 100 {
		at, low, high = append(at, float64(i+1)), append(low, 1+math.Sin(float64(i)/9)/2), append(high, 10+float64(i%7))
	}
	high[50] = math.NaN()
	over := func(id string) plot.Figure {
		return plot.Figure{
			ID: id, Title: "Title " + text, Note: "Note " + text, Unit: plot.Milliseconds,
			X: plot.Elapsed, Group: "time", At: at,
			Series: []plot.Series{
				{Label: "low" + text, Colour: plot.Blue, Values: low},
				{Label: "high", Colour: plot.Orange, Dash: plot.Dashed, Values: high},
				{Label: "nothing", Values: plot.Values{math.NaN()}},
			},
			Marks: []plot.Mark{
				{From: 0, To: 40, Label: "one" + text, Kind: plot.Stage},
				{From: 40, To: 100, Label: "two", Kind: plot.Stage},
			},
			Limits: []plot.Limit{{Value: 20, Label: "p99<20ms" + text, Colour: plot.Red}},
		}
	}
	return []plot.Figure{
		over("first"), over("second"),
		{ID: "overlaid", Title: "Overlaid", X: plot.Nines, Unit: plot.Milliseconds, Series: []plot.Series{
			{
				Label: "before", Colour: plot.Grey, Dash: plot.Dashed, At: plot.Values{1, 2, 10, 100, 1000},
				Values: plot.Values{1, 2, 3, 40, 500},
			},
			{Label: "after", Colour: plot.Violet, At: plot.Values{1, 3, 30, 300}, Values: plot.Values{1, 2, 4, 50}},
		}},
		{
			ID: "marked", Title: "Marked", X: plot.Rates, Unit: plot.Percent, At: plot.Values{100, 200, 400},
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
				{From: 150, To: 250, Label: "within", Kind: plot.Region},
				{From: 200, Label: "capacity", Kind: plot.Point},
			},
		},
		{
			ID: "none", Title: "None", Empty: "Nothing came " + text,
			Series: []plot.Series{{Label: "x", Values: plot.Values{math.NaN()}}},
		},
	}
}
