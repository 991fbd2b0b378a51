package browse

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/recorded"
)

const (
	mostPoints = 500 // runs that are looked at, the latest
	mostTrends = 12  // deployments at once, those that ran last
	mostRows   = 20  // of the table, the latest runs
)

type trendsPage struct {
	around
	Trends []trend
}

// trend is what became of one deployment over time.
type trend struct {
	Deployment string
	Runs       int
	LeftOut    int // not drawn: their figures are those of a part
	Charts     []plot.Figure
	Latest     []Run
}

// trends shows over time, for each deployment, how many rules passed, were violated or stayed open, latency and
// capacity.
func (h *Handler) trends(w http.ResponseWriter, _ *http.Request) {
	shown, all, notes := h.shelf.runs(0, mostPoints)
	if all > mostPoints {
		notes = append(notes, fmt.Sprintf("These are the latest %d of %d runs.", mostPoints, all))
	}
	shown = slices.DeleteFunc(shown, func(r Run) bool { return r.Kind == "" || r.Started.IsZero() || r.Shard != "" })
	slices.SortStableFunc(shown, func(a, b Run) int { return b.Started.Compare(a.Started) })
	by := digest.By(shown, func(r Run) string { return r.Deployment })
	if left := len(by) - mostTrends; left > 0 {
		notes = append(notes, digest.Quantity(left, "deployment")+" more ran less recently and are not shown.")
		by = by[:mostTrends]
	}
	page := trendsPage{around: h.around("Trends", "trends", notes...)}
	var figures []plot.Figure
	for i, b := range by {
		t := trend{Deployment: b.Key, Runs: len(b.Items), Latest: b.Items[:min(mostRows, len(b.Items))]}
		whole := slices.DeleteFunc(slices.Clone(b.Items), func(r Run) bool { return r.Partial })
		t.LeftOut = len(b.Items) - len(whole)
		slices.Reverse(whole)
		t.Charts = charts(fmt.Sprint("d", i), whole)
		figures = append(figures, t.Charts...)
		page.Trends = append(page.Trends, t)
	}
	if len(figures) > 0 {
		if err := page.drawn(figures); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	h.show(w, http.StatusOK, "trends", page.around, page)
}

// charts draws runs of one deployment, the earliest first.
func charts(id string, runs []Run) (drawn []plot.Figure) {
	type line struct {
		label  string
		colour plot.Colour
		dash   plot.Dash
		of     func(Run) float64
	}
	for _, c := range []struct {
		id, title string
		unit      plot.Unit
		kind      recorded.Kind
		lines     []line
	}{
		{"passed", "Rules passed", plot.Count, recorded.OfConformance, []line{
			{"passed", plot.Green, plot.Solid, func(r Run) float64 { return float64(r.Counts.Pass) }},
			{"judged", plot.Grey, plot.Dashed, func(r Run) float64 { return float64(r.Counts.Judged()) }},
		}},
		{"open", "Rules that block", plot.Count, recorded.OfConformance, []line{
			{"violated", plot.Red, plot.Solid, func(r Run) float64 { return float64(r.Counts.Fail) }},
			{"must rules open", plot.Amber, plot.Dashed, func(r Run) float64 { return float64(r.Open) }},
		}},
		{"p99", "p99 of load runs", plot.Milliseconds, recorded.OfLoad, []line{
			{"response", plot.Orange, plot.Solid, func(r Run) float64 { return measured(r.Latency.Response.P99) }},
			{"service", plot.Blue, plot.Dashed, func(r Run) float64 { return measured(r.Latency.Service.P99) }},
		}},
		{"capacity", "Capacity", plot.PerSecond, recorded.OfCapacity, []line{
			{"capacity", plot.Violet, plot.Solid, func(r Run) float64 { return measured(r.Capacity) }},
		}},
	} {
		f := plot.Figure{
			ID: id + "-" + c.id, Title: c.title, Unit: c.unit, X: plot.Moments, Group: id, Scale: plot.Linear, Least: 60,
		}
		for _, l := range c.lines {
			s := plot.Series{Label: l.label, Colour: l.colour, Dash: l.dash, Marker: plot.Dot}
			for _, r := range runs {
				if r.Kind == c.kind && (len(s.At) == 0 || s.At[len(s.At)-1] < seconds(r.Started)) {
					s.At, s.Values = append(s.At, seconds(r.Started)), append(s.Values, l.of(r))
				}
			}
			if slices.ContainsFunc(s.Values, func(v float64) bool { return !math.IsNaN(v) }) {
				f.Series = append(f.Series, s)
			}
		}
		if len(f.Series) > 0 {
			drawn = append(drawn, f)
		}
	}
	return drawn
}

// measured is a figure that is above zero, and that a chart can show beside others.
func measured(v float64) float64 {
	if !(v > 0 && v < 1e9) {
		return math.NaN()
	}
	return v
}

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
