// Package page writes recorded load runs and searches for the capacity as self-contained HTML pages: they load nothing,
// work from a file, follow the reader's light or dark setting, and show every text of the run escaped.
package loadpage

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/plot"
)

//go:embed load.gohtml
var layout string

//go:embed load.css
var styles string

// sizeLimit is how many bytes a page may have; larger ones open slowly and are refused by mail and by chat.
const sizeLimit = 5 << 20

// FromFolder renders the page of a recorded load run from what is in its folder, also of a run that was killed: what its
// interval records hold is enough. It fails when not even those can be read.
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

// render fills a template, with texts cut shorter where the page would get too large.
func render(layout string, view any) ([]byte, error) {
	var out bytes.Buffer
	for _, longest := range []int{4000, 500, 80} {
		t, err := template.New("page").Funcs(words(longest)).Parse(shared + layout)
		if err != nil {
			return nil, fmt.Errorf("the page's template: %w", err)
		}
		out.Reset()
		if err := t.Execute(&out, view); err != nil {
			return nil, fmt.Errorf("cannot write the page: %w", err)
		}
		if out.Len() <= sizeLimit {
			break
		}
	}
	return out.Bytes(), nil
}

// words are the functions of the templates; longest bounds each text of the run, in characters.
func words(longest int) template.FuncMap {
	return template.FuncMap{
		"clean": func(s string) string { return printable.Clean(printable.Clip(s, longest)) },
		"lines": func(s string) string { return printable.CleanLines(printable.Clip(s, longest)) },
		"brief": func(s string) string { return printable.Clean(printable.Clip(s, min(longest, 200))) },
		"ms":    plot.Milliseconds.Say,
		"rate":  plot.PerSecond.Say,
		"utc":   func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
		"word":  word,
		"share": share,
		"num":   thousands,
		"clock": func(ms int64) string { return plot.Clock(float64(ms) / 1000) },
	}
}

// shared are the parts that the pages have in common.
const shared = `
{{- define "head"}}<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{.Policy}}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>{{.Styles}}</style>
{{- end}}
{{- define "times"}}<td class="n">{{ms .P50}}</td><td class="n">{{ms .P90}}</td><td class="n">{{ms .P99}}</td><td class="n">{{ms .P999}}</td><td class="n">{{ms .Max}}</td>{{end}}
{{- define "timesHead"}}<th scope="col" class="n">p50</th><th scope="col" class="n">p90</th><th scope="col" class="n">p99</th><th scope="col" class="n">p99.9</th><th scope="col" class="n">max</th>{{end}}
{{- define "needsScript"}}<noscript><p class="warn">The plots need JavaScript. The tables do not, and series.csv in the folder of the run holds the figures.</p></noscript>{{end}}
{{- define "gauge"}}{{with .}}<svg class="gauge" width="120" height="14" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true"><rect class="track" y="4" width="100" height="6"/><rect class="fill" y="4" width="{{.Bar}}" height="6"/><rect class="tick" x="{{.Tick}}" width="1.5" height="14"/></svg>{{end}}{{end}}
{{- define "how"}}<p class="keys quiet">Plots: drag to zoom, double click or <kbd>0</kbd> to show everything, click a name to hide it. With the keyboard, go to a plot with <kbd>Tab</kbd>, read it with <kbd>←</kbd> <kbd>→</kbd>, zoom with <kbd>+</kbd> <kbd>-</kbd>.</p>{{end -}}
`

// thousands groups the digits of a count.
func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

func round(f float64) float64              { return math.Round(f*100) / 100 }
func pow10(x float64) float64              { return math.Pow(10, x) }
func milliseconds(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }
