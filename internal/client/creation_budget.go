package client

import "sync"

// CreateReserve is how much of limits.max_creates a creation leaves to other creations.
type CreateReserve int

// The reserves. A refused creation uses nothing up, but needs a reservation until it is
// answered.
const (
	ReserveForOrdinary CreateReserve = 4
	ReserveForRepeat   CreateReserve = 10 // it should create nothing, but many faulty repeats may
	ReserveForObserved CreateReserve = 6  // no rule judges it
	ReserveForLate     CreateReserve = 2  // others come first, so it leaves less
	// for up to two creations that investigate a failed rule at the end
	ReserveForEvidence CreateReserve = 0
)

// creationBudget bounds how many representatives a run creates. A request that may create one
// reserves it before it is sent, so that concurrent requests cannot exceed the limit.
type creationBudget struct {
	mu       sync.Mutex
	max      int
	spent    int // created, or possibly created
	reserved int
	ids      map[string]bool
	settled  *broadcast // tells of a reservation that was settled
}

func newCreationBudget(limit int) *creationBudget {
	return &creationBudget{max: limit, ids: map[string]bool{}, settled: newBroadcast()}
}

// reserve reserves want units and leaves spared units to others. If nobody holds a reservation,
// it accepts fewer, but at least floor. Without keep it only looks. It returns how many it
// took. If it took none, changed is closed once a reservation is settled, or nil if the budget
// is used up.
func (b *creationBudget) reserve(
	want, floor int, spared CreateReserve, keep bool,
) (take int, changed <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	most := b.max - int(spared)
	left := most - b.spent - b.reserved
	switch {
	case left >= want:
		take = want
	case b.reserved == 0 && left >= floor && left > 0:
		take = left
	case b.reserved > 0 && most-b.spent >= floor:
		changed = b.settled.changed()
	}
	if keep {
		b.reserved += take
	}
	return take, changed
}

// recordCreated records the ID of a created representative. It returns 1 if the ID is new,
// otherwise 0.
func (b *creationBudget) recordCreated(id string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := len(b.ids)
	b.ids[id] = true
	return len(b.ids) - before
}

// settle ends n reservations, of which kept count as created.
func (b *creationBudget) settle(n, kept int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved -= n
	b.spent += kept
	b.settled.announce()
}
