package lab

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
)

// answerStability counts how many requests of a run were answered at the first attempt. A server
// error that disappears on retry does not count against the rule it hits.
type answerStability struct {
	crashingRequests atomic.Int32 // requests that got a server error at each attempt

	mu           sync.Mutex
	answered     map[client.Operation]int // requests that got an answer; nil: none
	lostAttempts int                      // unanswered attempts of requests that were answered later
	// transientErrors are server errors that disappeared on retry.
	transientErrors []*client.Exchange
	passingRefusals []*client.Exchange // that a retry did not get again, see RetryRefused
	lastingRefusals int                // that each retry got again
}

// recordAnswered notes an answer, and the lost attempts before it.
func (s *answerStability) recordAnswered(x *client.Exchange, lost []*client.Exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answered == nil {
		s.answered = map[client.Operation]int{}
	}
	s.answered[x.Operation]++
	s.lostAttempts += countFailed(lost)
	for _, x := range lost {
		if x.IsServerError() {
			s.transientErrors = append(s.transientErrors, x)
		}
	}
}

// recordPassingRefusal notes a refusal that a retry did not get again.
func (s *answerStability) recordPassingRefusal(x *client.Exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.passingRefusals = append(s.passingRefusals, x)
}

// recordLastingRefusal notes a refusal that each retry got again.
func (s *answerStability) recordLastingRefusal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastingRefusals++
}

// retriesOfRefusal returns how many times to send a refused request again.
func (s *answerStability) retriesOfRefusal(x *client.Exchange) int {
	const some, many, often = 3, 5, 3
	isBusy, isPassing := answers.MayBeBusy(x), s.refusesInPassing(x.Operation, x.Status)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case isPassing && !isBusy:
		return many
	case isPassing, isBusy && s.lastingRefusals < often: // the client sends it again as well
		return some
	}
	return 1
}

// refusesInPassing reports whether requests of an operation got this status, and not again on retry.
func (s *answerStability) refusesInPassing(op client.Operation, status int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.passingRefusals,
		func(x *client.Exchange) bool { return x.Operation == op && x.Status == status })
}

// PassingErrors returns how many requests of an operation were answered, and the errors that
// disappeared on retry.
func (l *Lab) PassingErrors(op client.Operation) (answers int, gone []*client.Exchange) {
	s := &l.stability
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answered[op], slices.DeleteFunc(slices.Concat(s.transientErrors, s.passingRefusals),
		func(x *client.Exchange) bool { return x.Operation != op })
}

// IsTransient reports whether an exchange shows nothing about its request: it has no answer, or
// one that may change on retry.
func (l *Lab) IsTransient(x *client.Exchange) bool {
	return x.IsTransient() || x.IsServerError() && l.stability.hasTransientErrors()
}

// hasTransientErrors reports whether this run saw server errors disappear on retry.
func (s *answerStability) hasTransientErrors() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.transientErrors) > 0
}

// mayBeLostByChance reports whether losing this many attempts in a row by chance is expected in
// more than one of a thousand runs, given the share of lost attempts in this run. It assumes one
// more loss, as an early run has seen none yet, and 20 further answers, as few losses say little.
func (s *answerStability) mayBeLostByChance(attempts int) bool {
	const unlikely, granted = 0.001, 20
	s.mu.Lock()
	defer s.mu.Unlock()
	answered := float64(s.answered[client.OperationCreate] + s.answered[client.OperationExport])
	lost := float64(s.lostAttempts + 1)
	share := lost / (answered + lost + granted)
	return answered*math.Pow(share, float64(attempts)) > unlikely
}

// crashesConsistently reports whether the deployment keeps failing the same way. Further
// attempts would only show what is known, and each may leave a record behind.
func (s *answerStability) crashesConsistently() bool {
	const often = 3
	return s.crashingRequests.Load() >= often && !s.hasTransientErrors()
}
