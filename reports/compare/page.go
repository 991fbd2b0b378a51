package compare

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/frame"
	"github.com/gateassay/gateassay/reports/plot"
)

//go:embed compare.gohtml
var layout string

//go:embed compare.css
var styles string

// longestShown is how much of one text of a run a page shows, in characters.
const longestShown = 2000

// view is what the template shows.
type view struct {
	Result
	Headline string
	Tone     string // ok, bad or unsure
	Sides    []namedSide
	Tiles    []tile
	Sections []section
	Groups   []group
	Plots    []plot.Figure
	frame.Sealed
}

type namedSide struct {
	Name string
	Side
}

// tile is a count or a figure at the top of the page.
type tile struct{ Value, Text, Tone string }

// HTML is the result as one page that needs nothing else.
func HTML(r Result) ([]byte, error) {
	v, err := newView(r)
	if err != nil {
		return nil, err
	}
	return frame.Render(layout, shared(r), v)
}

// shared are the functions of the page and the comment.
func shared(r Result) template.FuncMap {
	return template.FuncMap{
		"spoken": spoken, "lines": Drift.lines,
		"label": func(v Verdict) string { return looks[v].label },
		"tone":  func(v Verdict) string { return looks[v].tone },
		"value": shownValue, "because": because, "change": Metric.change, "noise": Metric.noise, "word": Metric.word,
		"report": func(c Change) string { // of the run that has the rule, the second where both do
			if c.After == "" {
				return r.Before.Report
			}
			return r.After.Report
		},
		"cards":    cards,
		"interval": interval, "ms": plot.Milliseconds.Say, "rate": plot.PerSecond.Say, "percent": percent,
		"share":     func(v float64) string { return fmt.Sprintf("%.2f%%", 100*v) },
		"tolerance": func(v float64) string { return fmt.Sprintf("%.4g %%", 100*v) },
		"seconds":   func(ms int64) string { return (time.Duration(ms) * time.Millisecond).String() },
		"ran":       ran, "ended": ended,
	}
}

// contents are what the comment shows, and the page as well.
func contents(r Result) view {
	v := view{
		Result: r, Headline: looks[r.Verdict].headline, Tone: looks[r.Verdict].tone,
		Sides: []namedSide{{"before", r.Before}, {"after", r.After}}, Tiles: tiles(r),
	}
	if r.Conformance != nil {
		v.Sections = r.Conformance.sections()
	} else if r.Load != nil {
		v.Groups = r.Load.groups()
	}
	return v
}

func newView(r Result) (view, error) {
	v := contents(r)
	if r.Load != nil {
		v.Plots = r.Load.figures()
	} else if r.Capacity != nil {
		v.Plots = r.Capacity.figures()
	}
	if len(v.Plots) == 0 { // nothing to draw, and no script
		v.Sealed = frame.Seal(styles, "")
		return v, nil
	}
	var err error
	v.Sealed, err = plot.Seal(v.Plots, styles)
	return v, err
}

// tiles are what the verdict rests on, in numbers.
func tiles(r Result) []tile {
	var list []tile
	add := func(n int, text, tone string) {
		if n > 0 {
			list = append(list, tile{fmt.Sprint(n), text, tone})
		}
	}
	noun := func(n int, one string) string { return strings.TrimPrefix(digest.Quantity(n, one), fmt.Sprint(n, " ")) }
	switch {
	case r.Conformance != nil:
		for _, s := range r.Conformance.sections() {
			add(len(s.Rules), looks[s.Judged].label, looks[s.Judged].tone)
		}
		drifted, alike := len(r.Conformance.Observations), r.Conformance.alike()
		add(drifted, noun(drifted, "observation")+" drifted", "unsure")
		add(alike, noun(alike, "rule")+" with the same verdict", "")
	case r.Load != nil:
		counts := map[Verdict]int{}
		for _, m := range r.Load.Metrics {
			counts[m.Judged]++
		}
		for _, c := range []struct {
			judged     Verdict
			what, tone string
		}{{Regression, "worse", "bad"}, {Improvement, "better", "ok"}, {Same, "the same", ""}, {"", "not judged", ""}} {
			n := counts[c.judged]
			add(n, noun(n, "figure")+" "+c.what, c.tone)
		}
	case r.Capacity != nil:
		for i, s := range r.Capacity.Searches {
			list = append(list, tile{interval(s), both[i].name, ""})
		}
	}
	return list
}

// ran says in how many runs a rate held.
func ran(p *capacity.Point) string {
	if p == nil {
		return "not tried"
	}
	return p.Ran()
}

// shownValue writes a figure as the plots do.
func shownValue(m Metric, v float64) string {
	if m.Unit == "ms" {
		return plot.Milliseconds.Say(v)
	}
	return m.value(v)
}

// because is the reason of a judgement where it says more than the word.
func because(m Metric) string {
	if m.Reason == withinNoise {
		return ""
	}
	return m.Reason
}
