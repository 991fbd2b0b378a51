package reference

import "sync"

// shelf is a part of the store.
type shelf string

const (
	representatives shelf = "representatives" // ID -> representative
	creations       shelf = "creations"       // user and transaction ID -> ID of the representative
	nonces          shelf = "nonces"          // user and nonce of a creation -> nothing
	cpfs            shelf = "cpfs"            // shareholder and CPF -> transaction ID, where a CPF may serve once
	files           shelf = "files"           // ID -> file
	sightings       shelf = "sightings"       // fingerprint of an accepted export -> nothing
)

// Remembered is how many of the newest entries of a kind a gateway keeps at the least unless its options say otherwise:
// accepted exports that replay protection recognizes, their files, representatives.
const Remembered = 100_000

// room is how many entries a shelf takes before the older half of what it holds is forgotten. An export leaves a
// fingerprint for each mode of replay protection.
func (s shelf) room(most int) int {
	if s == sightings {
		return 4 * most
	}
	return most
}

// ledger is the store as one step of work sees it.
type ledger interface {
	get(s shelf, key string) (value string, found bool)
	put(s shelf, key, value string)
}

// store keeps what outlives a request: of each shelf at least the newest entries, and never more than twice as many.
type store interface {
	// step runs some work while nobody else reads or changes anything. When it returns without an error, all that the
	// work put is kept. The work may run twice.
	step(work func(l ledger)) error
	// look runs some work that only gets.
	look(work func(l ledger)) error
	close() error
}

// entrySize is how many bytes an entry in memory may take on average: more than a creation with every field does. Of
// larger ones fewer are remembered, so that memory is bounded whatever is sent.
const entrySize = 1600

// volatile is a store in memory.
type volatile struct {
	mu         sync.Mutex
	most       int
	young, old map[shelf]map[string]string
	size       map[shelf]int // bytes of the young entries
}

func newVolatile(most int) *volatile {
	return &volatile{
		most: most, young: map[shelf]map[string]string{}, old: map[shelf]map[string]string{}, size: map[shelf]int{},
	}
}

func (v *volatile) step(work func(l ledger)) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	work(v)
	return nil
}

func (v *volatile) look(work func(l ledger)) error { return v.step(work) }

func (v *volatile) close() error { return nil }

func (v *volatile) get(s shelf, key string) (string, bool) {
	value, found := v.young[s][key]
	if !found {
		value, found = v.old[s][key]
	}
	return value, found
}

func (v *volatile) put(s shelf, key, value string) {
	if v.young[s] == nil || len(v.young[s]) >= s.room(v.most) || v.size[s] >= entrySize*v.most {
		v.old[s], v.young[s], v.size[s] = v.young[s], map[string]string{}, 0
	}
	if previous, found := v.young[s][key]; found {
		v.size[s] -= len(key) + len(previous)
	}
	v.young[s][key] = value
	v.size[s] += len(key) + len(value)
}
