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

// ledger is the store as one step of work sees it.
type ledger interface {
	get(s shelf, key string) (value string, found bool)
	put(s shelf, key, value string)
}

// store keeps what outlives a request.
type store interface {
	// step runs some work while nobody else reads or changes anything. When it returns without an error, all that the work
	// put is kept. The work may run twice.
	step(work func(l ledger)) error
	close() error
}

// volatile is a store in memory. Of each shelf it keeps at least the newest entries, as many as most says, and never
// more than twice as many.
type volatile struct {
	mu         sync.Mutex
	most       int
	young, old map[shelf]map[string]string
}

func newVolatile(most int) *volatile {
	return &volatile{most: most, young: map[shelf]map[string]string{}, old: map[shelf]map[string]string{}}
}

func (v *volatile) step(work func(l ledger)) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	work(v)
	return nil
}

func (v *volatile) get(s shelf, key string) (string, bool) {
	value, found := v.young[s][key]
	if !found {
		value, found = v.old[s][key]
	}
	return value, found
}

func (v *volatile) put(s shelf, key, value string) {
	if v.young[s] == nil || len(v.young[s]) >= v.most {
		v.old[s], v.young[s] = v.young[s], map[string]string{}
	}
	v.young[s][key] = value
}

func (v *volatile) close() error { return nil }
