// Package loadpage writes recorded load runs and searches for the capacity as self-contained HTML pages: they load
// nothing, work from a file, follow the reader's light or dark setting, and show every text of the run escaped.
package loadpage

import (
	_ "embed"
	"html/template"
	"math"
	"time"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/frame"
	"github.com/gateassay/gateassay/reports/plot"
)

//go:embed load.gohtml
var layout string

// shared are the parts that the pages have in common.
//
//go:embed parts.gohtml
var shared string

//go:embed load.css
var styles string

// FromFolder renders the page of a recorded load run from what is in its folder, also of a run that was killed: what
// its interval records hold is enough. It fails when not even those can be read.
func FromFolder(dir string) ([]byte, error) {
	run, err := results.Load(dir)
	if err != nil {
		return nil, err
	}
	data, missing := Read(dir)
	if missing != nil {
		run.Notes = append(run.Notes, "some plots lack figures: "+missing.Error())
	}
	return Write(run, data)
}

// Write renders report.html of a load run.
func Write(run results.Run, data Data) ([]byte, error) {
	v, err := newView(run, data)
	if err != nil {
		return nil, err
	}
	return render(layout, v)
}

// render fills a layout, which may use what the pages of load share.
func render(layout string, view any) ([]byte, error) {
	return frame.Render(shared+layout, template.FuncMap{
		"ms": plot.Milliseconds.Say, "rate": plot.PerSecond.Say, "word": word, "share": share, "num": thousands,
		"clock": func(ms int64) string { return plot.Clock(float64(ms) / 1000) },
		"took":  func(d time.Duration) string { return plot.Milliseconds.Say(milliseconds(d)) },
		"since": func(ms float64) string { return plot.Clock(ms / 1000) },
		"open":  func(t threshold.Result) bool { return t.Observed == threshold.NoData },
		"gauge": gaugeOf, "some": orNone, "parts": parts, "statement": judge.Statement,
	}, view)
}

// thousands groups the digits of a count.
func thousands(n int64) string { return digest.Grouped(n, "\u202f") }

func round(f float64) float64              { return math.Round(f*100) / 100 }
func pow10(x float64) float64              { return math.Pow(10, x) }
func milliseconds(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }
