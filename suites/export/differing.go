package export

import (
	"cmp"
	"slices"

	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Where the window holds other rows beside a partner, there may be a reason to: a product has quotes of its own, and
// an API key may be another user's. No other export carries such a partner. Some rows are wrong whoever asks.

// declareDiffering declares the exports of the window, by either sort, that hold other rows beside a partner.
func (s *Suite) declareDiffering() {
	for i, twin := range []download{s.windowAsc, s.settledAsc} {
		label := "the window by " + string(sorts()[i]) + " with an option that makes a difference"
		s.differing = append(s.differing, spec.Observe(s.Plan, label, act(func(l look) *sheet {
			unlike := l.sheet(twin).unlike
			l.unmetIf(len(unlike) == 0, "", "the window is the same with every option")
			return unlike[0]
		})))
	}
}

// oneWalletBeside declares the specs that an export which names no wallet is of one wallet, beside a partner as well.
func (s *Suite) oneWalletBeside(other download) {
	spec.Helper()
	for i, base := range []download{s.window, s.settled} {
		o := s.differing[i]
		s.holds("one wallet with other options, by "+string(sorts()[i]), []download{o, base, other}, func(l look) Rows {
			found := Rows{
				Export: "the export without a wallet", Should: "rows of the default wallet only",
				Strange: "row of another wallet",
			}
			ours, got, ok := s.unlikeRows(l, o, base)
			theirs, known := l.rowsIfAny(other)
			if !ok || !known {
				return moot("no option makes a difference to the window")
			}
			if !slices.Contains(got.query.partners(), target.HeaderWallet) &&
				len(common(ours.rows, theirs.rows)) == 0 && len(statement.Difference(ours.rows, got.rows)) == 0 {
				found.Held, found.Extra = got.held(), common(got.rows, theirs.rows)
			}
			return found
		})
	}
}

// eitherOrderBeside declares the specs that the window holds the same rows in either order, beside a partner as well.
func (s *Suite) eitherOrderBeside() {
	spec.Helper()
	for i, base := range []download{s.window, s.settled} {
		o, key := s.differing[i], sorts()[i]
		s.holds("the same rows in either order with other options, by "+string(key), []download{o, base},
			func(l look) Rows {
				ours, got, ok := s.unlikeRows(l, o, base)
				if !ok || len(statement.Difference(ours.rows, got.rows)) == 0 {
					return moot("no row of the window is lost with other options")
				}
				q := got.query
				q.label, q.fields = q.label+", in falling order", s.spelled(key, 3, 3)
				falling := s.take(l, q)
				if cmp.Or(falling.usable(), falling.complete()) != nil || s.likened(got, falling) {
					return moot("in falling order, the same export could not be had with that option")
				}
				return equal("the window in rising order", "the rows of the window in falling order", got.rows,
					falling.rows)
			})
	}
}

// unlikeRows are the window, which has to have rows, and the one beside a partner that makes a difference, where both
// can be had.
func (s *Suite) unlikeRows(l look, o, base download) (ours, got *sheet, ok bool) {
	s.base(l)
	got, ok = l.rowsIfAny(o)
	ours, known := l.rowsIfAny(base)
	return ours, got, ok && known
}
