package compare

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/exactjson"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/view"
)

// CapacityComparison compares two searches for the capacity.
type CapacityComparison struct {
	Tolerance float64              `json:"tolerance"`
	Searches  [2]capacity.Estimate `json:"searches"`
	// relative change of the capacity, as a share of the first; 0: one found none
	Change float64                   `json:"change"`
	Judged Verdict                   `json:"judged,omitempty"` // of the rate; absent: not judged
	Plan   []exactjson.KeyDifference `json:"plan,omitempty"`
	files  [2]capacity.SearchRun
}

func (r *Comparison) compareCapacities(before, after recorded.Run, tolerance float64) {
	c := &CapacityComparison{
		Tolerance: tolerance, files: [2]capacity.SearchRun{before.Capacity, after.Capacity},
	}
	r.Capacity = c
	for i := range c.files {
		found := &c.files[i].Capacity
		if found.Limit == capacity.LimitedByGenerator { // the rates above show nothing
			found.High = 0
		}
		c.Searches[i] = *found
	}
	planA, _ := json.Marshal(c.files[0].Plan) // a plan that cannot be written counts as equal
	planB, _ := json.Marshal(c.files[1].Plan)
	var why []string
	c.Plan, why = planDifferences(planA, planB, "stages")
	if c.Searches[1].Rate > 0 {
		c.Change = relativeChange(c.Searches[0].Rate, c.Searches[1].Rate)
	}
	if why = append(c.incomparableReasons(), why...); len(why) == 0 {
		c.judgeIntervals()
	}
	worse := c.regressions()
	if len(c.Plan) > 0 { // another load shows no change of the deployment
		r.Notes, worse = append(r.Notes, worse...), nil
	}
	r.setVerdict(worse, why, c.conclude)
}

// incomparableReasons returns why the rates of two searches cannot be compared, and what to do.
func (c *CapacityComparison) incomparableReasons() (why []string) {
	for i, f := range c.files {
		which, s := "the "+runOrdinals[i]+" search", c.Searches[i]
		switch {
		case f.Run.Partial || s.Limit == capacity.LimitedByInterrupt:
			why = append(why, which+" was interrupted; let it run to its end")
		case s.Limit == capacity.LimitedByGenerator:
			why = append(why, which+" reached the limit of its generator, not of the deployment: "+s.Reason)
		case s.Limit == capacity.LimitedBySilence || s.Limit == capacity.LimitedByProbeCount ||
			s.Rate <= 0 && s.Limit != capacity.LimitedByLowestRate:
			why = append(why, which+" found no capacity: "+f.Reason)
		}
	}
	if p, q := c.thresholdText(0), c.thresholdText(1); p != q {
		why = append(why,
			fmt.Sprintf("the thresholds differ: %s and %s; search with the same --slo", p, q))
	}
	if c.Searches[0].Limit == capacity.LimitedByLowestRate &&
		c.Searches[1].Limit == capacity.LimitedByLowestRate {
		why = append(why,
			"both searches missed their thresholds at the lowest rate; search again with a lower --from")
	}
	return why
}

// thresholdText returns the thresholds of a search.
func (c *CapacityComparison) thresholdText(i int) string {
	list := slices.Compact(slices.Sorted(slices.Values(c.files[i].SLO)))
	if len(list) == 0 {
		return "none"
	}
	return printable.Clip(strings.Join(list, ", "), 300)
}

// judgeIntervals compares the intervals of the searches: every run up to Low held, and every run
// at High missed. They differ only if one interval is entirely below the other.
func (c *CapacityComparison) judgeIntervals() {
	least := 1 - min(c.Tolerance, 0.99)
	x, y := c.Searches[0], c.Searches[1]
	known := func(s capacity.Estimate) bool {
		return (s.Low > 0 || s.High > 0) && s.Limit != capacity.LimitedByLowestRate
	}
	switch {
	case y.High > 0 && y.High < x.Low*least:
		c.Judged = VerdictRegression
	case x.High > 0 && x.High < y.Low*least:
		c.Judged = VerdictImprovement
	case known(x) && known(y):
		c.Judged = VerdictSame
	}
}

