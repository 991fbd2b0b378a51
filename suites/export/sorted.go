package export

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// everyExport declares the spec that each export that the run saw, whatever it was sent for, is in the order that it
// names. It says nothing where another spec of the rule has found something already.
func (s *Suite) everyExport(order, way string) {
	GinkgoHelper()
	rule := s.Building()
	s.Uses(s.window)
	seen := spec.ObserveEnd(s.Plan, "the order of every export, "+order, act(func(l look) strangers {
		found := strangers{Rows: Rows{Export: "an export", Should: "rows in " + way + " order of the chosen date"}}
		s.base(l)
		for _, compare := range s.comparisons[rule] {
			if _, wrong := compare(l); wrong {
				return found
			}
		}
		var sorted, unsorted []*sheet
		for _, sh := range s.sheets(l) {
			switch text := s.disorderOf(l, sh); {
			case sh.query.fields["order"] != order:
			case text == "":
				sorted = append(sorted, sh)
			default:
				unsorted = append(unsorted, sh)
			}
		}
		if len(unsorted) > 0 {
			first := unsorted[0]
			found.Export, found.Held = "the export of "+first.query.label, first.held()
			found.Order, found.only = s.disorderOf(l, first), onlyWith(unsorted, sorted)
		}
		return found
	}))
	It("every other export", func(ctx SpecContext) {
		found := seen.Await(ctx)
		Expect(found.Rows).To(HoldItsRows(), found.only)
	})
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
