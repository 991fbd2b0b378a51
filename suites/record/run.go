// Package record holds the shape of a recorded conformance run: what run.json and journal.ndjson
// contain. Everything a report shows is derived from it.
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

// Verdict of a check or of a rule.
type Verdict string

// Verdicts of checks and rules. Waived only applies to rules.
const (
	VerdictPass         Verdict = "pass"
	VerdictFail         Verdict = "fail"
	VerdictWaived       Verdict = "waived"
	VerdictNotVerified  Verdict = "not_verified"
	VerdictInconclusive Verdict = "inconclusive"
	VerdictObserved     Verdict = "observed"
)

// VerdictWarning is how reports show a failed should rule that protects neither data nor money. No
// record holds it: there the verdict is VerdictFail.
const VerdictWarning Verdict = "warning"

// RunVerdict is the verdict of a whole run.
type RunVerdict string

// Outcomes of a run.
const (
	// every must rule passed or is waived, no security rule failed
	RunConformant      RunVerdict = "conformant"
	RunSelectionPassed RunVerdict = "passed"     // so, of a selection of the rules
	RunViolations      RunVerdict = "violations" // a must rule or a security rule failed
	RunPartlyVerified  RunVerdict = "partial"    // none of these failed, some stayed unverified
	// none of these failed, a must rule was tried and could not be judged
	RunNoVerdict RunVerdict = "inconclusive"
)

// Run is run.json.
type Run struct {
	Schema       string         `json:"schema"`
	Run          RunInfo        `json:"run"`
	Verdict      RunVerdict     `json:"verdict"`
	Reason       string         `json:"reason,omitempty"` // why this verdict, in one sentence
	Counts       VerdictCounts  `json:"counts"`
	Defects      []Defect       `json:"defects"` // what is wrong, each with the rules that show it
	Rules        []RuleResult   `json:"rules"`
	Observations []Observation  `json:"observations"`
	Waivers      []WaiverStatus `json:"waivers,omitempty"`
	// what a reader must know: retries, throttling, budget, disk
	Notes []string `json:"notes,omitempty"`
}

// RunInfo says what was run, where and when.
type RunInfo struct {
	ID         string `json:"id"`
	Deployment string `json:"deployment"`
	BaseURL    string `json:"base_url"`
	// the reference gateway was tested, in place of a deployment
	Embedded bool `json:"embedded"`
	// of the deployment, see deployment.File.Fingerprint
	Fingerprint string        `json:"fingerprint,omitempty"`
	Depth       string        `json:"depth,omitempty"` // quick, standard or thorough
	Tried       ValueCoverage `json:"tried"`
	Selected    RuleSelection `json:"selected"`
	StartedAt   time.Time     `json:"started_at"`
	FinishedAt  time.Time     `json:"finished_at"`
	Seed        int64         `json:"seed"`
	// interrupted: some selected checks did not run
	Partial  bool          `json:"partial"`
	Strict   bool          `json:"strict,omitempty"` // warnings fail it
	Requests int           `json:"requests"`
	Created  CreatedCounts `json:"created"`
	Version  string        `json:"version,omitempty"`
	// the command line that repeats the run
	Command string `json:"command,omitempty"`
	// path of the deployment file; empty: the embedded gateway
	File       string `json:"deployment_file,omitempty"`
	InFlight   int    `json:"in_flight,omitempty"` // limit
	PeakFlight int    `json:"peak_in_flight,omitempty"`
	// attempts that repeated one which was answered with 429
	Retries int `json:"retries,omitempty"`
}

// ValueCoverage counts the values that the run was to try, each of which is a case of a rule, and
// those that a thorough run of the same rules would. What the deployment file gives no values for
// is not among them.
type ValueCoverage struct {
	Tried int `json:"values"`
	Total int `json:"of"` // 0: an earlier version made the run
}

// DescribeAt says how much a run of a depth tried.
func (t ValueCoverage) DescribeAt(depth string) string {
	if t.Tried == t.Total {
		return fmt.Sprintf("depth %s: all of %s values tried", depth, printable.Number(t.Total))
	}
	return fmt.Sprintf("depth %s: %s of %s values tried, %s tries all", depth,
		printable.Number(t.Tried),
		printable.Number(t.Total), deployment.DepthThorough)
}

// RuleSelection says how many rules a run was to verify, and of how many.
type RuleSelection struct {
	Selected int `json:"rules"`
	Total    int `json:"of"` // 0: an earlier version made the run
}

// IsPartial reports whether rules were left out.
func (s RuleSelection) IsPartial() bool { return s.Selected < s.Total }

func (s RuleSelection) String() string {
	return fmt.Sprintf("%d of %d rules selected", s.Selected, s.Total)
}

// CreatedCounts counts what the run left on the deployment.
type CreatedCounts struct {
	LegalRepresentatives int `json:"legal_representatives"`
	Exports              int `json:"exports"`
}

// VerdictCounts of rules by verdict.
type VerdictCounts struct {
	Pass         int `json:"pass"`
	Fail         int `json:"fail"` // must rules and security rules
	Warn         int `json:"warn"` // should rules that failed
	Waived       int `json:"waived"`
	NotVerified  int `json:"not_verified"`
	Inconclusive int `json:"inconclusive"`
	Observed     int `json:"observed"`
}

// RuleResult is one rule of the catalogue with what was found.
type RuleResult struct {
	ID        string  `json:"id"`
	Level     string  `json:"level"`
	Security  bool    `json:"security"`
	Section   string  `json:"section"`
	Statement string  `json:"statement"`
	Verdict   Verdict `json:"verdict"`
	Reason    string  `json:"reason,omitempty"`
	Waiver    *Waiver `json:"waiver,omitempty"`
	// in the folder of the run: repeats the decisive check of a rule that failed
	Script string        `json:"script,omitempty"`
	Checks []CheckResult `json:"checks"`
}

// FailureIsViolation reports whether a failure of the rule is a violation; a failure of any other
// rule is a warning.
func (r RuleResult) FailureIsViolation() bool {
	return r.Level != string(rules.Should) || r.Security
}

// SortWeight orders rules, the gravest first: those that protect data or money, then must rules,
// then the others.
func (r RuleResult) SortWeight() int {
	if r.Security {
		return -1
	}
	return slices.Index([]string{string(rules.Must), string(rules.Should), string(rules.Observe)},
		r.Level)
}

// IsUndecided reports whether it is a must rule of which is not known whether it holds.
func (r RuleResult) IsUndecided() bool {
	return r.Level == string(rules.Must) &&
		(r.Verdict == VerdictNotVerified || r.Verdict == VerdictInconclusive)
}

// DisplayVerdict is the verdict as reports show it: that of the rule, or VerdictWarning.
func (r RuleResult) DisplayVerdict() Verdict {
	if r.Verdict == VerdictFail && !r.FailureIsViolation() {
		return VerdictWarning
	}
	return r.Verdict
}

// Waiver is the waiver that covered a rule's failure.
type Waiver struct {
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
	Until  string `json:"until"` // YYYY-MM-DD
}

// WaiverStatus reports a waiver that needs attention.
type WaiverStatus struct {
	Waiver
	State string `json:"state"` // one of the Waiver… states below
}

// States of a waiver.
const (
	WaiverInUse     = "in_use"     // it covers a failure
	WaiverExpired   = "expired"    // its last day is over: what it covered counts as a failure again
	WaiverNotNeeded = "not_needed" // every rule that it names passed
	WaiverUndecided = "undecided"  // none of its rules failed, but not all of them were verified
	WaiverUnknown   = "unknown"    // it names no rule of the catalogue
)

// CheckResult is one judgement that contributes to a rule.
type CheckResult struct {
	Rule string `json:"rule,omitempty"` // only in the journal, where checks stand alone
	// only there: its place among all that may be judged, from 1
	CaseNumber int     `json:"case,omitempty"`
	Name       string  `json:"name"`
	Verdict    Verdict `json:"verdict"`
	// why, in a sentence: of a failure, what Finding comes to
	Message string          `json:"message,omitempty"`
	Finding                 // of a failure
	Values  []ObservedValue `json:"values,omitempty"` // of an observation
	// the deployment key that would have let it be judged
	MissingKey string `json:"need,omitempty"`
	KeyIsGiven bool   `json:"given,omitempty"` // MissingKey is given, and did not serve
	Exchanges  []int  `json:"exchanges"`
	// of the exchange that shows it; secrets are variables
	Curl       string `json:"curl,omitempty"`
	DurationMS int64  `json:"duration_ms"` // sum of its exchanges' service times
	Location   string `json:"location,omitempty"`
}

// ExportRow is a row of an export that is wrong, or beside a bound: whether the file should hold
// it, and whether it does.
type ExportRow struct {
	ID       string `json:"id,omitempty"`
	Date     string `json:"date"`
	Expected bool   `json:"expected"`
	Found    bool   `json:"found"`
}
