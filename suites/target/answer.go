package target

import (
	"context"
	"time"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/record"
)

// Answer is what a request got, after everything that could be trouble rather than judgement was
// told apart.
type Answer struct {
	*client.Exchange                    // the last attempt
	Attempts         []*client.Exchange // all attempts, each with fresh identifiers
	// what was sent ahead of it, without which it gets another answer
	Preceding []*client.Exchange
	// a valid request that was accepted beside the same options; nil: none was sent
	Control         *client.Exchange
	ControlAnswered bool    // a valid request was answered when no attempt was clear
	Sent            Request // the last attempt
	// what was sent, in a few words; empty: the label of the request says it
	Subject string

	// what it takes to get this answer; none: nothing, or it is not known
	Condition []record.FactorValue
}

// DescribeRequest is what was sent, in a few words.
func (a Answer) DescribeRequest() string {
	if a.Subject == "" && a.Exchange != nil {
		return a.Label
	}
	return a.Subject
}

// String keeps what a request carries out of messages.
func (a Answer) String() string { return answers.Describe(a.Exchange) }

// SleepContext reports whether the time passed without an interrupt.
func SleepContext(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
