package browse

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/recorded"
)

const (
	mostPoints = 1000 // of a line, the latest
	mostTrends = 12   // deployments at once, those that ran last
	mostRows   = 20   // of the table, the latest runs
)

// periods that trends can be narrowed to, in days.
var periods = []int{7, 30, 90, 365}

type trendsPage struct {
	around
	Trends      []trend
	Notes       []string
	Deployments []choice
	Periods     []choice
	Any         bool
}

// trend is what became of one deployment over time.
type trend struct {
	Deployment string
	Runs       int
	From, To   time.Time // when the first and the last of them began
	LeftOut    int       // not drawn: their figures are those of a part
	Charts     []chart
	Latest     []Run
}

// trends shows over time, for each deployment, how many rules passed, were violated or stayed open, latency and
// capacity.
func (h *Handler) trends(w http.ResponseWriter, r *http.Request) {
	all, notes := h.shelf.runs(r.Context(), h.o.Patience)
	q := r.URL.Query()
	deployment, days := q.Get("deployment"), q.Get("days")
	page := trendsPage{around: h.around("Trends", "trends"), Notes: notes}
	since := time.Time{}
	for _, period := range periods {
		page.Periods = append(page.Periods, choice{strconv.Itoa(period), strconv.Itoa(period) == days})
		if strconv.Itoa(period) == days {
			since = time.Now().AddDate(0, 0, -period)
		}
	}
	by := map[string][]Run{}
	var names, order []string
	for _, run := range all { // the latest first
		if run.Kind == "" || run.Started.IsZero() {
			continue
		}
		page.Any = true
		names = append(names, label(run.Deployment))
		if run.Started.Before(since) || deployment != "" && label(run.Deployment) != deployment {
			continue
		}
		if by[run.Deployment] == nil {
			order = append(order, run.Deployment)
		}
		by[run.Deployment] = append(by[run.Deployment], run)
	}
	page.Deployments = choices(names, deployment)
	if left := len(order) - mostTrends; left > 0 {
		page.Notes = append(page.Notes, fmt.Sprintf("%s more: choose one to see it.",
			digest.Quantity(left, "deployment")))
		order = order[:mostTrends]
	}
	for _, name := range order {
		runs := by[name]
		t := trend{
			Deployment: name, Runs: len(runs), From: runs[len(runs)-1].Started,
			To: runs[0].Started, Latest: runs[:min(mostRows, len(runs))],
		}
		var whole []Run
		for _, run := range slices.Backward(runs) {
			if run.Partial {
				t.LeftOut++
			} else {
				whole = append(whole, run)
			}
		}
		t.Charts = charts(whole)
		page.Trends = append(page.Trends, t)
	}
	h.page(w, http.StatusOK, "trends", page)
}

// charts draws runs of one deployment, the earliest first.
func charts(runs []Run) []chart {
	lines := map[string]*series{}
	add := func(name string, run Run, value float64, says string) {
		if lines[name] == nil {
			lines[name] = &series{name: name}
		}
		if !math.IsNaN(value) && !math.IsInf(value, 0) && value >= 0 {
			lines[name].samples = append(lines[name].samples, sample{run.Started, value, run, says})
		}
	}
	for _, r := range runs {
		switch r.Kind {
		case recorded.OfConformance:
			// A run of one suite passes fewer rules than one of all: how many it judged reports that from a loss.
			says := fmt.Sprintf("%d of %d rules passed, %d violated, %s, %s open",
				r.Counts.Pass, max(r.Counts.Pass, r.Rules-r.Counts.Observed),
				r.Counts.Fail, digest.Quantity(r.Counts.Warn, "warning"), digest.Quantity(r.Open, "must rule"))
			add("passed", r, float64(r.Counts.Pass), says)
			add("violated", r, float64(r.Counts.Fail), says)
			add("must rules open", r, float64(r.Open), says)
		case recorded.OfLoad:
			if r.Requests.Sent == 0 {
				continue // no request took no time at all
			}
			says := fmt.Sprintf("response p99 %s, service p99 %s at %s", plot.Milliseconds.Say(r.Latency.Response.P99),
				plot.Milliseconds.Say(r.Latency.Service.P99), plot.PerSecond.Say(r.Rate.Achieved))
			add("response", r, r.Latency.Response.P99, says)
			add("service", r, r.Latency.Service.P99, says)
		case recorded.OfCapacity:
			if r.Capacity > 0 {
				add("capacity", r, r.Capacity, plot.PerSecond.Say(r.Capacity))
			}
		}
	}
	var list []chart
	for _, c := range []struct {
		title, unit string
		about       scale
		names       []string
	}{
		{"Rules passed", "", changes, []string{"passed"}},
		{"Blocking rules", "", counted, []string{"violated", "must rules open"}},
		{"p99", "ms", measured, []string{"response", "service"}},
		{"Capacity", "requests/s", measured, []string{"capacity"}},
	} {
		var drawn []series
		for _, name := range c.names {
			if l := lines[name]; l != nil && len(l.samples) > 0 {
				l.samples = l.samples[max(0, len(l.samples)-mostPoints):]
				drawn = append(drawn, *l)
			}
		}
		if len(drawn) > 0 {
			list = append(list, draw(c.title, c.unit, c.about, drawn))
		}
	}
	return list
}
