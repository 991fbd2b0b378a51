// Package page writes a recorded run as one self-contained HTML page: it loads nothing, works from a file and
// without JavaScript, and shows every text of the run escaped.
package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/frame"
	"github.com/gateassay/gateassay/suites/record"
)

//go:embed *.gohtml
var layouts embed.FS

//go:embed report.css
var reportCSS string

//go:embed parts.css
var partsCSS string

//go:embed report.js
var reportJS string

//go:embed exchanges.js
var exchangesJS string

//go:embed plot.js
var plotJS string

// script is one text, so that its parts see each other and nothing else does.
var script = "(function () {\n\"use strict\";\n" + reportJS + plotJS + exchangesJS + "})();\n"

// Exchange is one request and its answer as they may be shown: without secrets.
type Exchange struct {
	Method, URL                string
	Status                     int // 0: no answer
	RequestHead, RequestBody   string
	ResponseHead, ResponseBody string
}

// Moment is when an exchange happened and what it was, for the timeline and the list of all exchanges.
type Moment struct {
	Seq, Attempt     int
	Label, Operation string
	Status           int // 0: no answer
	StartedAt        time.Time
	Service          time.Duration
}

// Exchanges finds the exchanges of a run by their number; nil stands for one that is not known. Moments are all of
// them, in any order.
type Exchanges interface {
	Exchange(seq int) *Exchange
	Moments() []Moment
}

// Write renders report.html, at most 5 MB of it: texts and exchanges are shortened until it fits. exchanges may be nil:
// the page then names exchanges by their number only.
func Write(run record.Run, exchanges Exchanges) ([]byte, error) {
	var data []byte
	for share := 1; share <= 64; share *= 4 {
		var err error
		if data, err = write(run, exchanges, newBudget(share)); err != nil || len(data) <= frame.SizeLimit {
			return data, err
		}
	}
	return data, nil
}

func write(run record.Run, exchanges Exchanges, b *budget) ([]byte, error) {
	t, err := frame.Template("", 0, template.FuncMap{
		"clean":     func(s string) string { return printable.Clean(b.text(s)) },
		"lines":     func(s string) string { return printable.CleanLines(b.text(s)) },
		"command":   func(s string) string { return printable.CleanLines(b.command(s)) },
		"facts":     func(s string) []string { return digest.Facts(printable.CleanLines(b.text(s))) },
		"brief":     func(s string) string { return printable.Fit(printable.Clean(b.clip(s, min(240, b.each))), 130) },
		"body":      b.body,
		"fields":    func(s string) []field { return fields(b.text(s)) },
		"also":      also,
		"part":      func(head, body, field string) part { return part{head, body, field} },
		"near":      near,
		"place":     record.Place,
		"slug":      digest.Anchor,
		"word":      digest.Word,
		"ended":     digest.Ended,
		"exchanges": digest.Exchanges,
		"repeats":   digest.Repeats,
		"state":     digest.WaiverState,
		"why":       why,
		"document":  document,
		"class":     class,
		"rerun":     func(id string) string { return digest.Rerun(b.text(id), run.Run.File) },
	})
	if err == nil {
		t, err = t.ParseFS(layouts, "*.gohtml")
	}
	if err != nil {
		return nil, fmt.Errorf("the page's template: %w", err)
	}
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, "report.gohtml", newView(run, exchanges, b)); err != nil {
		return nil, fmt.Errorf("cannot write the page: %w", err)
	}
	return out.Bytes(), nil
}
