package target

import (
	"context"
	"time"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/record"
)

// Answer is the answer to a request after retries of transient errors.
type Answer struct {
	*client.Exchange                    // the last attempt
	Attempts         []*client.Exchange // all attempts, each with fresh identifiers
	// requests sent before it, without which its answer differs
	Preceding []*client.Exchange
	// an accepted valid request with the same options; nil: none was sent
	Control         *client.Exchange
	ControlAnswered bool    // the control was answered although no attempt was conclusive
	Sent            Request // the last attempt
	// the answer to a repeat has the ID of a record that another transaction ID created
	GivesOtherCreation bool
	// the request in a few words; empty: its label
	Subject string
	// what a script expects of a wrong acceptance that could be right; nil: what the matcher says
	Tolerable reproscript.Expectation

	// what the request needs to get this answer; empty: nothing, or unknown
	Condition []record.FactorValue
	// the condition in the words of a finding, such as "other than PARTNER"; empty: the same
	StatedCondition []record.FactorValue
}

// DescribeRequest returns the request in a few words.
func (a Answer) DescribeRequest() string {
	if a.Subject == "" && a.Exchange != nil {
		return a.Label
	}
	return a.Subject
}

// String describes the answer only, so that messages do not show the request.
func (a Answer) String() string { return answers.Describe(a.Exchange) }

// SleepContext waits for d and reports whether ctx is still active.
func SleepContext(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
