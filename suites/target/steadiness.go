package target

import (
	"math"
	"slices"
	"sync"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
)

// steadiness is how often requests of a run got an answer only when they were sent again. What comes and goes is no
// matter of the rule that it befalls.
type steadiness struct {
	mu    sync.Mutex
	came  map[client.Operation]int // requests that were answered
	again int                      // of them, those that were sent more than once
	lost  int                      // attempts at these that got none
	gone  map[client.Operation][]*client.Exchange
}

const (
	// fewAnswered is how many requests it takes to know a deployment.
	fewAnswered = 20
	// unsteady is the share of requests, one in so many, that go astray where a lost one shows nothing.
	unsteady = 10
	// unlikely is in what share of runs attempts that were lost by accident, one after the other, may be a finding.
	unlikely = 0.001
)

// Came notes an answer, and the attempts before it that got none.
func (t *Target) Came(x *client.Exchange, lost []*client.Exchange) {
	s := &t.steadiness
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.came == nil {
		s.came, s.gone = map[client.Operation]int{}, map[client.Operation][]*client.Exchange{}
	}
	s.came[x.Operation]++
	s.lost += len(lost)
	if len(lost) > 0 {
		s.again++
	}
	for _, x := range lost {
		if x.Crashed() {
			s.gone[x.Operation] = append(s.gone[x.Operation], x)
		}
	}
}

// Answered is how many requests of an operation were answered, and the server errors that were gone when the same
// request was sent again.
func (t *Target) Answered(op client.Operation) (answers int, gone []*client.Exchange) {
	s := &t.steadiness
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.came[op], slices.Clone(s.gone[op])
}

// Sporadic reports whether server errors come and go in this run.
func (t *Target) Sporadic() bool {
	s := &t.steadiness
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.gone[client.Create])+len(s.gone[client.Export]) > 0
}

// Stray reports an answer that says nothing about its request: none, or one that may be gone when it is sent again.
func (t *Target) Stray(x *client.Exchange) bool { return x.Transient() || x.Crashed() && t.Sporadic() }

// Astray returns why nothing can be said of a request without a usable answer: too many others had to be sent again.
func (t *Target) Astray() error {
	s := &t.steadiness
	s.mu.Lock()
	defer s.mu.Unlock()
	answered := s.came[client.Create] + s.came[client.Export]
	if answered < fewAnswered || s.again*unsteady <= answered {
		return nil
	}
	return spec.Unclear("%d of %d requests got a usable answer only when they were sent again, so that this one got none "+
		"proves nothing", s.again, answered)
}

// Accident reports whether so many attempts in a row may have been lost by accident, as often as others of the run were.
func (t *Target) Accident(attempts int) bool {
	s := &t.steadiness
	s.mu.Lock()
	defer s.mu.Unlock()
	answered := float64(s.came[client.Create] + s.came[client.Export])
	share := float64(s.lost) / max(1, answered+float64(s.lost))
	return answered >= fewAnswered && answered*math.Pow(share, float64(attempts)) > unlikely
}
