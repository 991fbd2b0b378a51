package capacity

import (
	"fmt"
	"maps"
	"slices"

	"github.com/montanaflynn/stats"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/results"
)

// An Estimate is the result of a search. Rates are in requests per second; 0: unknown.
type Estimate struct {
	Rate          float64      `json:"rate"`          // accepted at Sent
	Sent          float64      `json:"sent"`          // the highest rate that held
	Confirmations int          `json:"confirmations"` // probes in which Sent held
	Against       int          `json:"against"`       // probes in which Sent failed
	Low           float64      `json:"low"`           // every probe up to this rate held
	High          float64      `json:"high"`          // every probe at or above this rate failed
	Limit         LimitReason  `json:"limit"`
	Reason        string       `json:"reason"` // in one sentence
	Unstable      []string     `json:"unstable,omitempty"`
	Probes        int          `json:"probes"`
	Curve         []CurvePoint `json:"curve"`
}

// A CurvePoint is a rate of the latency-throughput curve, with medians over its probes.
type CurvePoint struct {
	Rate      float64 `json:"rate"`
	Achieved  float64 `json:"achieved"`
	Accepted  float64 `json:"accepted"`
	P50MS     float64 `json:"p50_ms"`
	P99MS     float64 `json:"p99_ms"`
	Errors    float64 `json:"errors"`
	Held      int     `json:"held"`             // probes in which the thresholds held
	Failed    int     `json:"failed"`           // probes in which they did not hold
	NotJudged int     `json:"spoilt,omitempty"` // failed probes that describe the generator
	Reason    string  `json:"reason,omitempty"`
	Trouble   string  `json:"trouble,omitempty"` // most frequent error, such as 429 answers
}

// FailureReason says why probes of this rate failed: the most frequent error and the first
// missed threshold.
func (p CurvePoint) FailureReason() string {
	if p.Trouble == "" {
		return p.Reason
	}
	return p.Trouble + ": " + p.Reason
}

// MissedCount returns the number of probes in which the deployment missed a threshold.
func (p CurvePoint) MissedCount() int { return max(0, p.Failed-p.NotJudged) }

// notJudged reports whether the generator could not send the rate in two probes and no other
// probe missed.
func (p CurvePoint) notJudged() bool { return p.NotJudged >= 2 && p.MissedCount() == 0 }

// ProbeSummary counts the probes of a rate: "2 held, 1 missed".
func (p CurvePoint) ProbeSummary() string {
	text := fmt.Sprintf("%d %s, %d %s", p.Held, OutcomeHeld, p.MissedCount(), OutcomeMissed)
	if p.NotJudged > 0 {
		text += fmt.Sprintf(", %d %s", p.NotJudged, OutcomeNotJudged)
	}
	return text
}

// Interval describes the interval of the capacity, such as "at least 100/s".
func (e Estimate) Interval() string {
	switch {
	case e.Low > 0 && e.High > 0:
		return fmt.Sprintf("between %s and %s", printable.Rate(e.Low), printable.Rate(e.High))
	case e.Low > 0:
		return "at least " + printable.Rate(e.Low)
	case e.High > 0:
		return "below " + printable.Rate(e.High)
	}
	return "not known"
}

func (s *searchState) estimate() Estimate {
	e := Estimate{Probes: len(s.probes), Curve: s.curve(), Limit: s.end, Reason: s.why}
	next := slices.IndexFunc(e.Curve, func(p CurvePoint) bool { return p.Held <= p.Failed })
	if next != 0 && len(e.Curve) > 0 {
		best := e.Curve[len(e.Curve)-1]
		if next > 0 {
			best = e.Curve[next-1]
		}
		e.Sent, e.Confirmations, e.Against = best.Rate, best.Held, best.Failed
		e.Rate = min(best.Rate, best.Accepted)
	}
	for _, p := range e.Curve {
		if p.Held == 0 || p.MissedCount() > 0 {
			break
		}
		e.Low = min(p.Rate, p.Accepted)
	}
	for _, p := range slices.Backward(e.Curve) {
		if p.Held > 0 || p.notJudged() {
			break
		}
		e.High = p.Rate
	}
	for _, p := range e.Curve {
		if p.Held > 0 && p.MissedCount() > 0 {
			e.Unstable = append(e.Unstable,
				fmt.Sprintf("%s held in %d of %d probes", printable.Rate(p.Rate), p.Held, p.Held+p.Failed))
		}
	}
	rate := printable.Rate(e.Sent)
	if accepted := printable.Rate(e.Rate); accepted != rate {
		rate += " with " + accepted + " accepted"
	}
	switch {
	case e.Limit != "":
	case next == 0:
		e.Limit = LimitedByLowestRate
		e.Reason = fmt.Sprintf("%s, the lowest rate allowed, fails: %s; try a lower --from",
			printable.Rate(e.Curve[0].Rate), e.Curve[0].Reason)
	case next < 0:
		e.Limit = LimitedBySearchRange
		e.Reason = "the search ends at --to: it holds " + rate + ", so the capacity is higher"
	default:
		e.Limit = LimitedByThresholds
		e.Reason = fmt.Sprintf("holds %s; from %s %s", rate,
			printable.Rate(e.Curve[next].Rate), e.Curve[next].FailureReason())
	}
	return e
}

func (s *searchState) curve() []CurvePoint {
	points, byRate := []CurvePoint{}, map[float64][]ProbeOutcome{}
	for _, p := range s.probes {
		byRate[p.Rate] = append(byRate[p.Rate], p.Outcome)
	}
	for _, rate := range slices.Sorted(maps.Keys(byRate)) {
		outcomes := byRate[rate]
		median := func(of func(ProbeOutcome) float64) float64 { return medianOf(outcomes, of) }
		p := CurvePoint{
			Rate:     rate,
			Achieved: median(func(o ProbeOutcome) float64 { return o.Achieved }),
			Accepted: median(func(o ProbeOutcome) float64 { return o.Accepted }),
			Errors:   median(func(o ProbeOutcome) float64 { return o.Errors }),
			P50MS:    median(func(o ProbeOutcome) float64 { return results.Milliseconds(o.P50) }),
			P99MS:    median(func(o ProbeOutcome) float64 { return results.Milliseconds(o.P99) }),
		}
		for _, o := range outcomes {
			if o.Word() == OutcomeHeld {
				p.Held++
				continue
			}
			p.Failed++
			if o.Word() != OutcomeNotJudged {
				p.Reason, p.Trouble = o.Reason, o.Trouble
			} else if p.NotJudged++; p.MissedCount() == 0 {
				p.Reason = o.Unreliable
			}
		}
		points = append(points, p)
	}
	return points
}

func medianOf(outcomes []ProbeOutcome, of func(ProbeOutcome) float64) float64 {
	var values stats.Float64Data
	for _, o := range outcomes {
		values = append(values, of(o))
	}
	median, _ := values.Median() // there is at least one
	return median
}
