package target

import (
	"math"
	"slices"

	"github.com/gateassay/gateassay/internal/client"
)

// Came notes an answer, and the attempts before it that got none.
func (t *Target) Came(x *client.Exchange, lost []*client.Exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.came[x.Operation]++
	t.lost += len(lost)
	for _, x := range lost {
		if x.Crashed() {
			t.gone[x.Operation] = append(t.gone[x.Operation], x)
		}
	}
}

// Answered is how many requests of an operation were answered, and the server errors that were gone when the same
// request was sent again.
func (t *Target) Answered(op client.Operation) (answers int, gone []*client.Exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.came[op], slices.Clone(t.gone[op])
}

// Sporadic reports whether server errors come and go in this run.
func (t *Target) Sporadic() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.gone[client.Create])+len(t.gone[client.Export]) > 0
}

// Stray reports an answer that says nothing about its request: none, or one that may be gone when it is sent again.
func (t *Target) Stray(x *client.Exchange) bool { return x.Transient() || x.Crashed() && t.Sporadic() }

// accident reports whether so many attempts in a row may have been lost by accident, as often as others of the run were: in
// more than one of a thousand runs. A few that got lost at its beginning say little, so it takes some answers for granted.
func (t *Target) accident(attempts int) bool {
	const unlikely, granted = 0.001, 20
	t.mu.Lock()
	defer t.mu.Unlock()
	answered := float64(t.came[client.Create] + t.came[client.Export])
	share := float64(t.lost) / (answered + float64(t.lost) + granted)
	return answered*math.Pow(share, float64(attempts)) > unlikely
}
