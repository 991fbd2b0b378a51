// Package results records load runs: it counts results in histograms of constant size, appends
// an interval to the record each second, and makes run.json, histograms.hlog and series.csv from
// the record alone.
package results

import (
	"encoding/json"
	"time"

	"github.com/gateassay/gateassay/internal/machine"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/threshold"
)

// Schema names the version of run.json.
const Schema = "gateassay/load/v1"

// Names of the files in the folder of a run.
const (
	ExchangesName = "exchanges.ndjson"
	HistogramName = "histograms.hlog"
	SeriesName    = "series.csv"
)

// Verdict is the verdict of a run.
type Verdict string

// Verdicts of a run.
const (
	VerdictPass         Verdict = "pass"
	VerdictFail         Verdict = "fail"         // threshold missed, rule violated, or abort rule met
	VerdictInconclusive Verdict = "inconclusive" // no answer, interrupted, or the generator was late
)

// Run is the content of run.json.
type Run struct {
	Schema     string                 `json:"schema"`
	Run        RunInfo                `json:"run"`
	Plan       json.RawMessage        `json:"plan"`
	Verdict    Verdict                `json:"verdict"`
	Reason     string                 `json:"reason"` // why this verdict, in one sentence
	Thresholds []threshold.Result     `json:"thresholds"`
	Requests   RequestCounts          `json:"requests"`
	Rate       Rate                   `json:"rate"`
	Latency    ServiceAndResponse     `json:"latency_ms"` // of all requests sent
	Generator  GeneratorHealth        `json:"generator"`
	Files      *FileTimes             `json:"files,omitempty"`
	Classes    map[string]ClassResult `json:"classes"`                // by class name
	Stages     []StageResult          `json:"stages"`                 // stages that were reached
	Statuses   map[string]int64       `json:"statuses,omitempty"`     // bad answers by status
	Codes      map[int]int64          `json:"status_codes,omitempty"` // all answers by status
	Bytes      BodyBytes              `json:"bytes,omitzero"`
	Failures   map[string]int64       `json:"failures,omitempty"` // no answer, by judge.Failure
	// stretches without any answer
	Stalls     []Stall     `json:"stalls,omitempty"`
	Violations []Violation `json:"violations,omitempty"` // rules that answers violated
	// nil: the run was not merged from shards
	Merge *MergeInfo `json:"merge,omitempty"`
	Notes []string   `json:"notes,omitempty"`
}

// RunInfo says what was run, where and when.
type RunInfo struct {
	ID          string    `json:"id"`
	Deployment  string    `json:"deployment"`
	BaseURL     string    `json:"base_url"`
	StartedAt   time.Time `json:"started_at"`
	FinishedAt  time.Time `json:"finished_at"`
	Embedded    bool      `json:"embedded,omitempty"`    // the reference gateway was loaded
	Fingerprint string    `json:"fingerprint,omitempty"` // deployment.File.Fingerprint
	Seed        int64     `json:"seed"`
	Partial     bool      `json:"partial"`           // interrupted, aborted or killed
	Aborted     string    `json:"aborted,omitempty"` // the abort rule that ended it
	Requests    int64     `json:"requests"`
	Version     string    `json:"version,omitempty"`
	Command     string    `json:"command,omitempty"`
	File        string    `json:"deployment_file,omitempty"` // path; empty: the embedded gateway
	PlanHash    string    `json:"plan_hash,omitempty"`
	Engine      string    `json:"engine,omitempty"`
	Shard       int       `json:"shard"`            // from 0
	Shards      int       `json:"shards"`           // 1: the run was not split
	Merged      bool      `json:"merged,omitempty"` // merged from all shards
}

// RequestCounts counts requests by outcome. Each request sent is in exactly one of the counts
// below Sent.
type RequestCounts struct {
	Scheduled       int64 `json:"scheduled"`
	Sent            int64 `json:"sent"`
	Accepted        int64 `json:"accepted"`
	Blocked         int64 `json:"blocked"`
	FalseBlocks     int64 `json:"false_blocks"`
	MissedBlocks    int64 `json:"missed_blocks"`
	Throttled       int64 `json:"throttled"`
	ClientErrors    int64 `json:"client_errors"`
	ServerErrors    int64 `json:"server_errors"`
	TransportErrors int64 `json:"transport_errors"`
	Timeouts        int64 `json:"timeouts"`
	Malformed       int64 `json:"malformed"`
	Canceled        int64 `json:"canceled"` // in flight when the run was interrupted
	Unknown         int64 `json:"unknown"`  // not recorded: the process was killed

	// Late counts those of the above that were sent more than 50 ms late. They do not count for
	// thresholds on counts and rates.
	Late int64 `json:"late,omitempty"`
}

