// Package doctor asks a deployment two questions before a run is spent on it. Examine holds its
// deployment file against it: the way to it, the clock, each credential, each fixture and the
// retrieval of files; every finding says what to do. Propose finds what such a file would have to
// say. Both rest on one probe: an export, a creation, a file.
package doctor

import (
	"context"
	"slices"
	"strconv"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/target"
)

// FindingState of a finding.
type FindingState string

// States, from harmless to fatal.
const (
	StateOK      FindingState = "ok"
	StateWarning FindingState = "warning" // tests will run, some will say little
	StateBroken  FindingState = "broken"  // given, and does not work
)

// Finding is one thing looked at.
type Finding struct {
	// what was looked at, by its key in the deployment file where it has one
	Name   string       `json:"name"`
	State  FindingState `json:"state"`
	Text   string       `json:"text"`         // what was found
	Advice string       `json:"do,omitempty"` // what to do about it; empty when nothing is to be done

	// BlockedKeys are what cannot serve because of it: keys of the deployment file, and operations of
	// which no valid request is accepted, create and export. What is broken blocks its own key.
	BlockedKeys []string `json:"-"`
}

// Report is what the doctor found.
type Report struct {
	Findings  []Finding
	Obstacle  *Obstacle // the one thing in the way of every test; nil: there is none, or more than one
	Reachable bool      // a valid export or a valid creation was accepted
	Created   int       // representatives that the examination created
}

// BlockingFinding finds what keeps a rule from being verified although the deployment file gives
// what it needs; nil: nothing does.
func (r Report) BlockingFinding(rule rules.Rule) *Finding {
	for _, need := range slices.Concat(rule.Operations(), rule.Needs) {
		if at := slices.IndexFunc(r.Findings, func(f Finding) bool {
			return f.State == StateBroken && f.Name == need || slices.Contains(f.BlockedKeys, need)
		}); at >= 0 {
			return &r.Findings[at]
		}
	}
	return nil
}

type examiner struct {
	deploymentProbe
	findings []Finding
}

// Examine looks at a deployment: at what the controls of a run get, and at a few exports more. ask
// sends the control of an operation, a valid request, and returns the last answer to it; nil: none
// came.
func Examine(
	ctx context.Context, t *target.Target, ask func(client.Operation) *client.Exchange,
) (r Report) {
	e, dep, export := &examiner{
		deploymentProbe: deploymentProbe{t.Deployment, t},
	}, t.Deployment, ask(client.OperationExport)
	if export == nil {
		return r
	}
	e.examineExports(export)
	answered := []*client.Exchange{export}
	if r.Reachable = export.IsSuccess() && answers.WebPageReason(export) == nil; r.Reachable {
		e.examineCredentials(ctx)
		e.examineFixtures(ctx)
		e.examineWindow(ctx)
	}
	if !export.IsTransient() && dep.Fixtures.ShareholderID != "" {
		if x := ask(client.OperationCreate); x != nil {
			e.examineCreation(ctx, x)
			answered, r.Reachable = append(answered, x), r.Reachable || x.IsSuccess()
		}
	}
	r.Obstacle = DetectObstacle(dep, answered)
	r.Reachable = r.Reachable && r.Obstacle == nil
	if most := dep.Limits.MaxCreates; most < 80 { // the default of the limit, which leaves room
		e.addKeyFinding("limits.max_creates", StateWarning,
			"a run creates at most "+strconv.Itoa(most)+": a whole one takes more",
			"raise it to 80, or rules stay unverified for it")
	}
	r.Findings, r.Created = e.findings, t.Client.Stats().Created
	return r
}

func (e *examiner) addFinding(f Finding) {
	f.Text, f.Advice = e.target.Client.Redactor().Text(f.Text),
		e.target.Client.Redactor().Text(f.Advice)
	e.findings = append(e.findings, f)
}

// addKeyFinding adds a finding about a key of the deployment file, and what serves nothing because
// of it.
func (e *examiner) addKeyFinding(
	name string, state FindingState, text, do string, blocks ...string,
) {
	e.addFinding(Finding{Name: name, State: state, Text: text, Advice: do, BlockedKeys: blocks})
}
