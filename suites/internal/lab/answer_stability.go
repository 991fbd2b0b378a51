package lab

import (
	"math"
	"slices"
	"sync"

	"github.com/gateassay/gateassay/internal/client"
)

// answerStability is how many requests of a run got their answer at once. What comes and goes is no
// matter of the rule that it befalls.
type answerStability struct {
	mu       sync.Mutex
	answered map[client.Operation]int // requests that got an answer
	// server errors that were gone when the same request was sent again
	transientErrors map[client.Operation][]*client.Exchange
	// attempts, of those that got an answer later
	lostAttempts int
	// requests that broke the deployment at each attempt
	crashingRequests int
}

// RecordAnswered notes an answer, and the attempts before it that got none.
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

// ServerErrorStats is how many requests of an operation were answered, and the server errors that
// were gone when the same request was sent again.
func (l *Lab) ServerErrorStats(op client.Operation) (answers int, passed []*client.Exchange) {
	s := &l.stability
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answered[op], slices.Clone(s.transientErrors[op])
}

// IsTransient reports an answer that says nothing about its request: none, or one that may be gone
// when it is sent again.
func (l *Lab) IsTransient(x *client.Exchange) bool {
	return x.IsTransient() || x.IsServerError() && l.stability.hasTransientErrors()
}

// hasTransientErrors reports whether server errors come and go in this run.
func (s *answerStability) hasTransientErrors() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.transientErrors[OperationCreate])+len(s.transientErrors[OperationExport]) > 0
}

// mayBeLostByChance reports whether so many attempts in a row may have been lost by accident, as
// often as others of the run were: in more than one of a thousand runs. A few that got lost at its
// beginning say little, so it takes some answers for granted.
func (s *answerStability) mayBeLostByChance(attempts int) bool {
	const unlikely, granted = 0.001, 20
	s.mu.Lock()
	defer s.mu.Unlock()
	answered := float64(s.answered[OperationCreate] + s.answered[OperationExport])
	share := float64(s.lostAttempts) / (answered + float64(s.lostAttempts) + granted)
	return answered*math.Pow(share, float64(attempts)) > unlikely
}

// recordCrashing notes a request that broke the deployment at each attempt.
func (s *answerStability) recordCrashing() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.crashingRequests++
}

// crashesConsistently reports whether a deployment was seen to break again and again: what another
// attempt would get is known, and each may leave a record behind.
func (s *answerStability) crashesConsistently() bool {
	const often = 3
	s.mu.Lock()
	broken := s.crashingRequests
	s.mu.Unlock()
	return broken >= often && !s.hasTransientErrors()
}
