package spec

import (
	"maps"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/repeat"
	"github.com/gateassay/gateassay/suites/record"
)

// Evidence is what shows a finding, and what it takes to see it again.
type Evidence struct {
	Repeat  []Repeat         // what to send, in this order; the last shows it
	Control *client.Exchange // the same request without the defect, accepted; nil: none was sent
	Fields  []string         // of the last one's body, which the finding is about: dotted paths
	Sign    repeat.Sign      // of the finding in the answers; nil: a script could not tell
}

// Repeat is a request to be sent again.
type Repeat struct {
	*client.Exchange
	Fetch   bool // and the file that comes of it fetched
	Times   int  // at once; 0: one
	Refused bool // a refusal of it shows that the finding is gone
	Open    bool // it may be accepted or refused: what shows the finding comes later
}

// Requests are exchanges as they are repeated one after the other. Those that are nil are left out.
func Requests(all ...*client.Exchange) (list []Repeat) {
	for _, x := range all {
		if x != nil {
			list = append(list, Repeat{Exchange: x})
		}
	}
	return list
}

// Finder is a matcher that says what is wrong in values, and what shows it.
type Finder interface {
	Finding(actual any) (record.Finding, Evidence)
}

// Script repeats what shows the failure of a check; false: no script could tell whether it is still there.
func (c *Check) Script(dep *deployment.File) (repeat.Script, bool) {
	r, e := c.of.Rule, c.Evidence
	if c.Verdict != record.Fail || len(e.Repeat) == 0 || e.Sign == nil {
		return repeat.Script{}, false
	}
	s := repeat.Script{
		Rule: r.ID, Level: string(r.Level), Statement: r.Statement, Finding: c.Message, BaseURL: dep.BaseURL,
		Sign: e.Sign, File: dep.Export.File, Headers: slices.Sorted(maps.Keys(dep.Headers)),
	}
	for i, sent := range e.Repeat {
		step := sent.Step()
		step.Times, step.Fetch, step.Refused, step.Open = sent.Times, sent.Fetch, sent.Refused, sent.Open
		if i > 0 && remembers(e.Sign) {
			before := e.Repeat[i-1]
			step.After = min(sent.StartedAt.Sub(before.StartedAt.Add(before.Service)).Truncate(time.Second), longestPause)
		}
		s.Steps = append(s.Steps, step)
	}
	return s, true
}

// longestPause bounds how long a script waits before a repeat that came long after what it repeats.
const longestPause = 3 * time.Second

// remembers reports a sign of how long a deployment remembers requests.
func remembers(s repeat.Sign) bool {
	switch s.(type) {
	case repeat.Blocked, repeat.OneRecord:
		return true
	}
	return false
}

// into notes what the evidence says in the record of a finding.
func (e Evidence) into(f *record.Finding) {
	for _, r := range e.Repeat {
		if r.Exchange != nil && r.Seq > 0 {
			f.Repeat = append(f.Repeat, r.Seq)
			f.Decisive, f.Status, f.Sent = r.Seq, r.Status, r.Sent(e.Fields...)
		}
	}
	if e.Control != nil && e.Control.Seq != f.Decisive && e.Control.Success() {
		f.Control = e.Control.Seq
	}
}
