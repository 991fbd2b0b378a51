package client

import (
	"context"
	"slices"
	"sync"
)

// budget bounds how many representatives a run creates. A request that may create one reserves it beforehand, so that
// requests under way together cannot exceed the limit.
type budget struct {
	mu       sync.Mutex
	max      int
	spent    int // created, or possibly created
	reserved int
	ids      []string
	changed  chan struct{} // closed and replaced when a reservation resolves
}

func newBudget(limit int) *budget {
	return &budget{max: limit, changed: make(chan struct{})}
}

// reserve takes want units. When fewer are left it waits for the reservations of others to resolve, and then takes
// what there is if that is at least floor. spared units are left to others. It ends early with either context. It
// returns how many it took: none when the budget is used up.
func (b *budget) reserve(ctx, client context.Context, want, floor, spared int) (int, error) {
	for {
		b.mu.Lock()
		most := b.max - spared
		left := most - b.spent - b.reserved
		take := 0
		switch {
		case left >= want:
			take = want
		case b.reserved == 0 && left >= floor && left > 0:
			take = left
		}
		b.reserved += take
		waiting, changed := take == 0 && b.reserved > 0 && most-b.spent >= floor, b.changed
		b.mu.Unlock()
		if !waiting {
			return take, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-client.Done():
			return 0, client.Err()
		}
	}
}

// created notes an id that an answer carried and reports whether it is new.
func (b *budget) created(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if slices.Contains(b.ids, id) {
		return false
	}
	b.ids = append(b.ids, id)
	return true
}

// settle ends n reservations; kept of them count as created.
func (b *budget) settle(n, kept int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved -= n
	b.spent += kept
	close(b.changed)
	b.changed = make(chan struct{})
}

func (b *budget) list() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.ids)
}
