package reference

import "sync"

// shelf is a part of the store.
type shelf string

const (
	representatives shelf = "representatives" // ID -> representative
	creations       shelf = "creations"       // user and transaction ID -> ID of the representative
	nonces          shelf = "nonces"          // user and nonce of a creation -> nothing
	cpfs            shelf = "cpfs"            // shareholder and CPF -> transaction ID, where a CPF may serve once
	files           shelf = "files"           // ID -> *file
	sightings       shelf = "sightings"       // fingerprint of an accepted export -> nothing
)

// Remembered is how many of the newest entries of a kind a gateway keeps at the least unless its options say otherwise:
// accepted exports that replay protection recognizes, their files, representatives.
const Remembered = 100_000

// store keeps what outlives a request: of each shelf at least the newest entries, and at most twice as many.
type store struct {
	most       int
	mu         sync.Mutex
	young, old map[shelf]map[string]any
}

func newStore(most int) *store {
	return &store{most: most, young: map[shelf]map[string]any{}, old: map[shelf]map[string]any{}}
}

// step runs some work while nobody else reads or changes anything.
func (s *store) step(work func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	work()
}

// get and put belong into a step of work.
func (s *store) get(of shelf, key string) (any, bool) {
	value, found := s.young[of][key]
	if !found {
		value, found = s.old[of][key]
	}
	return value, found
}

func (s *store) put(of shelf, key string, value any) {
	room := s.most
	if of == sightings {
		room *= 4 // an export leaves one for each mode of replay protection
	}
	if s.young[of] == nil || len(s.young[of]) >= room {
		s.old[of], s.young[of] = s.young[of], map[string]any{}
	}
	s.young[of][key] = value
}
