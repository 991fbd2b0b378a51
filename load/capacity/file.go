package capacity

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
)

// Schema names the version of run.json of a search.
const Schema = "gateassay/load-capacity/v1"

// Folder is where the runs of a search are, within its folder; Name is that of one run.
const Folder = "probes"

// Name is the folder of a run, within that of its search.
func Name(number int) string { return filepath.Join(Folder, fmt.Sprintf("%03d", number)) }

// File is run.json of a search.
type File struct {
	Schema     string          `json:"schema"`
	Run        results.Info    `json:"run"`
	Plan       *plan.Plan      `json:"plan"`
	Verdict    results.Verdict `json:"verdict"`
	Reason     string          `json:"reason"`
	SLO        []string        `json:"slo"`
	From       float64         `json:"from"`
	To         float64         `json:"to"`
	StepMS     int64           `json:"step_ms"`
	Capacity   Result          `json:"capacity"`
	Confidence Confidence      `json:"confidence"`
	Probes     []Run           `json:"probes"`
	Violations int64           `json:"violations"` // answers that broke a rule, in all probes
	Notes      []string        `json:"notes,omitempty"`

	misblocked int64 // answers that violate replay protection, in all probes
}

// Add counts what a probe sent, and what was wrong with the answers.
func (f *File) Add(run results.Run) {
	f.Run.Requests += run.Run.Requests
	for _, v := range run.Violations {
		f.Violations += v.Count
	}
	f.misblocked += run.Requests.FalseBlocks + run.Requests.MissedBlocks
}

// Confidence says how sure the rate is: the runs at that rate, and the interval that the capacity lies in.
type Confidence struct {
	Held   int     `json:"held"`
	Missed int     `json:"missed"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Share  float64 `json:"share"` // of the runs at that rate that held
}

// ExitCode is that of the command: 0 when a rate was found, 1 when even the lowest misses a threshold or a rule was
// violated, 3 when no answer can be given, 130 after an interrupt.
func (f File) ExitCode() int {
	switch {
	case f.Capacity.Limit == ByInterrupt:
		return 130
	case f.Verdict == results.Fail:
		return 1
	case f.Verdict == results.Pass:
		return 0
	}
	return 3
}

// Conclude gives verdict, reason and confidence. failure is what ended the search before it found an answer.
func (f *File) Conclude(failure error) {
	found := f.Capacity
	f.Reason = found.Reason
	f.Confidence = Confidence{Held: found.Confirmations, Missed: found.Against, Low: found.Low, High: found.High}
	if n := found.Confirmations + found.Against; n > 0 {
		f.Confidence.Share = float64(found.Confirmations) / float64(n)
	}
	f.Run.Partial = found.Limit == ByInterrupt
	switch {
	case f.misblocked > 0 && f.Plan.FailOnMisblock:
		f.Verdict = results.Fail
		f.Reason = fmt.Sprintf("replay protection was violated by %s; %s",
			printable.Quantity(f.misblocked, "answer"), found.Reason)
	case found.Limit == ByFrom:
		f.Verdict = results.Fail
	case failure == nil && found.Rate > 0 && (found.Limit == ByThresholds || found.Limit == ByTo):
		f.Verdict = results.Pass
	default:
		f.Verdict = results.Inconclusive
	}
}

// OutcomeOf says how a recorded run of one rate went.
func OutcomeOf(run results.Run) Outcome {
	q := run.Requests
	o := Outcome{
		Holds: run.Verdict == results.Pass, Answering: q.Ended()-q.TransportErrors-q.Timeouts > 0,
		Achieved: run.Rate.Achieved, Errors: q.Bad(),
		P50: duration(run.Latency.Response.P50), P99: duration(run.Latency.Response.P99),
	}
	if run.Verdict == results.Inconclusive {
		o.Unreliable, o.Next = run.Generator.Reason, run.Generator.Next
		for _, t := range slices.Backward(run.Thresholds) {
			if t.Late {
				o.Unreliable = t.Expr + ": observed " + t.Observed + "; " + t.Reason
			}
		}
	}
	switch {
	case o.Unreliable != "":
		o.Reason = o.Unreliable
	case !o.Holds:
		o.Reason, o.Trouble = run.Reason, trouble(run)
		for _, t := range slices.Backward(run.Thresholds) {
			if run.Verdict == results.Fail && len(run.Violations) == 0 && !t.OK && t.Observed != threshold.NoData {
				o.Reason = t.Expr + ": observed " + t.Observed // of the first that was missed
			}
		}
	}
	return o
}

// trouble is what went wrong most, where that was more than a few slow answers: 429 answers, or a stall.
func trouble(run results.Run) string {
	if all := run.Troubles(); len(all) > 0 && all[0].N*1000 >= run.Requests.Sent { // a thousandth may be chance
		return all[0].Words
	}
	if stalls := run.StallWords(); len(stalls) > 0 {
		return stalls[0]
	}
	return ""
}

func duration(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

// Unended marks what was found so far as that of a search that has not ended, so that a killed one leaves what it
// found.
func (f File) Unended() File {
	f.Capacity = (&search{runs: f.Probes, end: ByInterrupt, why: "the search was cut off"}).result()
	f.Conclude(nil)
	return f
}
