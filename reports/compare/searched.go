package compare

import (
	"cmp"
	"slices"

	"github.com/gateassay/gateassay/load/capacity"
)

const (
	mostRates   = 1000 // of a curve that are shown; a search makes tens
	highestRate = 1e9  // requests per second; what is beyond was not measured
)

// bounded leaves out of a curve what was not measured, and what no search makes.
func bounded(f capacity.File) capacity.File {
	curve := slices.DeleteFunc(slices.Clone(f.Capacity.Curve),
		func(p capacity.Point) bool { return !(p.Rate > 0 && p.Rate <= highestRate) })
	slices.SortStableFunc(curve, func(a, b capacity.Point) int { return cmp.Compare(a.Rate, b.Rate) })
	f.Capacity.Curve = curve[:min(len(curve), mostRates)]
	return f
}

func searchOf(f capacity.File) Search {
	c := f.Capacity
	found := Search{
		Rate: max(0, c.Rate), Low: max(0, c.Low), High: max(0, c.High), Held: c.Confirmations, Missed: c.Against,
		Limit: c.Limit, Thresholds: append([]string{}, f.SLO...), From: f.From, To: f.To, StepMS: f.StepMS,
		Knee:     c.Knee,
		Unstable: c.Unstable, Violations: f.Violations, Curve: append([]capacity.Point{}, c.Curve...),
	}
	if found.Limit == capacity.ByGenerator { // the rates above say nothing of the deployment
		found.High = 0
	}
	return found
}
