package target_test

import (
	"slices"
	"testing"

	"github.com/gateassay/gateassay/suites/target"
)

func TestOrdinaryLeavesOutWhatACheckMadeOdd(t *testing.T) {
	d := deploy(t, 201)
	subject := aim(t, d.URL, names)
	send := func(edit func(target.Creation) target.Creation) (target.Creation, []string, bool) {
		var sent target.Creation
		x := subject.Create(t.Context(), func() target.Creation {
			sent = edit(subject.Creation("valid"))
			return sent
		})
		draft, ok := subject.Ordinary(x)
		return sent, draft.Names(), ok
	}
	plain, all, ok := send(func(c target.Creation) target.Creation { return c })
	if !ok || !slices.Equal(all, plain.Draft.Names()) {
		t.Errorf("of an ordinary creation: %v", all)
	}
	_, odd, ok := send(func(c target.Creation) target.Creation {
		return c.With("email", "X@example.com").With("address", "nowhere").With("income", nil).Without("pep")
	})
	if !ok || len(odd) == 0 || slices.ContainsFunc(odd, func(name string) bool {
		return slices.Contains([]string{"email", "address", "address.city", "income", "pep"}, name)
	}) {
		t.Errorf("of an odd creation: %v", odd)
	}
	if _, _, ok := send(func(c target.Creation) target.Creation { c.Body = []byte("{}"); return c }); ok {
		t.Error("of a body that is not a draft, what was sent is not known")
	}
	refused := aim(t, deploy(t, 400).URL, names)
	x := refused.Create(t.Context(), func() target.Creation { return refused.Creation("valid") })
	if _, ok := refused.Ordinary(x); ok {
		t.Error("a creation that was refused was remembered")
	}
}
