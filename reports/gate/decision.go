package gate

import (
	"strings"
	"time"
)

// RequirementState is what became of one requirement of a policy.
type RequirementState string

// The states. Only a decision whose every finding held lets a release pass.
const (
	StateHeld      RequirementState = "held"
	StateBlocked   RequirementState = "blocked"   // it was shown not to hold
	StateUndecided RequirementState = "undecided" // it could not be shown to hold
)

// RequirementFinding is what one requirement came to. Its texts are free of characters that act on
// a terminal.
type RequirementFinding struct {
	Subject string // what it is about: a deployment, or the path of a run that could not be used
	Check   string // stable name, such as conformance.verified
	State   RequirementState
	Message string // one sentence
	Details []string
}

// name names the requirement, as in "conformance.verified of staging".
func (f RequirementFinding) name() string {
	if f.Subject == "" {
		return f.Check
	}
	return f.Check + " of " + f.Subject
}

// text is the message with its details, each on a line.
func (f RequirementFinding) text() string {
	return strings.Join(append([]string{f.Message}, f.Details...), "\n")
}

// Decision is what a policy says about runs.
type Decision struct {
	Policy   *Policy
	At       time.Time
	Verdict  RequirementState
	Runs     []GateRun            // those that could be read, in the order given
	Findings []RequirementFinding // what speaks against the release first
}

// ExitCode is that of the contract: 0 when all held, 1 when something was shown not to hold, else
// 3.
func (d Decision) ExitCode() int {
	return map[RequirementState]int{StateBlocked: 1, StateUndecided: 3}[d.Verdict]
}
