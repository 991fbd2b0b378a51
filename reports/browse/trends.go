package browse

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/view"
)

const (
	maxTrends = 12 // maximum number of deployments, the latest
	maxRows   = 20 // maximum number of rows, the latest runs
)

// serveTrends shows the verdicts of rules, latency and capacity of each deployment over time.
func (h *Handler) serveTrends(w http.ResponseWriter, _ *http.Request) {
	runs, _, notes := h.shelf.newestRuns()
	runs = slices.DeleteFunc(runs,
		func(r listedRun) bool { return r.Kind == "" || r.Started.IsZero() || r.Shard })
	slices.SortStableFunc(runs, func(a, b listedRun) int { return b.Started.Compare(a.Started) })
	by := digest.GroupBy(runs, func(r listedRun) string { return r.Deployment })
	if left := len(by) - maxTrends; left > 0 {
		notes = append(notes,
			"Not shown: "+printable.Quantity(left, "more deployment")+" whose runs are older.")
		by = by[:maxTrends]
	}
	if len(by) == 0 {
		notes = append(notes, "There is nothing to show yet: this folder holds no run that can be read.")
	}
	report := h.messageReport("Trends", notes...)
	for i, b := range by {
		depth := "" // of the latest conformance run
		for _, r := range b.Items {
			depth = cmp.Or(depth, r.Depth)
		}
		whole := slices.DeleteFunc(slices.Clone(b.Items), func(r listedRun) bool {
			return r.Partial || r.Depth != "" && r.Depth != depth ||
				r.Selected.IsPartial() && depth != deployment.DepthQuick
		})
		slices.Reverse(whole)
		part := view.Part{ID: fmt.Sprint("d", i), Title: b.Key, Mark: fmt.Sprint(len(b.Items))}
		if n := len(b.Items) - len(whole); n > 0 {
			part.Blocks = append(part.Blocks, view.Block{
				Note: "Not drawn: " + printable.Quantity(n, "run") + " that did not reach the end, selected " +
					"only some rules, or had another depth.",
			})
		}
		part.Blocks = append(part.Blocks, view.Block{Charts: trendCharts(part.ID, whole)},
			view.Block{Table: h.runTable(b.Items[:min(maxRows, len(b.Items))])})
		report.Parts = append(report.Parts, part)
	}
	h.sendReport(w, http.StatusOK, report)
}

// trendCharts draws the runs of one deployment. runs begins with the earliest.
func trendCharts(id string, runs []listedRun) (drawn []plot.Figure) {
	type line struct {
		label  string
		colour plot.Colour
		dash   plot.Dash
		of     func(listedRun) float64
	}
	for _, c := range []struct {
		id, title string
		unit      plot.Unit
		kind      recorded.Kind
		lines     []line
	}{
		{"passed", "Rules passed", plot.UnitCount, recorded.KindConformance, []line{
			{"passed", plot.Green, plot.Solid, func(r listedRun) float64 { return float64(r.Counts.Pass) }},
			{"judged", plot.Grey, plot.Dashed, func(r listedRun) float64 {
				return float64(r.Counts.Judged())
			}},
		}},
		{"open", "Rules that block", plot.UnitCount, recorded.KindConformance, []line{
			{"violated", plot.Red, plot.Solid, func(r listedRun) float64 { return float64(r.Counts.Fail) }},
			{"must rules open", plot.Amber, plot.Dashed, func(r listedRun) float64 {
				return float64(r.Open)
			}},
		}},
		{"p99", "p99 of load runs", plot.UnitMilliseconds, recorded.KindLoad, []line{
			{"response", plot.Orange, plot.Solid, func(r listedRun) float64 {
				return plot.PositiveOrNaN(r.Latency.Response.P99)
			}},
			{"service", plot.Blue, plot.Dashed, func(r listedRun) float64 {
				return plot.PositiveOrNaN(r.Latency.Service.P99)
			}},
		}},
		{"capacity", "Capacity", plot.UnitPerSecond, recorded.KindCapacity, []line{
			{"capacity", plot.Violet, plot.Solid, func(r listedRun) float64 {
				return plot.PositiveOrNaN(r.Capacity)
			}},
		}},
	} {
		f := plot.Figure{
			ID: id + "-" + c.id, Title: c.title, Unit: c.unit, X: plot.AxisTimestamps, Group: id,
			Scale: plot.ScaleLinear, Least: 60,
		}
		for _, l := range c.lines {
			s := plot.Series{Label: l.label, Colour: l.colour, Dash: l.dash, Marker: plot.Dot}
			for _, r := range runs {
				if r.Kind == c.kind && (len(s.At) == 0 || s.At[len(s.At)-1] < unixSeconds(r.Started)) {
					s.At, s.Values = append(s.At, unixSeconds(r.Started)), append(s.Values, l.of(r))
				}
			}
			f.Series = append(f.Series, s)
		}
		if f = f.Sanitised(); len(f.Series) > 0 {
			drawn = append(drawn, f)
		}
	}
	return drawn
}

func unixSeconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
