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
	sent    []*client.Exchange // nil: it was not tried
	refused []*client.Exchange // before another was accepted
}

// has reports whether exports in a row were refused like this one, because of their values or not.
func (r exportsInARow) has(refusal *client.Exchange) bool {
	return slices.ContainsFunc(r.refused, func(x *client.Exchange) bool {
		return answers.RefusesValues(x) == answers.RefusesValues(refusal)
	})
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
					row := row.Await(ctx)
					switch {
					case !x.IsClientError() || row.sent == nil:
						return true
					case answers.RefusesValues(x): // see export.success.consistent
						return !row.has(x)
					}
					return row.has(x) // or else beside others only
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
					tally.AddAnswer(x, FlawUnless(!answers.RefusesValues(x), answers.Describe(x),
						reproscript.ExpectStatus{Right: []string{"2xx"}}))
				}
				ctx.Expect(tally).To(HoldForEveryAnswer("Valid export", "2xx each time"))
			})
		})
}

// sendInARow sends exports in a row, where the run saw some refused and then accepted, or few at all.
func (s *Suite) sendInARow(ctx spec.Context) (row exportsInARow) {
	const few, many = 8, 24
	exports := few
	seen, passing := s.lab.PassingErrors(client.OperationExport)
	isValues := slices.ContainsFunc(passing, answers.RefusesValues)
	switch isRefusal := slices.ContainsFunc(passing, (*client.Exchange).IsClientError); {
	case seen > few && !isRefusal, s.t.Deployment.Export.File == nil:
		return row
	case isRefusal && !isValues: // perhaps beside others only, which more exports tell
		exports = many
	}
	query := s.windowQuery("an export beside no other", model.Query{}, nil)
	ctx, release := s.holdExports(ctx)
	defer release()
	s.takeUsable(ctx, query) // once no earlier export is worked on
	var refused []*client.Exchange
	for range exports {
		if exports == many {
			target.SleepContext(ctx, s.t.Pause)
		}
		x := s.t.Send(ctx, func() target.Request { return s.buildExport(query) })
		ctx.StopOnError(s.lab.TransientError(ctx, x))
		row.sent = append(row.sent, x)
		switch {
		case x.IsClientError():
			refused = append(refused, x)
		case x.IsSuccess():
			row.refused, refused = append(row.refused, refused...), nil
			s.fetchAndRead(ctx, query, x)
		}
	}
	return row
}
