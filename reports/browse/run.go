package browse

import (
	"slices"
	"time"

	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
)

// lively is how recently a run without an end must have written to be taken for one that is under way.
const lively = 20 * time.Second

// Run is one recorded run as the list shows it. Texts are as they were recorded; templates escape them.
type Run struct {
	Path    string // of its folder or archive, with slashes, below the one that is served; "." is that one itself
	Archive bool
	Kind    recorded.Kind // empty: it could not be read
	recorded.Head
	Trouble    string // why it could not be read; empty: it could
	Unfinished bool   // it was cut off, or is under way: what is shown comes from what it recorded as it went
	Pending    bool   // it was not read yet
	Report     bool   // report.html is there
	Files      []string

	Counts     record.Counts // conformance
	Open       int           // conformance: must rules that were not verified or stayed inconclusive
	Rules      int
	verdicts   []ruled            // conformance: of each rule, in the order of the run
	Thresholds []threshold.Result // load
	Latency    results.Latency
	Rate       results.Rate
	Requests   results.Requests
	Capacity   float64 // requests per second
	Probes     int     // capacity: rates that were tried, some more than once

	Shard, Shards int   // load: which of how many processes sent it; the record of all when it is merged
	Merged        bool  // of its shards
	Parts         []Run // its shards, as far as they are here

	place place
}

// in returns what was read together with what is known of its place just now.
func (r Run) in(p place) Run {
	r.place, r.Path, r.Archive = p, p.path, p.archive
	if !p.archive {
		r.Report, r.Files = p.report, slices.Clone(p.files)
	}
	return r
}

// at is when a run began, or as much as is known of that.
func (r Run) at() time.Time {
	if r.Started.IsZero() {
		return r.place.written
	}
	return r.Started
}

// Underway reports whether a run without an end is still written. An archive never is.
func (r Run) Underway() bool {
	return r.Unfinished && !r.Archive && time.Since(r.place.written) < lively
}

// Readable reports whether it has a report, written or to be made.
func (r Run) Readable() bool { return r.Report || r.Kind != "" }

// Failing is how many requests of load were answered as they should not have been; the page of a run shows it.
func (r Run) Failing() int64 { return r.Requests.Sent - r.Requests.Accepted - r.Requests.Blocked }

// Missed is how many thresholds were missed.
func (r Run) Missed() (n int) {
	for _, t := range r.Thresholds {
		if !t.OK {
			n++
		}
	}
	return n
}

// Unmerged reports whether it stands for shards that were not merged.
func (r Run) Unmerged() bool { return len(r.Parts) > 0 && !r.Merged }

// summaryOf is what the list shows of a run that was read whole.
func summaryOf(whole recorded.Run) Run {
	r := Run{Kind: whole.Kind, Head: whole.Head()}
	switch whole.Kind {
	case recorded.OfConformance:
		r.Counts, r.Rules = whole.Conformance.Counts, len(whole.Conformance.Rules)
		for _, rule := range whole.Conformance.Rules {
			r.verdicts = append(r.verdicts, followed(rule))
			if rule.Level == "must" && (rule.Verdict == record.NotVerified || rule.Verdict == record.Inconclusive) {
				r.Open++
			}
		}
	case recorded.OfLoad:
		run := whole.Load
		r.Thresholds, r.Latency, r.Rate, r.Requests = run.Thresholds, run.Latency, run.Rate, run.Requests
		r.Shard, r.Shards, r.Merged = run.Run.Shard, run.Run.Shards, run.Run.Merged
	case recorded.OfCapacity:
		r.Capacity, r.Probes = whole.Capacity.Capacity.Rate, len(whole.Capacity.Probes)
	}
	return r
}
