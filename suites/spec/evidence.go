package spec

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/record"
)

// Evidence holds the requests that show a finding and how to see it again.
type Evidence struct {
	Repeat  []RepeatRequest         // requests to send, in this order; the last shows it
	Subject *client.Exchange        // exchange whose request is described; nil: the last
	Control *client.Exchange        // the same request without the defect, accepted; nil: none
	Fields  []string                // fields of the last body that the finding is about: dotted paths
	Sign    reproscript.Expectation // expected answers; nil: no script can tell
	// ByChance: any such request may show it, so that a script which sees nothing proves little
	ByChance bool
}

// RepeatRequest is a request to be sent again.
type RepeatRequest struct {
	*client.Exchange
	FetchFile      bool // fetch the exported file as well
	Concurrent     int  // copies sent at once; 0: one
	WithNext       bool // sent at the same moment as the next request
	RefusalIsFixed bool // if it is refused, the finding is gone
	AnyStatus      bool // accepted or refused: a later request shows the finding
}

// RepeatInOrder returns the exchanges as requests to repeat one after the other, without nil ones.
func RepeatInOrder(all ...*client.Exchange) (list []RepeatRequest) {
	for _, x := range all {
		if x != nil {
			list = append(list, RepeatRequest{Exchange: x})
		}
	}
	return list
}

// FindingMatcher is a matcher that returns its finding as values, with the evidence for it.
type FindingMatcher interface {
	Finding(actual any) (record.Finding, Evidence)
}

// Script returns the script that repeats the failure of a check; false: no script can tell whether
// the failure is still there.
func (c *CaseResult) Script(dep *deployment.File) (reproscript.Script, bool) {
	r, e := c.testCase.Rule, c.Evidence
	if c.Verdict != record.VerdictFail || len(e.Repeat) == 0 || e.Sign == nil {
		return reproscript.Script{}, false
	}
	s := reproscript.Script{
		Rule: r.ID, Level: string(r.Level), Statement: r.Statement, Finding: c.Message,
		BaseURL:     dep.BaseURL,
		Expectation: e.Sign, File: dep.Export.File, Headers: slices.Sorted(maps.Keys(dep.Headers)),
	}
	s.Tries, s.MayMiss = scriptTries(c.Finding, e)
	for i, sent := range e.Repeat {
		step := sent.RepeatStep()
		step.Times, step.Fetch, step.WithNext = sent.Concurrent, sent.FetchFile, sent.WithNext
		step.RefusalIsFixed, step.AnyStatus = sent.RefusalIsFixed, sent.AnyStatus
		if i > 0 && isReplayMemorySign(e.Sign) {
			before := e.Repeat[i-1]
			step.After = min(sent.StartedAt.Sub(before.StartedAt.Add(before.Service)).Truncate(time.Second),
				maxScriptPause)
		}
		s.Steps = append(s.Steps, step)
	}
	return s, true
}

// scriptTries returns how often a script sends its requests, and whether that may be too few. Where
// only some of the judged answers failed, one of several replicas may have sent them: tries enough
// that 99 of 100 scripts meet it or, by chance, 95 of 100.
func scriptTries(f record.Finding, e Evidence) (tries int, mayMiss bool) {
	if f.Failed == 0 || f.Failed >= f.Attempts {
		return 1, false
	}
	missed, most := 0.01, maxScriptTries
	if e.ByChance {
		missed = 0.05
		if e.Repeat[0].Operation == client.OperationExport { // it leaves no record behind
			most = maxExportTries
		}
	}
	right := 1 - float64(f.Failed)/float64(f.Attempts)
	tries = int(math.Ceil(math.Log(missed) / math.Log(right)))
	return min(tries, most), e.ByChance && tries > most
}

// Limits of what a script sends to a deployment that no longer shows a finding.
const maxScriptTries, maxExportTries = 7, 100

// maxScriptPause limits how long a script waits before a repeat that was sent long after the
// request that it repeats.
const maxScriptPause = 3 * time.Second

// isReplayMemorySign reports whether the expectation depends on how long the deployment remembers
// requests.
func isReplayMemorySign(s reproscript.Expectation) bool {
	switch s.(type) {
	case reproscript.ExpectBlocked, reproscript.ExpectOneRecord:
		return true
	}
	return false
}

// addToFinding copies the evidence into the record of a finding.
func (e Evidence) addToFinding(f *record.Finding) {
	for _, r := range e.Repeat {
		if r.Exchange != nil && r.Seq > 0 {
			f.Repeat = append(f.Repeat, r.Seq)
			f.Decisive, f.Status, f.Sent = r.Seq, r.Status, r.Summary(e.Fields...)
		}
	}
	if e.Subject != nil {
		f.Sent = e.Subject.Summary(e.Fields...)
	}
	if e.Control != nil && e.Control.Seq != f.Decisive && e.Control.IsSuccess() {
		f.Control = e.Control.Seq
	}
}
