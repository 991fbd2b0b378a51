package capacity

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
)

// Point is one rate of the latency-throughput curve: the medians of its runs.
type Point struct {
	Rate     float64 `json:"rate"`
	Achieved float64 `json:"achieved"`
	P50MS    float64 `json:"p50_ms"`
	P99MS    float64 `json:"p99_ms"`
	Errors   float64 `json:"errors"`
	Held     int     `json:"held"`             // runs in which the thresholds held
	Failed   int     `json:"failed"`           // runs in which they did not
	Spoilt   int     `json:"spoilt,omitempty"` // those of them that describe the generator, not the deployment
	Reason   string  `json:"reason,omitempty"`
	Trouble  string  `json:"trouble,omitempty"` // what went wrong where thresholds were missed: 429 answers
}

// Why says why runs of this rate did not hold: what came, and the first threshold that it missed.
func (p Point) Why() string {
	if p.Trouble == "" {
		return p.Reason
	}
	return p.Trouble + ": " + p.Reason
}

// Missed is in how many runs the deployment missed a threshold.
func (p Point) Missed() int { return max(0, p.Failed-p.Spoilt) }

// spoilt reports that a rate could not be judged: the generator, where the deployment may have held, spoilt its runs, and
// in no other was a threshold missed.
func (p Point) spoilt() bool { return p.Spoilt >= 2 && p.Missed() == 0 }

// Ran says how the runs of a rate went.
func (p Point) Ran() string {
	text := fmt.Sprintf("%d %s, %d %s", p.Held, Held, p.Missed(), Missed)
	if p.Spoilt > 0 {
		text += fmt.Sprintf(", %d %s", p.Spoilt, NotJudged)
	}
	return text
}

// Between says in words where the capacity lies.
func (r Result) Between() string {
	switch {
	case r.Low > 0 && r.High > 0:
		return fmt.Sprintf("between %s and %s", printable.Rate(r.Low), printable.Rate(r.High))
	case r.Low > 0:
		return "at least " + printable.Rate(r.Low)
	case r.High > 0:
		return "below " + printable.Rate(r.High)
	}
	return "not known"
}

// result sums the search up.
func (s *search) result() Result {
	r := Result{Probes: len(s.runs), Curve: s.curve(), Limit: s.end, Reason: s.why}
	next := -1 // the lowest rate above that did not hold
	for i, p := range r.Curve {
		if p.Held <= p.Failed {
			next = i
			break
		}
		r.Rate, r.Confirmations, r.Against = p.Rate, p.Held, p.Failed
	}
	for _, p := range r.Curve {
		if p.Held == 0 || p.Missed() > 0 {
			break
		}
		r.Low = p.Rate
	}
	for _, p := range slices.Backward(r.Curve) {
		if p.Held > 0 || p.spoilt() {
			break
		}
		r.High = p.Rate
	}
	for _, p := range r.Curve {
		if p.Held > 0 && p.Missed() > 0 {
			r.Unstable = append(r.Unstable, fmt.Sprintf("%s held in %d of %d runs", printable.Rate(p.Rate), p.Held,
				p.Held+p.Failed))
		}
	}
	if r.Limit != "" {
		return r
	}
	switch {
	case r.Rate == 0 && next >= 0:
		r.Limit, r.Reason = ByFrom, fmt.Sprintf("%s, the lowest rate allowed, fails: %s; try a lower --from",
			printable.Rate(r.Curve[next].Rate), r.Curve[next].Reason)
	case next < 0:
		r.Limit, r.Reason = ByTo, printable.Rate(r.Rate)+", the highest rate allowed, holds: the capacity is higher"
	default:
		r.Limit, r.Reason = ByThresholds, fmt.Sprintf("holds %s; from %s %s", printable.Rate(r.Rate),
			printable.Rate(r.Curve[next].Rate), r.Curve[next].Why())
	}
	return r
}

// curve has a point for each rate that was run, by rate.
func (s *search) curve() []Point {
	points, byRate := []Point{}, map[float64][]Outcome{}
	for _, r := range s.runs {
		byRate[r.Rate] = append(byRate[r.Rate], r.Outcome)
	}
	for _, rate := range slices.Sorted(maps.Keys(byRate)) {
		runs := byRate[rate]
		p := Point{
			Rate: rate, Achieved: median(runs, func(o Outcome) float64 { return o.Achieved }),
			Errors: median(runs, func(o Outcome) float64 { return o.Errors }),
			P50MS:  median(runs, func(o Outcome) float64 { return ms(o.P50) }),
			P99MS:  median(runs, func(o Outcome) float64 { return ms(o.P99) }),
		}
		for _, o := range runs {
			switch {
			case o.Unreliable != "":
				p.Failed, p.Spoilt, p.Reason, p.Trouble = p.Failed+1, p.Spoilt+1, o.Unreliable, ""
			case o.Holds:
				p.Held++
			default:
				p.Failed, p.Reason, p.Trouble = p.Failed+1, o.Reason, o.Trouble
			}
		}
		points = append(points, p)
	}
	return points
}

func median(runs []Outcome, of func(Outcome) float64) float64 {
	values := make([]float64, len(runs))
	for i, r := range runs {
		values[i] = of(r)
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

func ms(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }
