package browse

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Size of a chart, in the units of its SVG.
const (
	chartWidth, chartHeight               = 560.0, 190.0
	leftEdge, rightEdge, topEdge, bottomY = 56.0, 12.0, 12.0, 162.0
	mostPoints                            = 400 // of a line, the latest
)

type trendsPage struct {
	frame
	Deployments []trend
	Notes       []string
}

// trend is what became of one deployment over time.
type trend struct {
	Deployment string
	Charts     []chart
}

type chart struct {
	Title string
	Words string // what it shows, for those who do not see it
	Lines []line
	Marks []mark // of the vertical axis
	From  string
	To    string
}

type line struct {
	Name   string
	Class  string
	Points string // of a polyline
	Dots   []dot
}

type dot struct {
	X, Y string
	Run  string
	Tone string
	Says string
}

type mark struct{ Y, Label string }

// sample is one value of a line.
type sample struct {
	at    time.Time
	value float64
	run   Run
	says  string
}

// trends shows pass counts, latency and capacity over time for each deployment.
func (h *Handler) trends(w http.ResponseWriter, _ *http.Request) {
	all, notes := h.shelf.runs()
	page := trendsPage{frame: h.frame("Trends", "trends"), Notes: notes}
	by := map[string][]Run{}
	var names []string
	for _, run := range slices.Backward(all) { // the earliest first
		if run.Kind == "" || run.Started.IsZero() {
			continue
		}
		if by[run.Deployment] == nil {
			names = append(names, run.Deployment)
		}
		by[run.Deployment] = append(by[run.Deployment], run)
	}
	slices.Sort(names)
	for _, name := range names {
		page.Deployments = append(page.Deployments, trend{name, charts(by[name])})
	}
	h.page(w, http.StatusOK, "trends", page)
}

func charts(runs []Run) []chart {
	var passed, failed, response, service, capacity []sample
	add := func(list *[]sample, run Run, value float64, says string) {
		if !math.IsNaN(value) && value >= 0 {
			*list = append(*list, sample{run.Started, value, run, says})
		}
	}
	for _, r := range runs {
		switch r.Kind {
		case conformanceKind:
			add(&passed, r, float64(r.Counts.Pass), fmt.Sprintf("%d passed", r.Counts.Pass))
			add(&failed, r, float64(r.Counts.Fail), fmt.Sprintf("%d violated", r.Counts.Fail))
		case loadKind:
			add(&response, r, r.Latency.Response.P99, "response p99 "+milliseconds(r.Latency.Response.P99))
			add(&service, r, r.Latency.Service.P99, "service p99 "+milliseconds(r.Latency.Service.P99))
		case capacityKind:
			add(&capacity, r, r.Capacity, strconv.FormatFloat(r.Capacity, 'g', 5, 64)+"/s")
		}
	}
	var list []chart
	for _, c := range []struct {
		title string
		lines []named
	}{
		{"Rules", []named{{"passed", "c1", passed}, {"violated", "c2", failed}}},
		{"p99, ms", []named{{"response", "c1", response}, {"service", "c3", service}}},
		{"Capacity, requests/s", []named{{"capacity", "c1", capacity}}},
	} {
		if len(c.lines[0].samples) > 0 {
			list = append(list, draw(c.title, c.lines))
		}
	}
	return list
}

type named struct {
	name, class string
	samples     []sample
}

// draw places the samples of lines, which are in the order of time, on a chart that begins at zero.
func draw(title string, lines []named) chart {
	highest := 0.0
	var first, last time.Time
	for i := range lines {
		if extra := len(lines[i].samples) - mostPoints; extra > 0 {
			lines[i].samples = lines[i].samples[extra:]
		}
		for _, s := range lines[i].samples {
			highest = max(highest, s.value)
			if first.IsZero() || s.at.Before(first) {
				first = s.at
			}
			if s.at.After(last) {
				last = s.at
			}
		}
	}
	top, step := axis(highest)
	x := func(at time.Time) float64 {
		wide := chartWidth - leftEdge - rightEdge
		if length := last.Sub(first); length > 0 {
			return leftEdge + wide*float64(at.Sub(first))/float64(length)
		}
		return leftEdge + wide/2
	}
	y := func(v float64) float64 { return bottomY - (bottomY-topEdge)*v/top }
	c := chart{Title: title, From: moment(first), To: moment(last)}
	for v := 0.0; v <= top*1.0001; v += step {
		c.Marks = append(c.Marks, mark{coordinate(y(v)), strconv.FormatFloat(v, 'g', 5, 64)})
	}
	var words []string
	for _, l := range lines {
		if len(l.samples) == 0 {
			continue
		}
		drawn := line{Name: l.name, Class: l.class}
		var points []string
		for _, s := range l.samples {
			px, py := coordinate(x(s.at)), coordinate(y(s.value))
			points = append(points, px+","+py)
			drawn.Dots = append(drawn.Dots, dot{px, py, s.run.Path, tone(s.run.Verdict), fmt.Sprintf("%s: %s, %s", moment(s.at), s.says, s.run.Verdict)})
		}
		drawn.Points = strings.Join(points, " ")
		c.Lines = append(c.Lines, drawn)
		end := l.samples[len(l.samples)-1]
		words = append(words, fmt.Sprintf("%d runs, the last: %s", len(l.samples), end.says))
	}
	if c.From == c.To {
		c.To = ""
	}
	c.Words = title + ": " + strings.Join(words, "; ")
	return c
}

// axis gives where an axis from zero ends and how far apart its marks are: steps of 1, 2 or 5 times a power of ten.
func axis(highest float64) (top, step float64) {
	if highest <= 0 || math.IsInf(highest, 0) {
		return 1, 1
	}
	step = math.Pow(10, math.Floor(math.Log10(highest)))
	for _, f := range []float64{0.2, 0.5, 1, 2} {
		if highest/(step*f) <= 5 {
			step *= f
			break
		}
	}
	return step * math.Ceil(highest/step), step
}

func coordinate(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }
