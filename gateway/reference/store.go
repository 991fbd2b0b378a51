package reference

import (
	"encoding/json"
	"sync"
)

// remembered is how many of the newest entries of a kind a gateway keeps at the least: accepted exports that replay
// protection recognizes, their files, representatives.
const remembered = 100_000

// store keeps what outlives a request.
type store struct {
	mu              sync.Mutex
	representatives shelf[representative] // by ID
	creations       shelf[string]         // ID of the representative, by user and transaction ID
	nonces          shelf[bool]           // of creations, by user and nonce
	cpfs            shelf[string]         // transaction ID, by shareholder and CPF, where a CPF may serve once
	files           shelf[file]           // by ID
	sightings       shelf[bool]           // of accepted exports, by fingerprint

	log *json.Encoder // nil: nothing outlives the process
	err error         // why the log could not be written
}

// step runs some work while nobody else reads or changes anything. The shelves belong into such steps.
func (s *store) step(work func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	work()
}

// shelf keeps at least the newest entries of a kind, and at most twice as many.
type shelf[T any] struct {
	most       int
	young, old map[string]T
	note       func(key string, value any) // of what is put; nil: it is not noted
	complete   func(*T)                    // what the log holds of an entry; nil: that is all of it
}

func (s *shelf[T]) get(key string) (value T, found bool) {
	if value, found = s.young[key]; !found {
		value, found = s.old[key]
	}
	return value, found
}

func (s *shelf[T]) put(key string, value T) {
	if s.young == nil || len(s.young) >= s.most {
		s.old, s.young = s.young, map[string]T{}
	}
	s.young[key] = value
	if s.note != nil {
		s.note(key, value)
	}
}

func newStore(most int) *store {
	s := &store{}
	s.representatives.most, s.creations.most, s.nonces.most, s.cpfs.most, s.files.most = most, most, most, most, most
	s.sightings.most = 4 * most // an export leaves one for each mode of replay protection
	return s
}
