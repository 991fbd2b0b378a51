package export

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
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
	spec.Helper()
	s.Uses(s.theirs, s.window, s.unnamed)
	seen := spec.Observe(s.Plan, "quotes of the other user in exports of this user's", act(func(l look) compared {
		found := Rows{
			Export: "an export of this user's", Should: "no row of the other user", Strange: "row of another user",
			Shared: othersRows,
		}
		w, theirs := s.base(l), s.knownTheirs(l)
		if len(common(theirs, w.rows)) > 0 {
			return compared{Rows: found}
		}
		return s.amongAll(l, found, func(sh *sheet, found *Rows) bool {
			if sh.query.as == s.t.Deployment.Credentials.OtherUser || sh.usable() != nil || !s.inOwnWallet(sh.query) {
				return false
			}
			found.Extra = foreignTo(sh, theirs)
			return true
		})
	}), spec.OfAll)
	s.It("none of this user's exports holds quotes of the other user",
		func(ctx spec.Context) { seen.Await(ctx).judge(ctx, 0, 0) })
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
	shown := inWallet(wallet)
	return pick(common(sh.rows, theirs), func(q statement.Quote) bool { return wallet == "" || !shown(q) })
}

// onlyWith names the partner that stands beside each of some exports, and beside none of the others; the last such
// partner where there are several.
func onlyWith(some, others []*sheet) (only []record.Setting) {
	beside := func(name string) func(*sheet) bool {
		return func(sh *sheet) bool { return slices.Contains(sh.query.partners(), name) }
	}
	for _, name := range some[0].query.partners() {
		apart := func(sh *sheet) bool { return !beside(name)(sh) }
		if !slices.ContainsFunc(some, apart) && !slices.ContainsFunc(others, beside(name)) {
			only = settings(name)
		}
	}
	return only
}
