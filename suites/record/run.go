// Package record defines the records of a conformance run: the contents of run.json and
// journal.ndjson. All reports are made from them.
package record

import (
	"fmt"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/printable"
)

// Schema names the version of run.json.
const Schema = "gateassay/conformance/v1"

// Verdict is the verdict of a check or of a rule.
type Verdict string

// Verdicts of checks and rules. Only rules are waived.
const (
	VerdictPass         Verdict = "pass"
	VerdictFail         Verdict = "fail"
	VerdictWaived       Verdict = "waived"
	VerdictNotVerified  Verdict = "not_verified"
	VerdictInconclusive Verdict = "inconclusive"
	VerdictObserved     Verdict = "observed"
)

// VerdictWarning is how reports show a failed should rule that protects neither data nor money.
// Records have VerdictFail instead.
const VerdictWarning Verdict = "warning"

// RunVerdict is the verdict of a whole run.
type RunVerdict string

// Verdicts of a run.
const (
	// every must rule passed or is waived, no security rule failed
	RunConformant      RunVerdict = "conformant"
	RunSelectionPassed RunVerdict = "passed"     // the same, for a selection
	RunViolations      RunVerdict = "violations" // a must rule or a security rule failed
	RunPartlyVerified  RunVerdict = "partial"    // no violation, some must rules not verified
	// no violation, a must rule was tried and could not be judged
	RunNoVerdict RunVerdict = "inconclusive"
)

// Run is the contents of run.json.
type Run struct {
	Schema       string         `json:"schema"`
	Run          RunInfo        `json:"run"`
	Verdict      RunVerdict     `json:"verdict"`
	Reason       string         `json:"reason,omitempty"` // reason of the verdict, in one sentence
	Counts       VerdictCounts  `json:"counts"`
	Defects      []Defect       `json:"defects"` // defects, each with the rules that show it
	Rules        []RuleResult   `json:"rules"`
	Observations []Observation  `json:"observations"`
	Waivers      []WaiverStatus `json:"waivers,omitempty"`
	// notes for the reader: retries, throttling, budget, disk
	Notes []string `json:"notes,omitempty"`
}

// RunInfo says what was run, where and when.
type RunInfo struct {
	ID         string `json:"id"`
	Deployment string `json:"deployment"`
	BaseURL    string `json:"base_url"`
	// the embedded reference gateway was tested
	Embedded bool `json:"embedded"`
	// see deployment.File.Fingerprint
	Fingerprint string        `json:"fingerprint,omitempty"`
	Depth       string        `json:"depth,omitempty"` // quick, standard or thorough
	Tried       ValueCoverage `json:"tried"`
	Selected    RuleSelection `json:"selected"`
	StartedAt   time.Time     `json:"started_at"`
	FinishedAt  time.Time     `json:"finished_at"`
	Seed        int64         `json:"seed"`
	// interrupted: some selected checks did not run
	Partial  bool          `json:"partial"`
	Strict   bool          `json:"strict,omitempty"` // warnings fail the run
	Requests int           `json:"requests"`
	Created  CreatedCounts `json:"created"`
	Version  string        `json:"version,omitempty"`
	// the command line that repeats the run
	Command string `json:"command,omitempty"`
	// path of the deployment file; empty: the embedded gateway
	File       string `json:"deployment_file,omitempty"`
	InFlight   int    `json:"in_flight,omitempty"` // limit of concurrent requests
	PeakFlight int    `json:"peak_in_flight,omitempty"`
	// retries after a 429
	Retries int `json:"retries,omitempty"`
}

// ValueCoverage counts the values that the run tries and those that a thorough run of the same
// rules tries. Each value is a case of a rule. Values that the deployment file does not provide
// are not counted. The names in JSON read as in "values: 3, of: 5".
type ValueCoverage struct {
	Tried int `json:"values"`
	Total int `json:"of"` // 0: an earlier version made the run
}

// DescribeAt returns how much of the values a run of a depth tried.
func (t ValueCoverage) DescribeAt(depth string) string {
	if t.Tried == t.Total {
		return fmt.Sprintf("depth %s: all of %s values tried", depth, printable.Number(t.Total))
	}
	return fmt.Sprintf("depth %s: %s of %s values tried, %s tries all", depth,
		printable.Number(t.Tried),
		printable.Number(t.Total), deployment.DepthThorough)
}

// RuleSelection counts the rules that the run selected and all rules; in JSON, "rules: 3, of: 5".
type RuleSelection struct {
	Selected int `json:"rules"`
	Total    int `json:"of"` // 0: an earlier version made the run
}

