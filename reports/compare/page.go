package compare

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/gateassay/gateassay/reports/digest"
)

//go:embed compare.gohtml
var source string

// HTML is the result as one page that needs nothing else.
func HTML(r Result) ([]byte, error) {
	page, err := template.New("compare").Funcs(template.FuncMap{
		"clean": digest.Clean, "clip": func(s string) string { return digest.Clip(digest.Clean(s), 2000) }, "spoken": spoken, "label": func(v Verdict) string { return labels[v] },
		"headline": headline, "value": Metric.value, "change": Metric.change, "noise": Metric.noise,
	}).Parse(source)
	if err != nil {
		return nil, err
	}
	view := struct {
		Result
		Lists []list
		Plots []plot
	}{Result: r}
	if c := r.Conformance; c != nil {
		view.Lists = []list{{"Rules that changed", c.Changed}, {"Rules of the second run only", c.New}, {"Rules of the first run only", c.Gone}}
	}
	if l := r.Load; l != nil {
		view.Plots = l.plots()
	}
	var b bytes.Buffer
	err = page.Execute(&b, view)
	return b.Bytes(), err
}

type list struct {
	Title string
	Rules []Change
}

// plot is both runs overlaid, ready to be drawn.
type plot struct {
	Title  string
	Unit   string
	Says   string // in words, for those who do not see it
	Lines  [2]string
	XTicks []tick
	YTicks []tick
}

type tick struct {
	At   float64
	Text string
}

// The size of a plot, in units of its view box.
const (
	plotWidth, plotHeight = 720.0, 220.0
	left, margin, top     = 60.0, 30.0, 10.0
	bottom                = 24.0
)

func (l *Load) plots() []plot {
	type series struct {
		title, unit string
		of          func(Curve) (x []float64, y []*float64)
		xs          func(float64) string
	}
	seconds := func(v float64) string { return fmt.Sprintf("%.3gs", v) }
	var made []plot
	for _, s := range []series{
		{"Response time, p50", "ms", func(c Curve) ([]float64, []*float64) { return c.Seconds, c.P50 }, seconds},
		{"Response time, p99", "ms", func(c Curve) ([]float64, []*float64) { return c.Seconds, c.P99 }, seconds},
		{"Rate achieved", "/s", func(c Curve) ([]float64, []*float64) { return c.Seconds, present(c.Rate) }, seconds},
		{"Distribution of response times", "ms", func(c Curve) ([]float64, []*float64) {
			x := make([]float64, len(c.Quantiles))
			for i := range x {
				x[i] = -math.Log10(1 - scale[i]/100)
			}
			return x, present(c.Quantiles)
		}, func(v float64) string { return fmt.Sprintf("%.4g%%", 100*(1-math.Pow(10, -v))) }},
	} {
		var xs [2][]float64
		var ys [2][]*float64
		widest, highest := 0.0, 0.0
		for i, c := range l.Curves {
			xs[i], ys[i] = s.of(c)
			for j := range xs[i] {
				widest = max(widest, xs[i][j])
				if y := ys[i][j]; y != nil {
					highest = max(highest, *y)
				}
			}
		}
		if widest <= 0 || highest <= 0 {
			continue
		}
		p := plot{Title: s.title, Unit: s.unit}
		step := round(highest / 4)
		highest = step * math.Ceil(highest/step)
		across := func(x float64) float64 { return left + x/widest*(plotWidth-left-margin) }
		down := func(y float64) float64 { return plotHeight - bottom - y/highest*(plotHeight-top-bottom) }
		for i := range xs {
			p.Lines[i] = path(xs[i], ys[i], across, down)
		}
		for y := 0.0; y <= highest*1.001; y += step {
			p.YTicks = append(p.YTicks, tick{down(y), fmt.Sprintf("%.4g", y)})
		}
		for k := range 5 {
			x := widest * float64(k) / 4
			p.XTicks = append(p.XTicks, tick{across(x), s.xs(x)})
		}
		p.Says = fmt.Sprintf("%s of both runs: highest %.4g %s before, %.4g %s after", s.title, highestOf(ys[0]), s.unit, highestOf(ys[1]), s.unit)
		made = append(made, p)
	}
	return made
}

func present(values []float64) []*float64 {
	list := make([]*float64, len(values))
	for i := range values {
		list[i] = &values[i]
	}
	return list
}

func highestOf(values []*float64) float64 {
	most := 0.0
	for _, v := range values {
		if v != nil {
			most = max(most, *v)
		}
	}
	return most
}

// path draws a line; it breaks where nothing was measured.
func path(x []float64, y []*float64, across, down func(float64) float64) string {
	var b strings.Builder
	pen := "M"
	for i := range x {
		if y[i] == nil {
			pen = "M"
			continue
		}
		fmt.Fprintf(&b, "%s%.1f %.1f", pen, across(x[i]), down(*y[i]))
		pen = "L"
	}
	return b.String()
}

// round gives the next 1, 2 or 5 of a power of ten.
func round(v float64) float64 {
	ten := math.Pow(10, math.Floor(math.Log10(v)))
	for _, f := range []float64{1, 2, 5} {
		if f*ten >= v {
			return f * ten
		}
	}
	return 10 * ten
}
