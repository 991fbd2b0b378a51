// Package page writes a recorded load run as one self-contained HTML page: it loads nothing, works from a file, follows
// the reader's light or dark setting, and shows every text of the run escaped.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tsenart/vegeta/v12/lib/plot"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/record"
	"github.com/gateassay/gateassay/reports/digest"
)

//go:embed load.gohtml
var layout string

//go:embed load.css
var styles string

//go:embed load.js
var script string

//go:embed uplot.txt
var licence string

// view is what the template shows.
type view struct {
	Run      record.Run
	Data     Data
	Headline string
	Tone     string // ok, bad or unsure
	Took     string
	Counts   []count
	Times    []times
	JSON     template.JS
	Licence  template.HTML
	Plotter  template.JS
	Styles   template.CSS
	Script   template.JS
	Policy   string
}

type count struct {
	Name  string
	N     int64
	Share string
	Bad   bool
	Times record.Latency
}

type times struct {
	Name string
	record.Times
}

// Write renders report.html of a load run.
func Write(run record.Run, data Data) ([]byte, error) {
	t, err := template.New("load").Funcs(template.FuncMap{
		"clean": func(s string) string { return digest.Clean(digest.Clip(s, 4000)) },
		"lines": func(s string) string { return digest.CleanLines(digest.Clip(s, 4000)) },
		"ms":    ms,
		"rate":  func(f float64) string { return fmt.Sprintf("%.6g/s", round(f)) },
		"pct":   func(f float64) string { return fmt.Sprintf("%.3g %%", 100*f) },
		"utc":   func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
		"word":  func(s string) string { return strings.ReplaceAll(s, "_", " ") },
		"num":   thousands,
		"span":  func(ms int64) string { return (time.Duration(ms) * time.Millisecond).String() },
	}).Parse(layout)
	if err != nil {
		return nil, fmt.Errorf("the page's template: %w", err)
	}
	v, err := newView(run, data)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, v); err != nil {
		return nil, fmt.Errorf("cannot write the page: %w", err)
	}
	return out.Bytes(), nil
}

func newView(run record.Run, data Data) (view, error) {
	v := view{Run: run, Data: data, Headline: "Held", Tone: "ok", Took: run.Run.FinishedAt.Sub(run.Run.StartedAt).Round(time.Millisecond).String()}
	switch run.Verdict {
	case record.Fail:
		v.Headline, v.Tone = "Failed", "bad"
	case record.Inconclusive:
		v.Headline, v.Tone = "Inconclusive", "unsure"
	}
	for c := range judge.NumClasses {
		class := judge.Class(c)
		found, occurs := run.Classes[class.String()]
		if !occurs {
			continue
		}
		v.Counts = append(v.Counts, count{
			Name: strings.ReplaceAll(class.String(), "_", " "), N: found.Count, Bad: class.Bad(), Times: found.Latency,
			Share: fmt.Sprintf("%.3g %%", 100*float64(found.Count)/float64(max(run.Requests.Sent, 1))),
		})
	}
	v.Times = []times{{"response, from the moment the schedule meant", run.Latency.Response}, {"service, from sending", run.Latency.Service}}
	if run.Files != nil && run.Files.Ready > 0 {
		v.Times = append(v.Times, times{"file, from acceptance until it can be fetched", run.Files.TimeMS})
	}
	type mark struct {
		At   float64 `json:"at"`
		Name string  `json:"name"`
	}
	var marks []mark
	for _, s := range run.Stages {
		name := s.Name
		if name == "" {
			name = strconv.Itoa(s.Number)
		}
		marks = append(marks, mark{float64(s.StartMS) / 1000, digest.Clean(digest.Clip(name, 40))})
	}
	text, err := json.Marshal(struct { // escapes <, > and &: it can stand within a script element
		Data
		Stages []mark `json:"stages"`
	}{data, marks})
	if err != nil {
		return v, fmt.Errorf("the figures of the page: %w", err)
	}
	plotter, err := asset("uPlot.min.js")
	if err != nil {
		return v, err
	}
	look, err := asset("uPlot.min.css")
	if err != nil {
		return v, err
	}
	css := look + "\n" + styles
	v.JSON, v.Plotter, v.Styles, v.Script = template.JS(text), template.JS(plotter), template.CSS(css), template.JS(script)
	v.Licence = template.HTML("<!--\n" + licence + "-->")
	v.Policy = "default-src 'none'; style-src '" + hash(css) + "'; script-src '" + hash(plotter) + "' '" + hash(script) + "'; img-src data:; base-uri 'none'; form-action 'none'"
	return v, nil
}

// asset reads a file that vegeta's plots are made with.
func asset(name string) (string, error) {
	file, err := plot.Assets.Open(name)
	if err != nil {
		return "", fmt.Errorf("the plots' %s: %w", name, err)
	}
	defer func(f http.File) { _ = f.Close() }(file)
	data, err := io.ReadAll(file)
	if err != nil {
		return "", fmt.Errorf("the plots' %s: %w", name, err)
	}
	return strings.TrimSpace(string(data)), nil
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// ms writes milliseconds with three digits.
func ms(v float64) string {
	switch {
	case v <= 0:
		return "–"
	case v < 1:
		return strconv.FormatFloat(v*1000, 'f', 0, 64) + " µs"
	case v < 10:
		return strconv.FormatFloat(v, 'f', 2, 64) + " ms"
	case v < 100:
		return strconv.FormatFloat(v, 'f', 1, 64) + " ms"
	case v < 10_000:
		return strconv.FormatFloat(v, 'f', 0, 64) + " ms"
	}
	return strconv.FormatFloat(v/1000, 'f', 1, 64) + " s"
}

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