// IsPartial reports whether the selection leaves rules out.
func (s RuleSelection) IsPartial() bool { return s.Selected < s.Total }

func (s RuleSelection) String() string {
	return fmt.Sprintf("%d of %d rules selected", s.Selected, s.Total)
}

// CreatedCounts counts what the run created on the deployment.
type CreatedCounts struct {
	LegalRepresentatives int `json:"legal_representatives"`
	Exports              int `json:"exports"`
}

// VerdictCounts counts rules by verdict.
type VerdictCounts struct {
	Pass         int `json:"pass"`
	Fail         int `json:"fail"` // failed must rules and security rules
	Warn         int `json:"warn"` // failed should rules
	Waived       int `json:"waived"`
	NotVerified  int `json:"not_verified"`
	Inconclusive int `json:"inconclusive"`
	Observed     int `json:"observed"`
}

// RuleResult is a rule of the catalogue with its verdict and checks.
type RuleResult struct {
	ID        string  `json:"id"`
	Level     string  `json:"level"`
	Security  bool    `json:"security"`
	Section   string  `json:"section"`
	Statement string  `json:"statement"`
	Verdict   Verdict `json:"verdict"`
	Reason    string  `json:"reason,omitempty"`
	Waiver    *Waiver `json:"waiver,omitempty"`
	// path within the folder of the run; it repeats the decisive check of a failed rule
	Script string        `json:"script,omitempty"`
	Checks []CheckResult `json:"checks"`
}

// FailureIsViolation reports whether a failure of the rule is a violation, not a warning.
func (r RuleResult) FailureIsViolation() bool {
	return r.Level != string(rules.Should) || r.Security
}

// SortWeight returns the rank of a rule, the gravest lowest: security rules, then must rules, then
// should and observe rules.
func (r RuleResult) SortWeight() int {
	if r.Security {
		return -1
	}
	return slices.Index([]string{string(rules.Must), string(rules.Should), string(rules.Observe)},
		r.Level)
}

// IsUndecided reports whether it is a must rule without a judgement.
func (r RuleResult) IsUndecided() bool {
	return r.Level == string(rules.Must) &&
		(r.Verdict == VerdictNotVerified || r.Verdict == VerdictInconclusive)
}

// DisplayVerdict returns the verdict that reports show: the rule's, or VerdictWarning.
func (r RuleResult) DisplayVerdict() Verdict {
	if r.Verdict == VerdictFail && !r.FailureIsViolation() {
		return VerdictWarning
	}
	return r.Verdict
}

// Waiver is a waiver that covered the failure of a rule.
type Waiver struct {
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
	Until  string `json:"until"` // YYYY-MM-DD
}

// WaiverStatus is a waiver and its state in the run.
type WaiverStatus struct {
	Waiver
	State string `json:"state"` // one of the states below
}

// States of a waiver.
const (
	WaiverInUse     = "in_use"     // covers a failure
	WaiverExpired   = "expired"    // its last day is over: its failures count again
	WaiverNotNeeded = "not_needed" // all of its rules passed
	WaiverUndecided = "undecided"  // none of its rules failed, and some were not verified
	WaiverUnknown   = "unknown"    // names no rule of the catalogue
)

// CheckResult is the result of one check of a rule.
type CheckResult struct {
	Rule string `json:"rule,omitempty"` // in the journal only
	// in the journal only: position of its case among all cases, from 1
	CaseNumber int     `json:"case,omitempty"`
	Name       string  `json:"name"`
	Verdict    Verdict `json:"verdict"`
	// reason in a sentence; of a failure, the Sentence of the Finding
	Message string          `json:"message,omitempty"`
	Finding                 // of a failure
	Values  []ObservedValue `json:"values,omitempty"` // of an observation
	// key of the deployment file that is missing for the judgement
	MissingKey string `json:"need,omitempty"`
	KeyIsGiven bool   `json:"given,omitempty"` // MissingKey is given, but its value does not work
	Exchanges  []int  `json:"exchanges"`
	// commands that repeat the exchanges that show it; secrets are variables
	Curl       string `json:"curl,omitempty"`
	DurationMS int64  `json:"duration_ms"` // sum of its exchanges' service times
	Location   string `json:"location,omitempty"`
}

// ExportRow is a wrong row of an export, or one next to a bound: whether the file should hold it,
// and whether it does.
type ExportRow struct {
	ID       string `json:"id,omitempty"`
	Date     string `json:"date"`
	Expected bool   `json:"expected"`
	Found    bool   `json:"found"`
}
