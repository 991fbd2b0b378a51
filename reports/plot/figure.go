// Package plot draws the plots of reports. A page contains the data of its plots and embeds uPlot,
// one script and one style sheet. It loads nothing. The plots follow light and dark mode, zoom,
// hide series and work from the keyboard.
//
// The page defines the colours --text, --quiet, --line, --surface, --code and --focus for both
// modes.
package plot

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tsenart/vegeta/v12/lib/plot"

	"github.com/gateassay/gateassay/internal/printable"
)

// Figure is one plot. Times on its x axis are in seconds.
type Figure struct {
	ID    string `json:"id"` // letters, digits and hyphens; unique on the page
	Title string `json:"title"`
	Note  string `json:"-"`     // description in one sentence, below the title
	Empty string `json:"-"`     // text in place of a plot without values
	Unit  Unit   `json:"unit"`  // unit of the values
	X     Axis   `json:"x"`     // the x axis
	Scale Scale  `json:"scale"` // scale of the values; the reader can change it
	// plots of one group share cursor and zoom; empty: none
	Group  string   `json:"group"`
	At     Values   `json:"at"`     // x of each value, ascending
	Series []Series `json:"series"` // lines of the plot; those without values are left out
	Marks  []Mark   `json:"marks"`  // moments or stretches of the x axis
	// limits of the values, drawn if they are near the values
	Limits []LimitLine `json:"limits"`
	Tall   int         `json:"tall"`        // height in pixels; 0: 240
	Least  float64     `json:"least_range"` // minimum width of the x axis
}

// Series is a line or a set of points in a plot.
type Series struct {
	Label  string `json:"label"`
	Colour Colour `json:"colour"`
	Dash   Dash   `json:"dash"`
	Marker Marker `json:"marker"`
	Fill   bool   `json:"fill"`   // fill the area down to the x axis
	Values Values `json:"values"` // as many as At
	At     Values `json:"at"`     // x of each value, ascending, if it differs from the figure's
}

// Mark is a point of the x axis, or a stretch of it if To is above From.
type Mark struct {
	From  float64  `json:"from"`
	To    float64  `json:"to"`
	Label string   `json:"label"`
	Kind  MarkKind `json:"kind"`
}

// LimitLine is a value marked across the plot.
type LimitLine struct {
	Value  float64 `json:"value"`
	Label  string  `json:"label"`
	Colour Colour  `json:"colour"`
	From   float64 `json:"from"` // stretch of the x axis where it holds; both zero: everywhere
	To     float64 `json:"to"`
}

// PositiveOrNaN returns v if it is above 0, otherwise NaN.
func PositiveOrNaN(v float64) float64 {
	if v > 0 {
		return v
	}
	return math.NaN()
}

// Unit is the unit of values.
type Unit string

// Units of values.
const (
	UnitMilliseconds Unit = "ms"
	UnitPerSecond    Unit = "rate"
	UnitCount        Unit = "count"
	UnitPercent      Unit = "percent" // 0 to 100
)

// Axis is the kind of the x axis.
type Axis string

// Axes.
const (
	AxisElapsed    Axis = "elapsed" // seconds of a run
	AxisTimestamps Axis = "moments" // seconds since 1970, shown as UTC
	// percentiles p as 1/(1-p), so that each further nine takes the same width
	AxisPercentiles Axis = "nines"
	AxisRates       Axis = "rates" // requests per second
)

// Scale maps values to heights.
type Scale string

// Scales. ScaleAutomatic is logarithmic where the values span more than a factor of 30.
const (
	ScaleAutomatic Scale = ""
	ScaleLinear    Scale = "linear"
)

// Colour is the name of a colour in the style sheet, which defines it for light and dark mode.
type Colour string

// Colours. All differ in both modes. Dashes and markers distinguish series without colour.
const (
	Blue   Colour = "blue"
	Orange Colour = "orange"
	Green  Colour = "green"
	Violet Colour = "violet"
	Red    Colour = "red"
	Teal   Colour = "teal"
	Amber  Colour = "amber"
	Pink   Colour = "pink"
	Grey   Colour = "grey"
	Olive  Colour = "olive"
)

// Dash is how a line is drawn.
type Dash string

