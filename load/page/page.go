// Package page writes a recorded load run as one self-contained HTML page: it loads nothing, works from a file, follows
// the reader's light or dark setting, and shows every text of the run escaped.
package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/record"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/plot"
)

//go:embed load.gohtml
var layout string

//go:embed load.css
var styles string

// view is what the template shows.
type view struct {
	Run      record.Run
	Data     Data
	Headline string
	Tone     string // ok, bad or unsure
	Took     string
	Counts   []count
	Times    []times
	Plots    figures
	plot.Embedded
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
		"ms":    plot.Milliseconds.Say,
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
	v.Plots = newFigures(run, data)
	var err error
	v.Embedded, err = plot.Embed(v.Plots.list(), styles)
	return v, err
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
