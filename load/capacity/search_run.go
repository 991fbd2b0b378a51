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

// ProbesFolder is the folder of the probes in the folder of the search.
const ProbesFolder = "probes"

// ProbeFolderName returns the path of a probe's folder in the folder of the search.
func ProbeFolderName(number int) string {
	return filepath.Join(ProbesFolder, fmt.Sprintf("%03d", number))
}

// SearchRun is the content of run.json of a search.
type SearchRun struct {
	Schema     string          `json:"schema"`
	Run        results.RunInfo `json:"run"`
	Plan       *plan.Plan      `json:"plan"`
	Verdict    results.Verdict `json:"verdict"`
	Reason     string          `json:"reason"`
	SLO        []string        `json:"slo"`
	From       float64         `json:"from"`
	To         float64         `json:"to"`
	StepMS     int64           `json:"step_ms"`
	Capacity   Estimate        `json:"capacity"`
	Confidence Confidence      `json:"confidence"`
	Probes     []Probe         `json:"probes"`
	Violations int64           `json:"violations"` // answers that broke a rule, in all probes
	Notes      []string        `json:"notes,omitempty"`

	misblocked int64 // answers that violate replay protection, in all probes
}

// Confidence says how often the rate found held, and gives the interval of the capacity.
type Confidence struct {
	Held   int     `json:"held"`
	Missed int     `json:"missed"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Share  float64 `json:"share"` // share of the probes of the rate that held, 0 to 1
}

// AddProbe counts what a probe sent, and what was wrong with the answers.
func (f *SearchRun) AddProbe(run results.Run) {
	f.Run.Requests += run.Run.Requests
	for _, v := range run.Violations {
		f.Violations += v.Count
	}
	f.misblocked += run.Requests.FalseBlocks + run.Requests.MissedBlocks
}

// AddViolated counts answers to repeats before the search, by the rule that they broke.
func (f *SearchRun) AddViolated(rules map[string]int64) {
	for _, n := range rules {
		f.Violations += n
		f.misblocked += n
	}
}

// ExitCode is that of the command: 0 when a rate was found, 1 when even the lowest misses a
// threshold or a rule was violated, 3 when there is no answer, 130 after an interrupt.
func (f SearchRun) ExitCode() int {
	if f.Capacity.Limit == LimitedByInterrupt {
		return 130
	}
	return results.ExitCode(results.Run{Verdict: f.Verdict})
}

// Conclude sets verdict, reason and confidence. failure is what ended the search early.
func (f *SearchRun) Conclude(failure error) {
	e := f.Capacity
	f.Reason, f.Verdict = e.Reason, results.VerdictInconclusive
	f.Run.Partial = e.Limit == LimitedByInterrupt
	f.Confidence = Confidence{
		Held: e.Confirmations, Missed: e.Against, Low: e.Low, High: e.High,
		Share: float64(e.Confirmations) / float64(max(1, e.Confirmations+e.Against)),
	}
	switch {
	case f.misblocked > 0 && f.Plan.FailOnMisblock:
		f.Verdict = results.VerdictFail
		f.Reason = printable.Quantity(f.misblocked, "answer") + " violated replay protection; " +
			e.Reason
	case e.Limit == LimitedByLowestRate:
		f.Verdict = results.VerdictFail
	case failure == nil && e.Rate > 0 &&
		(e.Limit == LimitedByThresholds || e.Limit == LimitedBySearchRange):
		f.Verdict = results.VerdictPass
	}
}

// sustainedShare is the share of its rate that a probe must achieve to hold it.
const sustainedShare = 0.95

// OutcomeOf says how a recorded run of one rate went.
func OutcomeOf(run results.Run) ProbeOutcome {
	q := run.Requests
	o := ProbeOutcome{
		Holds: run.Verdict == results.VerdictPass, Answering: hasAnswers(q),
		Achieved: run.Rate.Achieved, Accepted: run.Rate.Accepted, Errors: q.BadShare(),
		P50: durationOfMS(run.Latency.Response.P50), P99: durationOfMS(run.Latency.Response.P99),
	}
	named := func(t threshold.Result) string { return t.Describe() + ", threshold " + t.Expr }
	if run.Verdict == results.VerdictInconclusive {
		o.Unreliable, o.Next = run.Generator.Reason, run.Generator.Next
		late := func(t threshold.Result) bool { return t.Late }
		if i := slices.IndexFunc(run.Thresholds, late); i >= 0 {
			o.Unreliable = named(run.Thresholds[i]) + "; " + run.Thresholds[i].Reason
		}
	}
	if o.Holds && o.Achieved < sustainedShare*run.Rate.Target {
		o.Holds, o.Reason = false, fmt.Sprintf("achieved %s of %s", printable.Rate(o.Achieved),
			printable.Rate(run.Rate.Target))
		o.Unreliable, o.Next = run.Generator.Bound, run.Generator.Next
	}
	switch {
	case o.Unreliable != "":
		o.Reason = o.Unreliable
	case o.Reason != "": // it was not sustained
	case !o.Holds:
		o.Reason, o.Trouble = run.Reason, mainError(run)
		missed := func(t threshold.Result) bool {
			return !t.OK && t.Observed != threshold.NoData
		}
		i := slices.IndexFunc(run.Thresholds, missed)
		if i >= 0 && run.Verdict == results.VerdictFail && len(run.Violations) == 0 {
			o.Reason = named(run.Thresholds[i])
		}
	}
	return o
}

// mainError names the most frequent error, such as 429 answers, if it hit at least one request
// in 1000. Otherwise it describes the longest stall, if any.
func mainError(run results.Run) string {
	if all := run.ErrorCounts(); len(all) > 0 && all[0].N*1000 >= run.Requests.Sent {
		return all[0].Words
	}
	if stalls := run.DescribeStalls(); len(stalls) > 0 {
		return stalls[0]
	}
	return ""
}

func durationOfMS(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

// Partial returns run.json for a search in progress, which remains if the search is killed.
func (f SearchRun) Partial() SearchRun {
	f.Capacity = (&searchState{
		probes: f.Probes, end: LimitedByInterrupt, why: "the search was cut off",
	}).estimate()
	f.Conclude(nil)
	return f
}

// hasAnswers reports whether any request got an answer. It returns true if no outcome is known,
// because then the deployment is not to blame.
func hasAnswers(q results.RequestCounts) bool {
	return q.KnownOutcomes() == 0 || q.KnownOutcomes()-q.TransportErrors-q.Timeouts > 0
}
