package compare

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
)

// Capacity is how two searches for the capacity differ.
type Capacity struct {
	Tolerance float64   `json:"tolerance"`
	Searches  [2]Search `json:"searches"`
	// of the rate that was found, a share of that of the first; 0 when one found none
	Change float64      `json:"change"`
	Judged Verdict      `json:"judged,omitempty"` // of the rate; absent: not judged
	Rates  []AtRate     `json:"rates"`            // those that either search tried, rising
	Plan   []Difference `json:"plan,omitempty"`
}

// Search is what one search found.
type Search struct {
	Rate       float64          `json:"rate"`           // requests per second, the highest that held; 0: none
	Low        float64          `json:"low"`            // every run up to this rate held
	High       float64          `json:"high,omitempty"` // every run from this rate on missed; absent: not known
	Held       int              `json:"held"`           // runs at Rate
	Missed     int              `json:"missed"`
	Limit      capacity.Limit   `json:"limit"`
	Thresholds []string         `json:"thresholds"`
	From       float64          `json:"from"`
	To         float64          `json:"to"`
	StepMS     int64            `json:"step_ms"`
	Knee       *capacity.Knee   `json:"knee,omitempty"`
	Unstable   []string         `json:"unstable,omitempty"`
	Violations int64            `json:"violations"` // answers that broke a rule
	Curve      []capacity.Point `json:"curve"`
}

// AtRate is what both searches measured at one rate.
type AtRate struct {
	Rate   float64         `json:"rate"`
	Before *capacity.Point `json:"before,omitempty"` // absent: the search did not try it
	After  *capacity.Point `json:"after,omitempty"`
}

func (r *Result) capacities(before, after recorded.Run, o Options) {
	a, b := bounded(before.Capacity), bounded(after.Capacity)
	planA, _ := json.Marshal(a.Plan) // what cannot be written differs in nothing
	planB, _ := json.Marshal(b.Plan)
	c := &Capacity{
		Tolerance: o.Tolerance, Searches: [2]Search{searchOf(a), searchOf(b)},
		Plan: planDifferences(planA, planB),
	}
	r.Capacity = c
	x, y := c.Searches[0], c.Searches[1]
	if y.Rate > 0 {
		c.Change = relative(x.Rate, y.Rate)
	}
	c.Rates = sideBySide(x.Curve, y.Curve)
	r.Notes = append(c.notes(), otherDeployment(r.Before, r.After)...)
	why := c.open([2]capacity.File{a, b})
	c.judge(len(why) == 0)
	r.conclude(c.regressions([2]capacity.File{a, b}), why, c.conclude)
}

// open says why the rates of two searches cannot be compared, and what to do.
func (c *Capacity) open(runs [2]capacity.File) []string {
	var why []string
	for i, s := range c.Searches {
		which := "the " + ordinals[i] + " search"
		switch {
		case runs[i].Run.Partial || s.Limit == capacity.ByInterrupt:
			why = append(why, which+" was interrupted; let it run to its end")
		case s.Limit == capacity.ByGenerator:
			why = append(why, which+" reached the limit of its generator, not of the deployment: "+runs[i].Capacity.Reason)
		case s.Limit == capacity.BySilence || s.Limit == capacity.ByProbes || s.Rate <= 0 && s.Limit != capacity.ByFrom:
			why = append(why, which+" found no capacity: "+runs[i].Reason)
		}
	}
	x, y := c.Searches[0], c.Searches[1]
	if p, q := sorted(x.Thresholds), sorted(y.Thresholds); !slices.Equal(p, q) {
		why = append(why, fmt.Sprintf("the thresholds differ: %s and %s; search with the same --slo",
			listed(p), listed(q)))
	}
	if x.Limit == capacity.ByFrom && y.Limit == capacity.ByFrom {
		why = append(why, "both searches missed their thresholds at the lowest rate; search again with a lower --from")
	}
	return append(why, otherTraffic(c.Plan, "compare searches with the same plan")...)
}

func sorted(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }

func listed(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return printable.Clean(printable.Clip(strings.Join(list, ", "), 300))
}

// judge compares the intervals that the searches left open: the capacity is at least as high as every run
// up to Low says, and below High, where every run missed. One lies wholly below the other or nothing is said.
func (c *Capacity) judge(comparable bool) {
	if !comparable {
		return
	}
	least := 1 - min(c.Tolerance, 0.99)
	x, y := c.Searches[0], c.Searches[1]
	switch {
	case y.High > 0 && y.High < x.Low*least:
		c.Judged = Regression
	case x.High > 0 && x.High < y.Low*least:
		c.Judged = Improvement
	case x.bounded() && y.bounded() && x.Limit != capacity.ByFrom && y.Limit != capacity.ByFrom:
		c.Judged = Same
	}
}

// bounded reports whether a search says anything about where the capacity lies.
func (s Search) bounded() bool { return s.Low > 0 || s.High > 0 }

