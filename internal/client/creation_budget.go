package client

import "sync"

// CreateReserve is that of a creation on limits.max_creates: how many representatives it leaves for
// others to create.
type CreateReserve int

// The claims. Refusals use nothing up, but each needs one while it is under way.
const (
	ReserveForOrdinary CreateReserve = 4
	ReserveForRepeat   CreateReserve = 10 // it should create none, and may be one of many that do
	ReserveForObserved CreateReserve = 6  // nothing is judged by it
	ReserveForLate     CreateReserve = 2  // by all ordinary ones, and so are refusals
	// a rule that fails asks in the end, with two, whether the deployment reads a name
	ReserveForEvidence CreateReserve = 0
)

// creationBudget bounds how many representatives a run creates. A request that may create one
// reserves it beforehand, so that requests under way together cannot exceed the limit.
type creationBudget struct {
	mu       sync.Mutex
	max      int
	spent    int // created, or possibly created
	reserved int
	ids      map[string]bool
	changed  chan struct{} // closed and replaced when a reservation resolves
}

func newCreationBudget(limit int) *creationBudget {
	return &creationBudget{max: limit, ids: map[string]bool{}, changed: make(chan struct{})}
}

// reserve takes want units, or what there is, if that is at least floor and nobody holds a
// reservation; without keep it only looks. spared units are left to others. It returns how many
// there were to take; with none, changed is closed once the reservations of others may have left
// enough, and nil when the budget is used up.
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
		changed = b.changed
	}
	if keep {
		b.reserved += take
	}
	return take, changed
}

// recordCreated notes an id that an answer carried, and returns how many are new.
func (b *creationBudget) recordCreated(id string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := len(b.ids)
	b.ids[id] = true
	return len(b.ids) - before
}

// settle ends n reservations; kept of them count as created.
func (b *creationBudget) settle(n, kept int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved -= n
	b.spent += kept
	close(b.changed)
	b.changed = make(chan struct{})
}
