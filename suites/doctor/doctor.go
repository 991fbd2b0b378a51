// Package doctor asks a deployment two questions before a run is spent on it. Examine holds its deployment file against
// it: the way to it, the clock, each credential, each fixture and the retrieval of files; every finding says what to do.
// Propose finds what such a file would have to say. Both rest on one probe: an export, a creation, a file.
package doctor

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
)

// State of a finding.
type State string

// States, from harmless to fatal.
const (
	OK      State = "ok"
	Absent  State = "absent"  // not given: rules stay unverified
	Untried State = "untried" // given, and only a run shows whether it is right
	Warning State = "warning" // tests will run, some will say little
	Broken  State = "broken"  // given, and does not work
)

// Creations is the limit that leaves rules unverified, which ones the run decides.
const Creations = "limits.max_creates"

// Finding is one thing looked at.
type Finding struct {
	Topic string // one of topics, by the name
	Name  string // what was looked at, by its key in the deployment file where it has one
	State State
	Text  string // what was found
	Do    string // what to do about it; empty when nothing is to be done

	Blocks     []string // keys of the deployment file that cannot serve because of it; what is broken blocks its own
	Operations []string // create, export: those of which no valid request is accepted because of it
	Rules      []string // further rules that it keeps from being verified: IDs or patterns
	Spares     []string // rules that can be verified all the same: IDs or patterns
}

// Report is what the doctor found.
type Report struct {
	Findings  []Finding
	Obstacle  *Obstacle // the one thing in the way of every test; nil: there is none, or more than one
	Reachable bool      // a valid export or a valid creation was accepted
	Created   int       // representatives that the examination created
}

// Blocked finds what keeps a rule from being verified although the deployment file gives what it needs; nil: nothing
// does. Of alternatives, "a|b", either is enough.
func (r Report) Blocked(rule rules.Rule) *Finding {
	about := func(patterns []string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return rules.Match(p, rule.ID) })
	}
	for i, f := range r.Findings {
		if about(f.Rules) || slices.ContainsFunc(rule.Operations(), func(o string) bool {
			return slices.Contains(f.Operations, o)
		}) {
			return &r.Findings[i]
		}
	}
	for _, need := range rule.Needs {
		var by *Finding
		for key := range strings.SplitSeq(need, "|") {
			at := slices.IndexFunc(r.Findings, func(f Finding) bool {
				return (f.State == Broken && f.Name == key || slices.Contains(f.Blocks, key)) && !about(f.Spares)
			})
			if at < 0 && !slices.ContainsFunc(r.Findings, func(f Finding) bool {
				return f.State == Absent && f.Name == key
			}) {
				by = nil
				break
			}
			if at >= 0 {
				by = &r.Findings[at]
			}
		}
		if by != nil {
			return by
		}
	}
	return nil
}
