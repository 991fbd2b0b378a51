package suites

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
)

// A deployment is given up when this many requests in a row, over at least this time, got no answer at all: every
// further one would only wait for its timeout.
const (
	silentRequests = 40
	silentFor      = 10 * time.Second
)

// silence watches for a deployment that stopped answering in the middle of a run, or refuses whatever comes.
type silence struct {
	giveUp context.CancelCauseFunc

	mu    sync.Mutex
	count int
	since time.Time
	dead  error
}

// heard takes note of an exchange.
func (s *silence) heard(x *client.Exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.Err == nil || x.Err.Kind == client.Canceled {
		if x.Err == nil {
			s.count = 0
		}
		return
	}
	if s.count == 0 {
		s.since = x.StartedAt
	}
	s.count++
	if s.dead == nil && s.count >= silentRequests && time.Since(s.since) >= silentFor {
		s.dead = fmt.Errorf("the deployment stopped answering: %d requests in a row got none, the last: %w", s.count, x.Err)
		s.giveUp(s.dead)
	}
}

// exhausted gives the run up where the client did; nil: it did not.
func (s *silence) exhausted(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if why != nil && s.dead == nil {
		s.dead = why
		s.giveUp(s.dead)
	}
}

// verdict is the reason why the run was given up, nil when it was not.
func (s *silence) verdict() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dead
}
