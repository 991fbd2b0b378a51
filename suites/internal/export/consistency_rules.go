package export

import (
	"slices"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// exportsInARow are exports that were sent one after the other, each after the file of the last.
type exportsInARow struct {
	sent    []*client.Exchange
	refused []*client.Exchange // because of their values, before another was accepted
}

// declareConsistencyRules declares the rules that exports are not refused now and then. A deployment
// that runs few exports at once may refuse those beside others.
func (s *Suite) declareConsistencyRules() {
	row := spec.ObserveAsCase(s.Plan, "exports in a row", s.sendInARow, spec.PhaseLast)
	s.Rule("export.success.steady", Should, SectionErrors,
		"An export does not fail with an error that disappears when it is requested again.",
		func() {
			s.UseObservations(s.lab.ControlExport, s.run, row)
			s.lab.ItGetsNoPassingError(client.OperationExport,
				func(ctx spec.Context) { s.run.Await(ctx) },
				func(ctx spec.Context, x *client.Exchange) bool {
					return !answers.RefusesValues(x) || len(row.Await(ctx).refused) == 0
				})
		})
	s.Rule("export.success.consistent", Must, SectionExport,
		"A valid export beside no other is not refused at one time and accepted at another.",
		func() {
			s.UseObservations(s.lab.ControlExport, s.run, row)
			s.It("is accepted each time", func(ctx spec.Context) {
				s.run.Await(ctx)
				row := row.Await(ctx)
				tally := RuleTally{Judged: len(row.sent) - len(row.refused)}
				for _, x := range row.refused {
					tally.AddAnswer(x, FlawUnless(false, answers.Describe(x),
						reproscript.ExpectStatus{Right: []string{"2xx"}}))
				}
				ctx.Expect(tally).To(HoldForEveryAnswer("Valid export", "2xx each time"))
			})
		})
}

// sendInARow sends exports in a row, where the run saw some refused and then accepted, or few at all.
func (s *Suite) sendInARow(ctx spec.Context) (row exportsInARow) {
	const exports = 8
	seen, passing := s.lab.PassingErrors(client.OperationExport)
	if seen > exports && !slices.ContainsFunc(passing, answers.RefusesValues) ||
		s.t.Deployment.Export.File == nil {
		return row
	}
	ctx, release := s.holdExports(ctx)
	defer release()
	var refused []*client.Exchange
	for range exports {
		q := s.windowQuery("an export beside no other", model.Query{}, nil)
		x := s.t.Send(ctx, func() target.Request { return s.buildExport(q) })
		ctx.StopOnError(s.lab.TransientError(ctx, x))
		row.sent = append(row.sent, x)
		switch {
		case answers.RefusesValues(x):
			refused = append(refused, x)
		case x.IsSuccess():
			row.refused, refused = append(row.refused, refused...), nil
			s.fetchAndRead(ctx, q, x)
		}
	}
	return row
}
