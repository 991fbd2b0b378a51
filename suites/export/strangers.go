package export

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// collect adds an export to those that the run saw, in the order in which they came.
func (s *Suite) collect(sh *sheet) *sheet {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken = append(s.taken, sh)
	return sh
}

// noStrangers declares the spec that no export of this user's, of all that the run saw, holds quotes of the other user.
func (s *Suite) noStrangers() {
	GinkgoHelper()
	s.Uses(s.theirs, s.window)
	seen := spec.ObserveEnd(s.Plan, "quotes of the other user in exports of this user's", act(func(l look) strangers {
		found := strangers{Rows: Rows{
			Export: "an export of this user's", Should: "no row of the other user", Strange: "row of another user",
			Shared: othersRows,
		}}
		w := s.base(l)
		theirs, ok := l.rowsIfAny(s.theirs)
		if !ok || len(common(theirs.rows, w.rows)) > 0 {
			return found
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		without := map[string]bool{} // what stands beside exports that hold none
		var held []*sheet
		for _, sh := range s.taken {
			own := sh.query.as != s.t.Deployment.Credentials.OtherUser
			// whose rows a wallet and a target user give are rules
			if !own || sh.usable() != nil || len(sh.query.header) > 0 {
				continue
			}
			if len(common(sh.rows, theirs.rows)) > 0 {
				held = append(held, sh)
				continue
			}
			for _, name := range sh.query.partners() {
				without[name] = true
			}
		}
		if len(held) == 0 {
			return found
		}
		first := held[0]
		found.Export, found.Held = "the export of "+first.query.label, len(first.rows)
		found.Extra = common(first.rows, theirs.rows)
		for _, name := range first.query.partners() {
			all := !slices.ContainsFunc(held, func(sh *sheet) bool {
				return !slices.Contains(sh.query.partners(), name)
			})
			if all && !without[name] {
				found.only = "only with " + name
			}
		}
		return found
	}))
	It("none of this user's exports holds quotes of the other user", func(ctx SpecContext) {
		found := seen.Await(ctx)
		Expect(found.Rows).To(HoldItsRows(), found.only)
	})
}

type strangers struct {
	Rows
	only string
}