// Dashes.
const (
	Solid   Dash = ""
	Dashed  Dash = "dashed"
	Dotted  Dash = "dotted"
	DotDash Dash = "dotdash"
	NoLine  Dash = "none" // markers only
)

// Marker is the shape drawn at each value.
type Marker string

// Markers. Lines with few values have dots by default.
const (
	Dot     Marker = "dot"
	Cross   Marker = "cross"
	Diamond Marker = "diamond"
)

// MarkKind is the meaning of a mark.
type MarkKind string

// Kinds of marks.
const (
	MarkStage  MarkKind = "stage"  // a stretch, named at its top; every other one is shaded
	MarkRegion MarkKind = "region" // a shaded stretch that matters
	MarkPoint  MarkKind = "point"  // a moment that matters
)

// Values are numbers. NaN and impossibly large ones mean not measured.
type Values []float64

// MarshalJSON writes what was not measured as null and other values with four decimals.
func (v Values) MarshalJSON() ([]byte, error) {
	if v == nil {
		return []byte("null"), nil
	}
	list := make([]any, len(v))
	for i, f := range v {
		if isMeasured(f) {
			list[i] = math.Round(f*10_000) / 10_000
		}
	}
	return json.Marshal(list)
}

// maxValue limits values: no figure of a run is larger, and its products stay finite.
const maxValue = 1e15

func isMeasured(f float64) bool { return math.Abs(f) < maxValue }

// maxTextLength limits each text of a figure, in characters.
const maxTextLength = 200

func cleanText(s string) string { return printable.Clip(s, maxTextLength) }

// Sanitised returns the figure without empty series and impossible marks, and with harmless texts.
func (f Figure) Sanitised() Figure {
	var series []Series
	for _, s := range f.Series {
		if slices.ContainsFunc(s.Values, isMeasured) {
			s.Label = cleanText(s.Label)
			series = append(series, s)
		}
	}
	f.Series = series
	f.Marks = slices.DeleteFunc(slices.Clone(f.Marks),
		func(m Mark) bool { return !isMeasured(m.From) || !isMeasured(m.To) })
	f.Limits = slices.DeleteFunc(slices.Clone(f.Limits),
		func(l LimitLine) bool { return !isMeasured(l.Value) })
	for i := range f.Marks {
		f.Marks[i].Label = cleanText(f.Marks[i].Label)
	}
	for i := range f.Limits {
		f.Limits[i].Label = cleanText(f.Limits[i].Label)
	}
	f.Title = cleanText(f.Title)
	f.Note = cleanText(f.Note)
	f.Empty = cleanText(cmp.Or(f.Empty, "Nothing was measured."))
	return f
}

var (
	//go:embed plot.css
	styles string
	//go:embed axes.js
	axes string
	//go:embed paint.js
	paint string
	//go:embed plot.js
	drawing string
	//go:embed uplot.txt
	licence string
)

// Drawing is the style, script and data that draw the figures of a page. The script reads the data
// from the element plotted.
type Drawing struct {
	Styles, Script string
	Data           []byte // JSON, in which <, > and & are escaped
}

// Draw returns the drawing of figures; empty without figures. It fails if uPlot is not in the
// program.
func Draw(figures []Figure) (d Drawing, err error) {
	if len(figures) == 0 {
		return d, nil
	}
	plotter, err := vegetaAsset("uPlot.min.js")
	if err != nil {
		return d, err
	}
	look, err := vegetaAsset("uPlot.min.css")
	if err != nil {
		return d, err
	}
	d.Styles = look + "\n" + styles
	// one function, so that nothing is global
	d.Script = "/*\n" + licence + "*/\n" + plotter +
		"\n(function () {\n\"use strict\";\n" + axes + paint + drawing + "})();\n"
	shown := []Figure{}
	for _, f := range figures {
		if f = f.Sanitised(); len(f.Series) > 0 {
			shown = append(shown, f)
		}
	}
	d.Data, err = json.Marshal(shown)
	return d, err
}

// vegetaAsset reads an asset of vegeta's plots.
func vegetaAsset(name string) (string, error) {
	file, err := plot.Assets.Open(name)
	if err != nil {
		return "", fmt.Errorf("the plots' %s: %w", name, err)
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(file)
	return strings.TrimSpace(string(data)), err
}
