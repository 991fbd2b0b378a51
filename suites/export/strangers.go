package export

import (
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
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
		var clean, held []*sheet
		for _, sh := range s.sheets(l) {
			own := sh.query.as != s.t.Deployment.Credentials.OtherUser
			switch {
			case !own || sh.usable() != nil || !s.inOwnWallet(sh.query):
			case len(foreignTo(sh, theirs.rows)) > 0:
				held = append(held, sh)
			default:
				clean = append(clean, sh)
			}
		}
		if len(held) > 0 {
			first := held[0]
			found.Export, found.Held = "the export of "+first.query.label, first.held()
			found.Extra, found.only = foreignTo(first, theirs.rows), onlyWith(held, clean)
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

// sheets lists every export of the run whose file was looked for, those without bounds last.
func (s *Suite) sheets(l look) []*sheet {
	s.mu.Lock()
	all := slices.Clone(s.taken)
	s.mu.Unlock()
	for _, o := range []download{s.bare.object, s.bare.settled, s.bare.asc, s.bare.format, s.bare.filter} {
		if !o.Launched() {
			continue
		}
		if sh, err := o.Get(l); err == nil {
			all = append(all, sh)
		}
	}
	return all
}

// inOwnWallet reports an export of a wallet of the caller's: whose rows other wallets and a target user give are rules.
func (s *Suite) inOwnWallet(q query) bool {
	f := s.t.Deployment.Fixtures
	wallet, named := q.header[target.HeaderWallet]
	return len(q.header) == 0 || len(q.header) == 1 && named &&
		slices.ContainsFunc([]string{f.DefaultWalletID, f.OtherWalletID},
			func(own string) bool { return own != "" && strings.EqualFold(wallet, own) })
}

// foreignTo are the rows of an export that are somebody else's: not those that show the wallet which was asked for, as
// users may share one.
func foreignTo(sh *sheet, theirs []statement.Quote) []statement.Quote {
	wallet := sh.query.header[target.HeaderWallet]
	return pick(common(sh.rows, theirs),
		func(q statement.Quote) bool { return wallet == "" || !strings.EqualFold(q.Wallet, wallet) })
}

// onlyWith names the partner that stands beside each of some exports, and beside none of the others; the last such
// partner where there are several.
func onlyWith(some, others []*sheet) (only string) {
	beside := func(name string) func(*sheet) bool {
		return func(sh *sheet) bool { return slices.Contains(sh.query.partners(), name) }
	}
	for _, name := range some[0].query.partners() {
		apart := func(sh *sheet) bool { return !beside(name)(sh) }
		if !slices.ContainsFunc(some, apart) && !slices.ContainsFunc(others, beside(name)) {
			only = "only with " + name
		}
	}
	return only
}
