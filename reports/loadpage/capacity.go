package loadpage

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/frame"
	"github.com/gateassay/gateassay/reports/plot"
)

//go:embed capacity.gohtml
var capacityLayout string

// mostProbes bounds the probes on the page; a search makes 60 by default.
const mostProbes = 300

// Detail is what the folder of one probe holds beside run.json of the search.
type Detail struct {
	Run  results.Run
	Page bool // it has a report.html
}

// ReadCapacity collects what the probes recorded, by their number. Probes that cannot be read are left out.
func ReadCapacity(dir string, found capacity.File) map[int]Detail {
	details := map[int]Detail{}
	for _, p := range found.Probes {
		if len(details) == mostProbes {
			break
		}
		// not what run.json says: it may have been written by anybody
		folder := filepath.Join(dir, capacity.Name(p.Number))
		run, err := results.Load(folder)
		if err != nil {
			continue
		}
		_, without := os.Stat(filepath.Join(folder, "report.html"))
		details[p.Number] = Detail{run, without == nil}
	}
	return details
}

// capacityView is what the template shows.
type capacityView struct {
	capacity.File
	Headline, Tone string
	Took           string
	Rests          []string
	Rows           []probe
	More           int
	Holding        []holding
	Unreliable     int     // probes whose figures describe the generator
	Knee           float64 // 0: none
	Tried          int     // runs at the rate that was found
	PlanText       string
	Plots          curves
	frame.Sealed
}

// probe is a row of the table.
type probe struct {
	capacity.Trial
	Ending ending
	Run    results.Run
	Why    string
	Link   string // empty: it has no page
}

// holding is a threshold over the whole search.
type holding struct {
	Expr   string
	Missed int
	Runs   int
	Lowest float64 // the lowest rate that missed it; 0: none
	At     string  // observed at the capacity
	Margin string
	Gauge  *gauge
}

// WriteCapacity renders report.html of a search for the capacity.
func WriteCapacity(found capacity.File, details map[int]Detail) ([]byte, error) {
	v := capacityView{File: found}
	v.Headline, v.Tone = headline(found.Verdict, found.Run.Partial)
	if took := found.Run.FinishedAt.Sub(found.Run.StartedAt); took > 0 && !found.Run.StartedAt.IsZero() {
		v.Took = spoken(took)
	}
	probes := found.Probes
	if len(probes) > mostProbes {
		probes, v.More = probes[:mostProbes], len(probes)-mostProbes
	}
	for _, p := range probes {
		if p.Outcome.Unreliable != "" {
			v.Unreliable++
		}
		v.Rows = append(v.Rows, row(p, details[p.Number]))
	}
	v.Holding = holdings(found, details)
	v.Rests = v.rests()
	if found.Plan != nil {
		if text, err := json.MarshalIndent(found.Plan, "", "  "); err == nil {
			v.PlanText = string(text)
		}
	}
	if found.Capacity.Knee != nil {
		v.Knee = found.Capacity.Knee.Rate
	}
	v.Tried = found.Confidence.Held + found.Confidence.Missed
	v.Plots = newCurves(found, details)
	var err error
	if v.Sealed, err = plot.Seal(v.Plots.list(), styles, frame.Copying); err != nil {
		return nil, err
	}
	return render(capacityLayout, v)
}

func row(p capacity.Trial, d Detail) probe {
	r := probe{
		Trial: p, Ending: endings[endingOf(p)], Run: d.Run, Why: cmp.Or(p.Outcome.Unreliable, p.Outcome.Reason),
	}
	var missed []string
	for _, t := range d.Run.Thresholds {
		if !t.OK && d.Run.Requests.Sent > 0 && r.Ending.Class == "fail" {
			missed = append(missed, strings.TrimSuffix(t.Expr+": observed "+t.Observed+", "+t.Margin(), ", "))
		}
	}
	if len(missed) > 0 {
		r.Why = strings.Join(missed, "; ")
	}
	if d.Page {
		r.Link = filepath.ToSlash(capacity.Name(p.Number)) + "/report.html"
	}
	return r
}

// holdings says of each threshold how often it was missed, and what was observed at the capacity.
func holdings(found capacity.File, details map[int]Detail) []holding {
	var list []holding
	for _, expr := range found.SLO {
		if len(list) == mostRows {
			break
		}
		h := holding{Expr: expr}
		for _, p := range found.Probes {
			for _, t := range details[p.Number].Run.Thresholds {
				if t.Expr != expr {
					continue
				}
				h.Runs++
				if !t.OK {
					if h.Missed++; h.Lowest == 0 || p.Rate < h.Lowest {
						h.Lowest = p.Rate
					}
				}
				if p.Rate == found.Capacity.Rate {
					h.observed(t)
				}
			}
		}
		list = append(list, h)
	}
	return list
}

// observed keeps the least favourable of several runs at one rate: the one with the least margin.
func (h *holding) observed(t threshold.Result) {
	if h.At != "" && t.OK {
		before, known := threshold.Result{Expr: h.Expr, Observed: h.At}.Off()
		now, ok := t.Off()
		if known && ok && math.Abs(now) >= math.Abs(before) {
			return
		}
	}
	h.At, h.Margin, h.Gauge = t.Observed, t.Margin(), gaugeOf(t)
}

func (v capacityView) rests() []string {
	c := v.Capacity
	var list []string
	if c.Rate > 0 {
		list = append(list, fmt.Sprintf("%.5g/s held in %d of %d runs at that rate; the capacity is %s",
			c.Rate, v.Confidence.Held, v.Confidence.Held+v.Confidence.Missed, c.Between()))
	} else if len(v.Probes) > 0 {
		list = append(list, "No rate that was tried held; the capacity is "+c.Between())
	}
	text := fmt.Sprintf("%d probes of %s each", len(v.Probes), plot.Clock(float64(v.StepMS)/1000))
	if v.To > 0 {
		text += fmt.Sprintf(", between %.5g/s and %.5g/s", v.From, v.To)
	}
	if v.Took != "" {
		text += ", in " + v.Took
	}
	list = append(list, text+"; "+thousands(v.Run.Requests)+" requests")
	if c.Knee != nil {
		list = append(list, fmt.Sprintf("Latency bends upwards at %.5g/s, with a p99 of %s",
			c.Knee.Rate, plot.Milliseconds.Say(c.Knee.P99MS)))
	}
	if len(c.Unstable) > 0 {
		list = append(list, "Near the capacity runs disagree: "+strings.Join(c.Unstable[:min(len(c.Unstable),
			mostRows)], ", "))
	}
	switch {
	case len(v.Probes) == 0:
	case v.Unreliable == 0:
		list = append(list, "The figures of every probe describe the deployment, not the load generator")
	default:
		list = append(
			list, fmt.Sprintf("The figures of %d of %d probes describe the load generator, not the deployment",
				v.Unreliable, len(v.Probes)))
	}
	if v.Violations > 0 {
		list = append(list, thousands(v.Violations)+" answers broke a documented rule")
	}
	if v.Run.File == "" && len(v.Probes) > 0 {
		list = append(list, "The embedded gateway answered; it shares the CPUs with the generator")
	}
	return list
}

// byRate are the probes by their rate, and those of one rate in the order they were made.
func byRate(found capacity.File) []capacity.Trial {
	list := slices.Clone(found.Probes)
	slices.SortStableFunc(list, func(a, b capacity.Trial) int { return cmp.Compare(a.Rate, b.Rate) })
	return list[:min(len(list), mostProbes)]
}
