package lab

import (
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// ItGetsNoPassingError declares a case that no valid request of an operation got an error that
// disappeared on retry. awaitAll waits for all requests of the run; isOne selects the errors.
func (l *Lab) ItGetsNoPassingError(
	op client.Operation, awaitAll func(spec.Context), isOne func(spec.Context, *client.Exchange) bool,
) {
	spec.Helper()
	l.plan.It("gets no error before its answer", func(ctx spec.Context) {
		awaitAll(ctx)
		judged, gone := l.PassingErrors(op)
		tally := matchers.RuleTally{Judged: judged}
		for _, x := range gone {
			if isOne(ctx, x) {
				flaw := matchers.FlawUnless(false, answers.Describe(x),
					reproscript.ExpectStatus{Right: []string{"2xx"}})
				flaw.Evidence.ByChance = true
				tally.AddAnswer(x, flaw)
			}
		}
		what := operationNoun(op) + " that fails and then succeeds"
		ctx.Expect(tally).To(matchers.HoldForEveryAnswer(what, "the same answer each time"))
	})
}

// ObserveUnspecified is ObserveProbe for a request whose answer the document does not specify.
func (l *Lab) ObserveUnspecified(p Probe) AnswerObservation {
	_, judged := l.FindProbe(p.Operation, p.Description) // by its own rule
	seen := l.ObserveProbe(p)
	if !judged {
		l.unspecified[p.Operation] = append(l.unspecified[p.Operation], seen)
	}
	return seen
}

// Unspecified returns the requests of an operation whose answers the document does not specify.
func (l *Lab) Unspecified(op client.Operation) []AnswerObservation { return l.unspecified[op] }

// ItGetsNoServerError declares a case that none of the Unspecified requests got a server error.
func (l *Lab) ItGetsNoServerError(op client.Operation) {
	spec.Helper()
	l.plan.It("gets no server error for what the document leaves open", func(ctx spec.Context) {
		var tally matchers.RuleTally
		why := spec.Inconclusivef("none of these requests was answered")
		for _, seen := range l.unspecified[op] {
			switch a, err := seen.Get(ctx); {
			case err == nil && a.Status != 0:
				tally.AddAnswer(a.Exchange, matchers.FlawUnless(!a.IsServerError(),
					answers.Describe(a.Exchange), reproscript.ExpectStatus{Right: []string{"2xx", "4xx"}}))
			case err != nil && seen.Launched():
				why = err
			}
		}
		if tally.Judged == 0 {
			ctx.StopOnError(why)
		}
		ctx.Expect(tally).To(matchers.HoldForEveryAnswer(
			operationNoun(op)+" that the document leaves open", "2xx or 4xx"))
	})
}

// ItAcceptsEveryConfiguration declares a case that every configuration of options that are
// accepted one by one is accepted.
func (l *Lab) ItAcceptsEveryConfiguration(op client.Operation, text string) {
	spec.Helper()
	l.plan.UseObservations(l.PlainControl(op))
	name := "a valid " + operationNoun(op) + " in every context"
	seen := spec.ObserveAsCase(l.plan, name, func(ctx spec.Context) (refused []target.Answer) {
		for _, config := range l.AllConfigurations(op) {
			if in := l.ObserveControl(op, config).Await(ctx); in.WronglyRefused != nil {
				refused = append(refused, *in.WronglyRefused)
			}
		}
		return refused
	})
	l.plan.It(text, func(ctx spec.Context) {
		l.PlainControl(op).Await(ctx)
		for _, a := range seen.Await(ctx) {
			ctx.Expect(a).To(matchers.BeAccepted())
		}
	})
}
