package target

import (
	"reflect"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/representative"
)

// remember keeps what an accepted creation sent, as far as it is ordinary.
func (t *Target) remember(x *client.Exchange, c Creation) {
	if x == nil || !x.Success() || c.Body != nil || c.NoBody {
		return
	}
	t.ordinary.Store(x.Seq, c.ordinary())
}

// ordinary is the draft without the fields that were changed on purpose.
func (c Creation) ordinary() representative.Draft {
	draft := c.Draft
	for _, name := range draft.Names() {
		if !reflect.DeepEqual(draft.Get(name), c.plain.Get(name)) {
			draft = draft.Without(name)
		}
	}
	return draft
}

// Ordinary gives what an accepted creation sent, without the fields that a check made odd: what comes back of the rest does
// not depend on what the creation was made for. It is false where that is not known.
func (t *Target) Ordinary(x *client.Exchange) (representative.Draft, bool) {
	draft, ok := t.ordinary.Load(x.Seq)
	if !ok {
		return representative.Draft{}, false
	}
	return draft.(representative.Draft), true
}
