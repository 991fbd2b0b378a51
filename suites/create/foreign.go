package create

import (
	"context"
	"slices"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// foreignBeside declares the spec that somebody else's shareholder is refused beside a partner, whatever more stands
// beside it: in rows that have the partner, it was sent already.
func (s *Suite) foreignBeside(partner string, e edit, sent answer) {
	spec.Helper()
	how := rejection{clear: target.AboutCaller, matcher: BeRefused()}
	seen := s.defective(label(e)+", with other options", e, func(ctx context.Context) (target.Answer, error) {
		a, err := sent.Get(ctx)
		rows := control.Accompanied(client.Create)
		if err == nil && a.Refusal() {
			rows = slices.DeleteFunc(rows, func(r control.Row) bool {
				return s.c.Company(ctx, client.Create, r).Has(partner)
			})
		}
		if len(rows) == 0 {
			return a, nil
		}
		return s.inCompany(how, e, rows).Get(ctx)
	})
	s.It("rejects a "+label(e), func(ctx spec.Context) {
		a := seen.Await(ctx)
		ctx.Expect(a).To(how.matcher)
	})
}

// refusedAtAll is what was seen of a defect in company whose status is another rule's matter: where that is what was
// wrong, the rest of the rows is still to be seen.
func (s *Suite) refusedAtAll(seen answer, e edit) answer {
	return s.defective(label(e)+", whatever the status", edit{}, func(ctx context.Context) (target.Answer, error) {
		a, err := seen.Get(ctx)
		if err != nil || !a.Refusal() {
			return a, err
		}
		if known, err := ofShareholder().matcher.Match(a); known || err != nil {
			return a, err
		}
		how := rejection{clear: target.AboutCaller, matcher: BeRefused()}
		return s.inCompany(how, e, control.Accompanied(client.Create)).Get(ctx)
	})
}