// uncertain reports whether the lowest rate held and missed.
func (s Search) uncertain() bool { return s.Low <= 0 && s.Limit != capacity.ByFrom }

// notes are what a reader must know of the searches.
func (c *Capacity) notes() []string {
	var notes []string
	for i, s := range c.Searches {
		which := "the " + ordinals[i] + " search"
		if s.Limit == capacity.ByTo {
			notes = append(notes, fmt.Sprintf("%s held at %.5g/s, the highest rate that it was allowed: the capacity "+
				"may be higher; a higher --to shows it", which, s.Rate))
		}
		for _, text := range s.Unstable {
			notes = append(notes, which+" is uncertain: "+text)
		}
		if s.High > s.Low*(1+2*c.Tolerance) && s.Rate > 0 {
			notes = append(notes, fmt.Sprintf("%s leaves the capacity open between %.5g/s and %.5g/s, which can hide "+
				"a change of %.4g %%; a smaller --precision or longer --step-duration narrows it",
				which, s.Low, s.High, 100*c.Tolerance))
		}
	}
	x, y := c.Searches[0], c.Searches[1]
	if x.StepMS != y.StepMS {
		notes = append(notes, fmt.Sprintf("each rate was tried for %.4g s before and %.4g s after: the longer, the "+
			"easier a threshold is missed", float64(x.StepMS)/1000, float64(y.StepMS)/1000))
	}
	return notes
}

// regressions are the ways in which the second search is worse.
func (c *Capacity) regressions(runs [2]capacity.File) []string {
	x, y := c.Searches[0], c.Searches[1]
	var list []string
	misblocked := func(s capacity.File) bool {
		return s.Verdict == results.Fail && s.Capacity.Limit != capacity.ByFrom
	}
	if misblocked(runs[1]) && !misblocked(runs[0]) {
		list = append(list, runs[1].Reason)
	} else if x.Violations == 0 && y.Violations > 0 {
		list = append(list, fmt.Sprintf("%s broke a documented rule, none before",
			digest.Quantity(int(y.Violations), "answer")))
	}
	if c.Judged == Regression {
		found := fmt.Sprintf("capacity %.5g/s instead of %.5g/s (%s)", y.Rate, x.Rate, signed(c.Change))
		if y.Rate <= 0 {
			found = fmt.Sprintf("capacity below %.5g/s instead of %.5g/s", y.High, x.Rate)
		}
		list = append(list, fmt.Sprintf("%s: every run at %.5g/s or more missed its thresholds, and before every run "+
			"up to %.5g/s held", found, y.High, x.Low))
	}
	return list
}

func (c *Capacity) conclude() (Verdict, string) {
	x, y := c.Searches[0], c.Searches[1]
	if c.Judged == Improvement {
		return Improvement, fmt.Sprintf("capacity %.5g/s instead of %s: every run up to %.5g/s held, and before "+
			"every run at %.5g/s or more missed", y.Rate, found(x), y.Low, x.High)
	}
	lies := fmt.Sprintf("the capacity is %s before and %s after", interval(x), interval(y))
	switch {
	case c.Judged == Same:
		return Same, fmt.Sprintf("%s, which shows no difference of more than %.4g %%", lies, 100*c.Tolerance)
	case x.uncertain() || y.uncertain():
		return Inconclusive, lies + ", as runs of the lowest rate disagree; search again with a longer --step-duration"
	}
	return Inconclusive, lies + "; search from the same --from"
}

func found(s Search) string {
	if s.Rate <= 0 {
		return fmt.Sprintf("less than %.5g/s", s.High)
	}
	return fmt.Sprintf("%.5g/s", s.Rate)
}

// interval is what a search left open, in words.
func interval(s Search) string {
	switch {
	case s.Low <= 0 && s.High <= 0:
		return "not known"
	case s.Low <= 0:
		return fmt.Sprintf("below %.5g/s", s.High)
	case s.High <= 0:
		return fmt.Sprintf("at least %.5g/s", s.Low)
	}
	return fmt.Sprintf("%.5g to %.5g/s", s.Low, s.High)
}

// sideBySide lines up two curves. Rates within a thousandth are one.
func sideBySide(x, y []capacity.Point) []AtRate {
	list := []AtRate{}
	for i := range x {
		list = append(list, AtRate{Rate: x[i].Rate, Before: &x[i]})
	}
	for i := range y {
		at := slices.IndexFunc(list, func(r AtRate) bool {
			return r.Before != nil && r.After == nil && math.Abs(r.Rate-y[i].Rate) <= r.Rate/1000
		})
		if at < 0 {
			list = append(list, AtRate{Rate: y[i].Rate, After: &y[i]})
			continue
		}
		list[at].After = &y[i]
	}
	slices.SortStableFunc(list, func(a, b AtRate) int { return cmp.Compare(a.Rate, b.Rate) })
	return list
}
