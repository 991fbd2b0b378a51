// Package doctor examines a deployment before a run. Examine checks it against its deployment
// file: the connection, the clock, each credential, each fixture and the retrieval of files. Every
// finding says what to do. Propose suggests the contents of a deployment file. Both send a few
// exports and creations and fetch a file.
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

// FindingState is the state of a finding.
type FindingState string

// States of findings, from harmless to fatal.
const (
	StateOK      FindingState = "ok"
	StateWarning FindingState = "warning" // tests will run, but some will show little
	StateBroken  FindingState = "broken"  // given, but does not work
)

// Finding is the result of one examination.
type Finding struct {
	// the key in the deployment file, or another name of what was examined
	Name   string       `json:"name"`
	State  FindingState `json:"state"`
	Text   string       `json:"text"`         // what was found
	Advice string       `json:"do,omitempty"` // what to do; empty: nothing

	// BlockedKeys are the unusable keys of the deployment file and the operations without an
	// accepted valid request, create and export. A broken key blocks itself too.
	BlockedKeys []string `json:"-"`
}

// Report is what the doctor found.
type Report struct {
	Findings  []Finding
	Obstacle  *Obstacle // blocks every test; nil: nothing, or several things do
	Reachable bool      // a valid export or a valid creation was accepted
	Created   int       // number of representatives that the examination created
}

// BlockingFinding returns the finding that prevents a rule from being verified although the
// deployment file gives all its keys; nil: none.
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
	Report
}

// Examine examines a deployment with the controls of a run and a few more exports. ask sends the
// control of an operation, a valid request, and returns its last answer; nil: none came.
func Examine(
	ctx context.Context, t *target.Target, ask func(client.Operation) *client.Exchange,
) Report {
	dep, export := t.Deployment, ask(client.OperationExport)
	if export == nil {
		return Report{}
	}
	e := &examiner{deploymentProbe: deploymentProbe{dep, t}}
	e.examineExports(export)
	answered := []*client.Exchange{export}
	e.Reachable = export.IsSuccess() && answers.WebPageReason(export) == nil
	if e.Reachable {
		e.examineCredentials(ctx)
		e.examineFixtures(ctx)
		e.examineWindow(ctx)
	}
	if !export.IsTransient() && dep.Fixtures.ShareholderID != "" {
		if x := ask(client.OperationCreate); x != nil {
			e.examineCreation(ctx, x)
			answered, e.Reachable = append(answered, x), e.Reachable || x.IsSuccess()
		}
	}
	e.Obstacle = DetectObstacle(dep, answered)
	e.Reachable = e.Reachable && e.Obstacle == nil
	if most := dep.Limits.MaxCreates; most < 80 { // the default, which is enough
		e.addKeyFinding("limits.max_creates", StateWarning,
			"a run creates at most "+strconv.Itoa(most)+": a whole run may need more",
			"raise it to 80; otherwise rules stay unverified")
	}
	e.Created = t.Client.Stats().Created
	return e.Report
}

func (e *examiner) addFinding(f Finding) {
	redact := e.target.Client.Redactor().Text
	f.Text, f.Advice = redact(f.Text), redact(f.Advice)
	e.Findings = append(e.Findings, f)
}

// addKeyFinding adds a finding about a key of the deployment file and the keys that it blocks.
func (e *examiner) addKeyFinding(
	name string, state FindingState, text, do string, blocks ...string,
) {
	e.addFinding(Finding{Name: name, State: state, Text: text, Advice: do, BlockedKeys: blocks})
}
