package target

import (
	"math"
	"slices"
	"sync"

	"github.com/gateassay/gateassay/gateway/client"
)

// steadiness is how often requests of a run got an answer only when they were sent again. What comes and goes is no
// matter of the rule that it befalls.
type steadiness struct {
	mu   sync.Mutex
	came map[client.Operation]int // requests that were answered
	lost int                      // attempts at these that got none
	gone map[client.Operation][]*client.Exchange
}

// Came notes an answer, and the attempts before it that got none.
func (t *Target) Came(x *client.Exchange, lost []*client.Exchange) {
	s := &t.steadiness
	s.mu.Lock()
	defer s.mu.Unlock()
	s.came[x.Operation]++
	s.lost += len(lost)
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

// accident reports whether so many attempts in a row may have been lost by accident, as often as others of the run were: in
// more than one of a thousand runs. A few that got lost at its beginning say little, so it takes some answers for granted.
func (t *Target) accident(attempts int) bool {
	const unlikely, granted = 0.001, 20
	s := &t.steadiness
	s.mu.Lock()
	defer s.mu.Unlock()
	answered := float64(s.came[client.Create] + s.came[client.Export])
	share := float64(s.lost) / (answered + float64(s.lost) + granted)
	return answered*math.Pow(share, float64(attempts)) > unlikely
}