// KnownOutcomes returns the number of requests with a known outcome.
func (q RequestCounts) KnownOutcomes() int64 { return q.Sent - q.Canceled - q.Unknown }

// BadShare returns the share of KnownOutcomes that were neither accepted nor rightly blocked, 0
// to 1.
func (q RequestCounts) BadShare() float64 {
	return float64(q.KnownOutcomes()-q.Accepted-q.Blocked) / float64(max(q.KnownOutcomes(), 1))
}

// Rate holds rates in requests per second.
type Rate struct {
	Target   float64 `json:"target"`
	Achieved float64 `json:"achieved"` // sent
	Accepted float64 `json:"accepted"` // of those sent
}

// DurationStats holds the figures of a distribution in milliseconds.
type DurationStats struct {
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P95  float64 `json:"p95"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p99_9"`
	Max  float64 `json:"max"`
	Mean float64 `json:"mean"`
}

// ServiceAndResponse holds the service time, measured from when a request was sent, and the
// response time, measured from when it was due.
type ServiceAndResponse struct {
	Service  DurationStats `json:"service"`
	Response DurationStats `json:"response"`
}

// BodyBytes counts the bytes of bodies: In of answers, Out of requests.
type BodyBytes struct {
	In  int64 `json:"in"`
	Out int64 `json:"out"`
}

// ClassResult describes one class of requests.
type ClassResult struct {
	Count   int64              `json:"count"`
	Latency ServiceAndResponse `json:"latency_ms"`
}

// StageResult describes one stage of the plan, up to the end of the run.
type StageResult struct {
	Number    int                `json:"number"` // from 1
	Name      string             `json:"name,omitempty"`
	StartMS   int64              `json:"start_ms"`
	EndMS     int64              `json:"end_ms"`
	Scheduled int64              `json:"scheduled"`
	Requests  map[string]int64   `json:"requests"` // by class name
	Rate      Rate               `json:"rate"`
	Latency   ServiceAndResponse `json:"latency_ms"`
	LagP99MS  float64            `json:"lag_p99_ms"`
}

// GeneratorHealth says whether the load generator kept up with the schedule.
type GeneratorHealth struct {
	LagP50MS     float64 `json:"lag_p50_ms"`
	LagP99MS     float64 `json:"lag_p99_ms"`
	LagMaxMS     float64 `json:"lag_max_ms"`
	CPU          float64 `json:"cpu"`      // share of the machine's CPUs that the process used, 0 to 1
	CPUPeak      float64 `json:"cpu_peak"` // in the busiest second
	CPUs         int     `json:"cpus"`
	machine.Load         // CPU and Wait are averages over the run
	Saturated    int64   `json:"saturated,omitempty"` // intervals without a free CPU
	Reliable     bool    `json:"reliable"`
	Reason       string  `json:"reason,omitempty"` // why it is not reliable
	Bound        string  `json:"bound,omitempty"`  // our limit that bounded the rate
	Next         string  `json:"next,omitempty"`   // what the user can try
	LagLimit     float64 `json:"lag_limit_ms"`
	Intervals    int64   `json:"intervals"`       // with requests under way
	Shard        *int    `json:"shard,omitempty"` // for a merged run: the shard of these figures
}

// FileTimes holds the times that the files of sampled exports took to arrive.
type FileTimes struct {
	files.Counts
	TimeMS DurationStats `json:"time_ms"`
}

// A Violation is a documented rule that answers broke.
type Violation struct {
	Rule  string `json:"rule"`
	Count int64  `json:"count"`
}

// JSON returns the content of run.json.
func (r Run) JSON() ([]byte, error) { return printable.JSON(r) }

// ExitCode returns the exit code of the command that made the run: 0 pass, 1 fail, 3 no verdict,
// 130 interrupted. A merged run with missing shards gets 3.
func ExitCode(r Run) int {
	switch {
	case r.Run.Partial && r.Run.Aborted == "" && !r.Run.Merged:
		return 130
	case r.Verdict == VerdictFail:
		return 1
	case r.Verdict == VerdictPass:
		return 0
	}
	return 3
}