func (c *CapacityComparison) regressions() (list []string) {
	x, y := c.Searches[0], c.Searches[1]
	misblocked := func(f capacity.SearchRun) bool {
		return f.Verdict == results.VerdictFail && f.Capacity.Limit != capacity.LimitedByLowestRate
	}
	if misblocked(c.files[1]) && !misblocked(c.files[0]) {
		list = append(list, c.files[1].Reason)
	} else if n := c.files[1].Violations; c.files[0].Violations == 0 && n > 0 {
		list = append(list,
			fmt.Sprintf("%s broke a documented rule, none before", printable.Quantity(n, "answer")))
	}
	if c.Judged == VerdictRegression {
		change := ""
		if c.Change != 0 {
			change = " (" + formatSigned(c.Change) + ")"
		}
		list = append(list,
			fmt.Sprintf("capacity %s instead of %s%s: every run at %.5g/s or more missed its thresholds, "+
				"and before every run up to %.5g/s held", formatRate(y), formatRate(x), change, y.High, x.Low))
	}
	return list
}

func (c *CapacityComparison) conclude() (Verdict, string) {
	x, y := c.Searches[0], c.Searches[1]
	lies := fmt.Sprintf("the capacity is %s before and %s after", x.Interval(), y.Interval())
	// the lowest rate both held and missed
	uncertain := func(s capacity.Estimate) bool {
		return s.Low <= 0 && s.Limit != capacity.LimitedByLowestRate
	}
	switch {
	case c.Judged == VerdictImprovement:
		return VerdictImprovement, fmt.Sprintf("capacity %s instead of %s: every run up to %.5g/s "+
			"held, and before every run at %.5g/s or more missed", formatRate(y), formatRate(x), y.Low,
			x.High)
	case c.Judged == VerdictSame:
		return VerdictSame, fmt.Sprintf("%s, which shows no difference of more than %.4g%%", lies,
			100*c.Tolerance)
	case uncertain(x) || uncertain(y):
		return VerdictInconclusive, lies + ", as runs of the lowest rate disagree; search again with a " +
			"longer --step-duration"
	}
	return VerdictInconclusive, lies + "; search from the same --from"
}

// formatRate returns the highest rate that held.
func formatRate(s capacity.Estimate) string {
	if s.Rate <= 0 {
		return s.Interval()
	}
	return plot.UnitPerSecond.FormatValue(s.Rate)
}

func (c *CapacityComparison) parts() []view.Part {
	t := view.Table{Label: "Capacity", Columns: view.Columns("", "before", "after", "*")}
	judged := verdictBadge(c.Judged)
	if c.Change != 0 {
		judged.Quiet = formatSigned(c.Change)
	}
	tried := func(f capacity.SearchRun) string {
		return fmt.Sprintf("%s to %s, %s each", plot.UnitPerSecond.FormatValue(f.From),
			plot.UnitPerSecond.FormatValue(f.To), time.Duration(f.StepMS)*time.Millisecond)
	}
	x, y := c.Searches[0], c.Searches[1]
	t.Add("highest rate that held", formatRate(x), formatRate(y), judged)
	t.Add("capacity", x.Interval(), y.Interval())
	t.Add("thresholds", c.thresholdText(0), c.thresholdText(1))
	t.Add("rates tried", tried(c.files[0]), tried(c.files[1]))
	return []view.Part{
		{
			Title: t.Label,
			Blocks: []view.Block{{Table: &t}, {In: view.FormPage | view.FormMarkdown, Note: fmt.Sprintf(
				"A capacity lies in an interval: every run up to its lower end held, and every run from "+
					"its upper end on missed. It is worse or better only if one interval lies wholly below "+
					"the other, by more than the tolerance of %.4g%%.", 100*c.Tolerance)}},
		},
		{
			Title: "Latency by rate",
			Blocks: []view.Block{{Note: overlayNote, In: view.FormPage}, {Wide: true, Charts: overlayCharts(
				loadreport.SearchCharts(c.files[0]), loadreport.SearchCharts(c.files[1]),
				overlay{"curve", []string{"p99", "p50"}}, overlay{"errors", []string{"errors"}})}},
		},
	}
}
