package lab

import (
	"math"
	"slices"
	"sync"

	"github.com/gateassay/gateassay/internal/client"
)

// steadiness is how many requests of a run got their answer at once. What comes and goes is no matter of the rule that it
// befalls.
type steadiness struct {
	mu       sync.Mutex
	answered map[client.Operation]int                // requests that got an answer
	passed   map[client.Operation][]*client.Exchange // server errors that were gone when the same request was sent again
	lost     int                                     // attempts, of those that got an answer later
	broken   int                                     // requests that broke the deployment at each attempt
}

// Answered notes an answer, and the attempts before it that got none.
func (l *Lab) Answered(x *client.Exchange, lost []*client.Exchange) {
	s := &l.steadiness
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answered == nil {
		s.answered, s.passed = map[client.Operation]int{}, map[client.Operation][]*client.Exchange{}
	}
	s.answered[x.Operation]++
	s.lost += len(lost)
	for _, x := range lost {
		if x.Crashed() {
			s.passed[x.Operation] = append(s.passed[x.Operation], x)
		}
	}
}

// Steadiness is how many requests of an operation were answered, and the server errors that were gone when the same
// request was sent again.
func (l *Lab) Steadiness(op client.Operation) (answers int, passed []*client.Exchange) {
	s := &l.steadiness
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answered[op], slices.Clone(s.passed[op])
}

// Stray reports an answer that says nothing about its request: none, or one that may be gone when it is sent again.
func (l *Lab) Stray(x *client.Exchange) bool {
	return x.Transient() || x.Crashed() && l.steadiness.sporadic()
}

// sporadic reports whether server errors come and go in this run.
func (s *steadiness) sporadic() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.passed[Create])+len(s.passed[Export]) > 0
}

// byChance reports whether so many attempts in a row may have been lost by accident, as often as others of the run were: in
// more than one of a thousand runs. A few that got lost at its beginning say little, so it takes some answers for granted.
func (s *steadiness) byChance(attempts int) bool {
	const unlikely, granted = 0.001, 20
	s.mu.Lock()
	defer s.mu.Unlock()
	answered := float64(s.answered[Create] + s.answered[Export])
	share := float64(s.lost) / (answered + float64(s.lost) + granted)
	return answered*math.Pow(share, float64(attempts)) > unlikely
}

// broke notes a request that broke the deployment at each attempt.
func (s *steadiness) broke() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken++
}

// breaks reports whether a deployment was seen to break again and again: what another attempt would get is known, and each
// may leave a record behind.
func (s *steadiness) breaks() bool {
	const often = 3
	s.mu.Lock()
	broken := s.broken
	s.mu.Unlock()
	return broken >= often && !s.sporadic()
}
