package export

import (
	"slices"

	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// everyExport declares the spec that each export that the run saw, whatever it was sent for, is in the order that it
// names. It says nothing where another spec of the rule has found something already.
func (s *Suite) everyExport(order, way string) {
	spec.Helper()
	rule := s.Building()
	s.Uses(s.window)
	seen := spec.Observe(s.Plan, "the order of every export, "+order, act(func(l look) compared {
		found := Rows{Export: "an export", Should: "rows in " + way + " order of the chosen date"}
		s.base(l)
		for _, compare := range s.comparisons[rule] {
			if _, wrong := compare(l); wrong {
				return compared{Rows: found}
			}
		}
		all := s.amongAll(l, found, func(sh *sheet, found *Rows) bool {
			if sh.query.fields["order"] != order {
				return false
			}
			found.Order = s.disorderOf(l, sh)
			return true
		})
		if !all.Right() {
			s.notExchanged(l)
		}
		return all
	}), spec.OfAll)
	s.It("every other export", func(ctx spec.Context) { seen.Await(ctx).judge(ctx, 0, 0) })
}

// amongAll judges every export that the run saw, and adds to found what is wrong with the first that is, and which
// partner it takes. judge returns false for one that says nothing.
func (s *Suite) amongAll(l look, found Rows, judge func(sh *sheet, found *Rows) bool) compared {
	var right, wrong []*sheet
	first := compared{Rows: found}
	for _, sh := range s.sheets(l) {
		one := found
		one.Export, one.Held = "the export of "+sh.query.label, sh.held()
		switch {
		case !judge(sh, &one):
		case one.Right():
			right = append(right, sh)
		default:
			if wrong = append(wrong, sh); len(wrong) == 1 {
				first.Rows = one
			}
		}
	}
	if len(wrong) > 0 {
		first.only = onlyWith(wrong, right)
	}
	return first
}

// disorderOf says how the rows of an export are not in the order that it names. Rows of the other user do not count,
// and neither does an export without a sort that is in that order of the other date: both are other rules.
func (s *Suite) disorderOf(l look, sh *sheet) string {
	key, rising := sh.query.selection().key, sh.query.fields["order"] == "asc"
	if sh.usable() != nil || sh.legible(key) != nil {
		return ""
	}
	text := Disorder(sh.rows, key, rising)
	if text == "" {
		return ""
	}
	unnamed := sh.query.fields["sort"] == nil || slices.Contains(sh.query.partners(), "no sort")
	if unnamed && Disorder(sh.rows, statement.SettledDate, rising) == "" {
		return ""
	}
	if sh.query.as == s.t.Deployment.Credentials.OtherUser {
		return text
	}
	return Disorder(beyond(sh.rows, s.knownTheirs(l)), key, rising)
}
