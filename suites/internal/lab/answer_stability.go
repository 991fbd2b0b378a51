package lab

import (
	"math"
	"slices"
	"sync"

	"github.com/gateassay/gateassay/internal/client"
)

// answerStability counts how many requests of a run were answered at the first attempt. A server
// error that disappears on retry does not count against the rule it hits.
type answerStability struct {
	mu       sync.Mutex
	answered map[client.Operation]int // requests that got an answer
	// transientErrors are server errors that disappeared on retry.
	transientErrors map[client.Operation][]*client.Exchange
	// lostAttempts counts unanswered attempts of requests that were answered later.
	lostAttempts int
	// crashingRequests counts requests that got a server error at each attempt.
	crashingRequests int
}

// RecordAnswered notes an answer, and the lost attempts before it.
func (l *Lab) RecordAnswered(x *client.Exchange, lost []*client.Exchange) {
	s := &l.stability
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answered == nil {
		s.answered, s.transientErrors = map[client.Operation]int{},
			map[client.Operation][]*client.Exchange{}
	}
	s.answered[x.Operation]++
	s.lostAttempts += len(lost)
	for _, x := range lost {
		if x.IsServerError() {
			s.transientErrors[x.Operation] = append(s.transientErrors[x.Operation], x)
		}
	}
}

// ServerErrorStats returns how many requests of an operation were answered, and the server
// errors that disappeared on retry.
func (l *Lab) ServerErrorStats(op client.Operation) (answers int, passed []*client.Exchange) {
	s := &l.stability
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answered[op], slices.Clone(s.transientErrors[op])
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
	return len(s.transientErrors[client.OperationCreate])+len(s.transientErrors[client.OperationExport]) > 0
}

// mayBeLostByChance reports whether losing this many attempts in a row by chance is expected in
// more than one of a thousand runs, given the share of lost attempts in this run. It assumes 20
// further answers, as a few early losses say little.
func (s *answerStability) mayBeLostByChance(attempts int) bool {
	const unlikely, granted = 0.001, 20
	s.mu.Lock()
	defer s.mu.Unlock()
	answered := float64(s.answered[client.OperationCreate] + s.answered[client.OperationExport])
	share := float64(s.lostAttempts) / (answered + float64(s.lostAttempts) + granted)
	return answered*math.Pow(share, float64(attempts)) > unlikely
}

// recordCrashing notes a request that got a server error at each attempt.
func (s *answerStability) recordCrashing() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.crashingRequests++
}

// crashesConsistently reports whether the deployment keeps failing the same way. Further
// attempts would only show what is known, and each may leave a record behind.
func (s *answerStability) crashesConsistently() bool {
	const often = 3
	s.mu.Lock()
	broken := s.crashingRequests
	s.mu.Unlock()
	return broken >= often && !s.hasTransientErrors()
}
