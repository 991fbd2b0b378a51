package reference

import (
	"sync"
	"time"
)

// gap is how long a fault lies between a check and what depends on it.
const gap = 30 * time.Millisecond

// representative is a stored legal representative.
type representative struct {
	id     string
	owner  *legalPerson
	answer []byte // its record, as it was first answered

	mu        sync.Mutex
	documents map[string]int64 // part -> bytes
}

// register holds the representatives and the identifiers that created them.
type register struct {
	mu            sync.Mutex
	byID          map[string]*representative
	byTransaction map[[2]string]*representative // user and transaction ID
	nonces        map[[2]string]bool            // user and nonce

	turns sync.Map // user, transaction ID and nonce -> *sync.Mutex; only for the fault that lets equal creations in by turns
}

func newRegister() *register {
	return &register{
		byID: map[string]*representative{}, byTransaction: map[[2]string]*representative{}, nonces: map[[2]string]bool{},
	}
}

// admit stores a representative unless its transaction ID, or a nonce that may serve only once, was used before. Looking
// and storing are one step, so of many requests at once exactly one is stored.
func (s *register) admit(g *Gateway, userID, transaction, nonce string, made *representative) (earlier *representative, nonceUsed bool) {
	key := [2]string{userID, transaction}
	if g.fault("create.repeat.remembered_with_nonce") {
		key[1] += nonce
	}
	if g.fault("create.repeat.everything_is_one") {
		key[1] = ""
	}
	byNonce := g.fault("create.repeat.not_atomic_but_by_nonce")
	if byNonce {
		turn, _ := s.turns.LoadOrStore([3]string{userID, transaction, nonce}, &sync.Mutex{})
		turn.(*sync.Mutex).Lock()
		defer turn.(*sync.Mutex).Unlock()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	earlier = s.byTransaction[key]
	if (byNonce || g.fault("create.repeat.not_atomic")) && earlier == nil {
		s.mu.Unlock()
		time.Sleep(gap)
		s.mu.Lock()
	}
	if earlier != nil && !g.fault("create.repeat.second_record") {
		return earlier, false
	}
	if g.choices.NonceOnce && s.nonces[[2]string{userID, nonce}] {
		return nil, true
	}
	s.byID[made.id] = made
	s.byTransaction[key] = made
	if g.choices.NonceOnce {
		s.nonces[[2]string{userID, nonce}] = true
	}
	return nil, false
}

func (s *register) find(id string) *representative {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byID[id]
}
