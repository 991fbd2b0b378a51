package target

import (
	"context"
	"net/http"
	"time"

	"github.com/gateassay/gateassay/internal/client"
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
func (a Answer) String() string { return DescribeAnswer(a.Exchange) }

// ConclusiveFunc reports whether an answer speaks about the request itself.
type ConclusiveFunc func(*client.Exchange) bool

// ConclusiveForField: a 401, a 403 and a 429 speak about the caller, a 5xx about the deployment;
// neither is the rejection of a bad field.
func ConclusiveForField(x *client.Exchange) bool {
	switch x.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, 0:
		return false
	}
	return x.Status < 500
}

// ConclusiveForAttack: as ConclusiveForField, but a firewall in front may answer 403 to what it
// takes for an attack.
func ConclusiveForAttack(x *client.Exchange) bool {
	return ConclusiveForField(x) || x.Status == http.StatusForbidden
}

// ConclusiveForCaller: as ConclusiveForField, but 401 and 403 are answers as well: identity,
// headers, whose object it is.
func ConclusiveForCaller(x *client.Exchange) bool {
	return x.Status != 0 && x.Status != http.StatusTooManyRequests && x.Status < 500
}

// SleepContext reports whether the time passed without an interrupt.
func SleepContext(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
