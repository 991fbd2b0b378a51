package lab

import (
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/creationfields"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// RuleRejects declares a rule that each of the requests is rejected.
func (l *Lab) RuleRejects(
	id string, level rules.Level, section rules.Section, statement string, all []Probe, options ...any,
) {
	spec.Helper()
	l.plan.Rule(id, level, section, statement, append(options, func() {
		for _, p := range all {
			l.ItRejects(p)
		}
	})...)
}

// ItRejects declares a case that the request is rejected. It returns the observation of its
// answer.
func (l *Lab) ItRejects(p Probe) AnswerObservation {
	spec.Helper()
	var names []string
	if len(p.ChangedFields) == 1 {
		names = l.UndocumentedNameKeys(p.ChangedFields[0])
	}
	seen := l.ObserveProbe(p)
	l.plan.CaseRestsOnNames(l.plan.It("rejects "+p.String(), func(ctx spec.Context) {
		if a := seen.Await(ctx); !p.IsExpected(a) {
			for _, doubt := range p.InconclusiveChecks {
				doubt(ctx, a)
			}
			if p.Tolerable != nil {
				a.Tolerable = p.Tolerable(a)
			}
			ctx.Expect(a).To(p.matcher())
		}
	}, p.Sampling), names...)
	return seen
}

// UndocumentedNameKeys returns the key of the deployment file that names a field of creations,
// unless the name is documented. It returns none for an empty name.
func (l *Lab) UndocumentedNameKeys(field string) []string {
	if field == "" ||
		creationfields.IsDocumented(l.target.Deployment.LegalRepresentative.Fields, field) {
		return nil
	}
	return []string{FieldKeyPrefix + field}
}

// ItAccepts declares a case that a valid request is accepted. The probe's InconclusiveChecks may
// end it.
func (l *Lab) ItAccepts(p Probe, seen AnswerObservation) {
	spec.Helper()
	l.plan.UseObservations(seen)
	l.plan.It("accepts "+p.String(), func(ctx spec.Context) {
		a := seen.Await(ctx)
		if p.isConflict(a) {
			ctx.Inconclusivef(
				"answered 409, which is about identifiers; these were fresh, see " +
					"create.repeat.other_transaction",
			)
		}
		for _, doubt := range p.InconclusiveChecks {
			doubt(ctx, a)
		}
		ctx.Expect(a).To(matchers.BeAccepted())
	}, p.Sampling)
}

// ItAnswers declares a case that a request is accepted or rejected, and gets no server error. It is
// for what a deployment may decide.
func (l *Lab) ItAnswers(p Probe, seen AnswerObservation) {
	spec.Helper()
	l.plan.UseObservations(seen)
	l.plan.It("does not break over "+p.String(), func(ctx spec.Context) {
		ctx.Expect(seen.Await(ctx)).To(matchers.BeAnswered())
	}, p.Sampling)
}
