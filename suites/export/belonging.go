package export

import (
	"maps"
	"slices"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// belongs reports whether a plain export is of whom the deployment file says, as far as anything shows that. An export of
// somebody else breaks no rule.
func (s *Suite) belongs(l look, d *experiment, o download, sh *sheet) bool {
	p := &s.plain
	first := l.sheet(p.window)
	if o == p.window || len(sh.rows) == 0 && len(first.rows) == 0 {
		return true
	}
	same := common(sh.rows, first.rows)
	switch o {
	case p.product:
		if len(same) == 0 {
			d.doubt(spec.Unmet("fixtures.product_id", "the exports with this product and without one have no row in common, "+
				"so it may not be the default product"), productRule)
			return false
		}
	case p.key:
		if len(same) == len(sh.rows) && len(same) == len(first.rows) {
			return true
		}
		if proven, err := s.c.OneUser(l); err != nil || !proven {
			d.OwnKey = false
			d.doubt(spec.Unmet("", "the window by API key holds other rows than by the token, and no blocked repeat shows that both "+
				"belong to one user"), "export.method.same_rows")
		}
	case p.target:
		return s.targetBelongs(l, d, sh, same)
	}
	return true
}

// targetBelongs: the document lets the caller's wallet stand in where none is named, and users may share one. But a deployment
// that gives the same rows for a user whom nobody knows does not read whom an export is for, and what is in the caller's wallets
// by its column is the caller's.
func (s *Suite) targetBelongs(l look, d *experiment, sh *sheet, same []statement.Quote) bool {
	f := s.t.Deployment.Fixtures
	callers := slices.ContainsFunc(same, func(q statement.Quote) bool {
		return q.Wallet != "" && (q.Wallet == f.DefaultWalletID || q.Wallet == f.OtherWalletID)
	})
	if len(same) == 0 || callers && len(same) < len(sh.rows) {
		return true
	}
	if len(same) == len(sh.rows) {
		q := sh.query
		q.label, q.header = "the window for a target user who does not exist", maps.Clone(q.header)
		q.header[target.HeaderTarget] = target.UUID()
		if nobody := s.take(l, q); nobody.usable() == nil && statement.SameRows(nobody.rows, sh.rows) {
			return true
		}
	}
	d.doubt(spec.Unmet("fixtures.target_user_id", "the caller and the target user see the same quotes, and nothing says whose they are; "+
		"choose a user with quotes of its own"), "export.target.rows", "export.target.own_rows")
	return false
}
