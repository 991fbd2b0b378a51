package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/view"
)

func (l *Load) tiles() (list []view.Tile) {
	counts := map[Verdict]int{}
	for _, m := range l.Metrics {
		counts[m.Judged]++
	}
	for _, c := range []struct {
		judged Verdict
		what   string
		tone   view.Tone
	}{{Regression, "worse", view.Bad}, {Improvement, "better", view.Good}, {Same, "the same", ""}, {"", "not judged", ""}} {
		list = append(list, tile(counts[c.judged], "figure", c.what, c.tone)...)
	}
	return list
}

func (l *Load) parts() []view.Part {
	violated := view.Table{Label: "Violated rules", Columns: view.Columns("Rule", "", "#Answers before", "#after")}
	for _, v := range l.Violations {
		violated.Rows = append(violated.Rows, view.Row{Cells: []view.Cell{
			{Text: v.Rule, Code: true}, badge(v.Judged), {Text: fmt.Sprint(v.Before)}, {Text: fmt.Sprint(v.After)},
		}})
	}
	var worse []view.Item
	for _, text := range l.Worse {
		worse = append(worse, view.Item{Badge: looks[Regression].label, Tone: view.Bad, Title: text})
	}
	figures := view.Table{Label: "Figures", Columns: view.Columns("", "", "#Before", "#After", "#Change", "#p", "*Why")}
	for _, g := range l.groups() {
		figures.Rows = append(figures.Rows, view.Row{Group: true, Cells: view.Cells(g.Name)})
		for _, m := range g.Rows {
			judged := view.Cell{Text: m.word(), Badge: true}
			row := view.Row{}
			if m.Judged == Regression || m.Judged == Improvement {
				judged, row.Tone = badge(m.Judged), looks[m.Judged].tone
			}
			row.Cells = append([]view.Cell{{Text: m.Name}, judged},
				view.Cells(m.value(m.Before), m.value(m.After), m.change(), m.p(), m.because())...)
			figures.Rows = append(figures.Rows, row)
		}
	}
	note := fmt.Sprintf("p is how likely two runs alike differ as much, by the %s of %d stretches of each run; from %g on it "+
		"is noise. A change counts when it is no noise and beyond the tolerance of %.4g %%; for bad answers a tenth of it, in "+
		"percentage points.", Test, windows, sure, 100*l.Tolerance)
	if !slices.ContainsFunc(l.Metrics, func(m Metric) bool { return m.P != nil }) {
		note = "These runs could not be compared, so no figure is judged."
	}
	return []view.Part{
		{Title: violated.Label, Blocks: []view.Block{{Table: &violated}}},
		{Title: "Worse, whatever the noise", Blocks: []view.Block{{Items: worse}}},
		{Title: figures.Label, Blocks: []view.Block{{Table: &figures}, {Note: note, In: view.Page | view.Markdown}}},
		{Title: "Over time", Blocks: []view.Block{
			{Note: "Dashed lines are before, whole lines after.", In: view.Page}, {Charts: l.figures()},
		}},
	}
}

// group is a few figures that belong together.
type group struct {
	Name string
	Rows []Metric
}

// groups are the figures in the order in which they are read.
func (l *Load) groups() []group {
	list := []group{{Name: "Response time"}, {Name: "Service time"}, {Name: "Rate and answers"}}
	for _, m := range l.Metrics {
		to := &list[2]
		for i, time := range []string{"response ", "service "} {
			if strings.HasPrefix(m.Name, time) {
				to = &list[i]
			}
		}
		to.Rows = append(to.Rows, m)
	}
	return list
}

func (m Metric) value(v float64) string {
	switch m.Unit {
	case results.Share:
		return fmt.Sprintf("%.2f %%", 100*v)
	case results.PerSecond:
		return plot.PerSecond.Say(v)
	}
	return plot.Milliseconds.Say(v)
}

// change is the difference with its sign: percent, for shares percentage points.
func (m Metric) change() string {
	switch {
	case m.Unit == results.Share:
		return fmt.Sprintf("%+.2f pp", 100*m.Change)
	case m.Before <= 0 || m.Unit == results.Milliseconds && m.After <= 0:
		return "–"
	}
	return signed(m.Change)
}

// signed is a change that is a share, with its sign; of ten times and more the factor.
func signed(change float64) string {
	if change >= 10 {
		return fmt.Sprintf("×%.3g", 1+change)
	}
	return fmt.Sprintf("%+.1f %%", 100*change)
}

func (m Metric) p() string {
	switch {
	case m.P == nil || math.IsNaN(*m.P):
		return "–"
	case *m.P < sure/10:
		return fmt.Sprintf("<%g", sure/10)
	}
	return fmt.Sprintf("%.2g", *m.P)
}

// word is the judgement of a figure in a word or two.
func (m Metric) word() string {
	switch {
	case m.Judged == "":
		return "not judged"
	case m.Judged == Same && m.Reason == withinNoise:
		return "noise"
	}
	return looks[m.Judged].label
}

