package target

import (
	"slices"

	"github.com/gateassay/gateassay/gateway/client"
)

// Disown marks requests that should not have been accepted: where they were, that is a finding by itself, and their
// answers are no examples of what an accepted request is answered with.
func (t *Target) Disown(all ...*client.Exchange) {
	for _, x := range all {
		if x != nil && x.Seq > 0 {
			t.disowned.Store(x.Seq, true)
		}
	}
}

// Accepted lists the accepted answers of an operation in the order in which they came, without those of requests that
// should not have been accepted.
func (t *Target) Accepted(op client.Operation) []*client.Exchange {
	return slices.DeleteFunc(t.Client.Accepted(op), func(x *client.Exchange) bool {
		_, disowned := t.disowned.Load(x.Seq)
		return disowned
	})
}