// because is the reason of a judgement where it says more than the word.
func (m Metric) because() string {
	if m.Reason == withinNoise {
		return ""
	}
	return m.Reason
}

// percent is a change from one value to another, with its sign.
func percent(before, after float64) string {
	if before <= 0 || after <= 0 {
		return "–"
	}
	return signed(after/before - 1)
}

func (c *Capacity) tiles() (list []view.Tile) {
	for i, s := range c.Searches {
		list = append(list, view.Tile{Value: interval(s), Text: names[i]})
	}
	return list
}

func (c *Capacity) parts() []view.Part {
	found := view.Table{Label: "Capacity", Columns: view.Columns("", "before", "after", "*")}
	x, y := c.Searches[0], c.Searches[1]
	row := func(name, before, after string, more ...view.Cell) {
		found.Rows = append(found.Rows, view.Row{Cells: append(view.Cells(name, before, after), more...)})
	}
	judged := view.Cell{Text: "not judged", Quiet: percent(x.Rate, y.Rate), Badge: true}
	if c.Judged != "" {
		judged = badge(c.Judged)
		judged.Quiet = percent(x.Rate, y.Rate)
	}
	row("rate that held", rated(x.Rate), rated(y.Rate), judged)
	row("it lies", interval(x), interval(y))
	row("runs at that rate", held(x), held(y))
	row("ended by", ended(x.Limit), ended(y.Limit))
	row("bends at", bend(x), bend(y))
	row("thresholds", listed(sorted(x.Thresholds)), listed(sorted(y.Thresholds)))
	row("tried", tried(x), tried(y))
	rates := view.Table{Label: "Rates that were tried", Columns: view.Columns("#Rate", "#p50 before", "#after",
		"#p99 before", "#after", "#change", "#bad before", "#after", "runs before", "after")}
	for _, r := range c.Rates {
		a, b := orNone(r.Before), orNone(r.After)
		cells := view.Cells(rated(r.Rate), inMS(a.P50MS), inMS(b.P50MS), inMS(a.P99MS), inMS(b.P99MS), percent(a.P99MS, b.P99MS),
			share(r.Before), share(r.After), ran(r.Before), ran(r.After))
		rates.Rows = append(rates.Rows, view.Row{Cells: cells})
	}
	return []view.Part{
		{Title: found.Label, Blocks: []view.Block{{Table: &found}, {In: view.Page | view.Markdown, Note: fmt.Sprintf(
			"A capacity lies between the highest rate up to which every run held and the lowest from which on every run missed. "+
				"It is called worse or better when one of these intervals lies wholly below the other, by more than the tolerance "+
				"of %.4g %%.", 100*c.Tolerance)}}},
		{Title: "Latency by rate", Blocks: []view.Block{
			{Note: "Dashed lines are before, whole lines after.", In: view.Page}, {Charts: c.figures(), Wide: true},
		}},
		{Title: rates.Label, Blocks: []view.Block{{Table: &rates}, {
			Note: "They come from few runs each: they show where to look and are not judged.", In: view.Page,
		}}},
	}
}

// ended says what ended a search.
func ended(limit capacity.Limit) string {
	return cmp.Or(map[capacity.Limit]string{
		capacity.ByThresholds: "a missed threshold", capacity.ByTo: "the highest rate allowed",
		capacity.ByFrom: "the lowest rate allowed", capacity.ByGenerator: "its generator",
		capacity.BySilence: "no answers", capacity.ByProbes: "its number of runs", capacity.ByInterrupt: "an interrupt",
	}[limit], printable.Clean(printable.Clip(string(limit), 40)))
}

func tried(s Search) string {
	return fmt.Sprintf("%s to %s, %s each", plot.PerSecond.Say(s.From), plot.PerSecond.Say(s.To),
		time.Duration(s.StepMS)*time.Millisecond)
}

// ran says in how many runs a rate held.
func ran(p *capacity.Point) string {
	if p == nil {
		return "not tried"
	}
	return p.Ran()
}

func share(p *capacity.Point) string {
	if p == nil {
		return "–"
	}
	return fmt.Sprintf("%.2f %%", 100*p.Errors)
}

func orNone(p *capacity.Point) capacity.Point {
	if p == nil {
		return capacity.Point{}
	}
	return *p
}

func inMS(v float64) string { return plot.Milliseconds.Say(v) }

func rated(rate float64) string {
	if rate <= 0 {
		return "none"
	}
	return fmt.Sprintf("%.5g/s", rate)
}

func held(s Search) string {
	if s.Held+s.Missed == 0 {
		return "–"
	}
	return fmt.Sprintf("%d held, %d missed", s.Held, s.Missed)
}

func bend(s Search) string {
	if s.Knee == nil {
		return "–"
	}
	return fmt.Sprintf("%s, p99 %s", rated(s.Knee.Rate), inMS(s.Knee.P99MS))
}
