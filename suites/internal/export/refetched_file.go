package export

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// othersRowsCause is the defect of files that show another user's quotes.
const othersRowsCause = "shows one user the quotes of another"

// refetchedFile is the first file, fetched again after another user (else its own) exported
// something else.
type refetchedFile struct {
	first, now *completedExport
	atFirst    error             // why it could not be read when it was ready; nil: it could
	strange    []statement.Quote // rows that it did not hold before
	theirs     []statement.Quote // of these, the other user's rows
	other      *client.Exchange  // the export in between
	again      *client.Exchange  // the second request for the file
}

func (f refetchedFile) evidence() spec.Evidence {
	shown := append(f.first.repeatRequests(), spec.RepeatRequest{Exchange: f.other, FetchFile: true})
	return spec.Evidence{
		Repeat:  append(shown, spec.RepeatRequest{Exchange: f.again, FetchFile: true}),
		Subject: f.first.answer,
	}
}

// observeRefetchedFile fetches the first file at the end of the run. Later exports by any user
// must not replace it.
func (s *Suite) observeRefetchedFile() *spec.Observation[refetchedFile] {
	s.UseObservations(s.plain.window, s.plain.theirs)
	return spec.ObserveAsCase(s.Plan, "a file, fetched again", func(ctx spec.Context) refetchedFile {
		ctx = ctx.WithContext(client.WithPriority(ctx, 0)) // slowest of the requests at the end of a run
		first := s.plain.window.Await(ctx)
		if first.broken != nil { // it may have been called ready too early
			now := s.fetchAndRead(ctx, first.query, first.answer)
			return refetchedFile{first: first, now: now, atFirst: first.broken}
		}
		ctx.StopOnError(first.unusableReason())
		s.inconclusiveIfIDShared(ctx, first)
		other, err := awaitUsable(ctx, s.plain.theirs)
		if err != nil {
			other = &completedExport{query: s.windowQuery("", model.Query{}, nil)}
		}
		newer := other.query
		newer.label = "export before a file is fetched again"
		x := s.sendExport(ctx, newer)
		ctx.StopOnError(s.lab.TransientError(ctx, x))
		f := refetchedFile{first: first, now: s.fetchAndRead(ctx, first.query, first.answer), other: x}
		if s.countBrokenAtFirst() > 1 { // one may have been damaged on its way
			f.atFirst = first.brokenAtFirst
		}
		f.again = cmp.Or(f.now.fetched.Request, first.answer)
		f.strange = statement.Difference(f.now.rows, first.rows)
		if len(f.strange) > 0 && err == nil {
			f.theirs = commonRows(f.strange, s.fetchAndRead(ctx, newer, x).rows)
		}
		return f
	}, spec.PhaseLate)
}

// itKeepsItsFile declares a case that a file is the same at the end of the run.
func (s *Suite) itKeepsItsFile() {
	spec.Helper()
	again := s.observeRefetchedFile()
	s.It("the first file, fetched again at the end of the run", func(ctx spec.Context) {
		f := again.Await(ctx)
		if refused := f.now.fault; refused != nil &&
			(refused.Status == http.StatusNotFound || refused.Status == http.StatusGone) {
			ctx.NotVerifiedf("", "the file could be fetched once only; the second time it got %d",
				refused.Status)
		}
		if !f.now.isBlank() || len(f.first.rows) == 0 {
			ctx.StopOnError(f.now.unusableReason())
		}
		if f.atFirst != nil {
			ctx.Expect(s.brokenAtFirst(f)).
				To(BeFlawless("The first file, once ready", "all its quotes"))
		}
		if len(f.theirs) > 0 {
			ctx.Inconclusivef("the file holds quotes of another user; see %s", ruleIsolation)
		}
		missing := statement.Difference(f.first.rows, f.now.rows)
		if len(missing)+len(f.strange) > 0 {
			s.inconclusiveIfFilesAreShared(ctx)
		}
		ctx.Expect(ExportRows{
			Export:      "the file of " + f.first.query.label + ", fetched again",
			Expectation: "the quotes that it held", RowCount: len(f.now.rows),
			Missing: missing, Extra: f.strange,
			Evidence: f.evidence(),
		}).To(HoldExpectedRows())
	})
}

// brokenAtFirst says how a file could not be read at first that has quotes at the end of the run.
func (s *Suite) brokenAtFirst(f refetchedFile) (flaw Flaw) {
	if len(f.now.rows) == 0 {
		return flaw
	}
	flaw.Found = s.redactAndQuote(fmt.Sprintf("broken, but with %s at the end of the run: %v",
		printable.Quantity(len(f.now.rows), "quote"), f.atFirst))
	flaw.Evidence = spec.Evidence{Repeat: f.first.repeatRequests(), Sign: reproscript.ExpectCSV{}}
	if last := f.now.rows[len(f.now.rows)-1]; !last.IdentityIsJoined {
		flaw.Evidence.Sign = reproscript.ExpectRows{With: []string{last.Identity}}
	}
	return flaw
}

// itKeepsFilesApart declares a case that a file shows no other user's rows after that user
// exports.
func (s *Suite) itKeepsFilesApart() {
	spec.Helper()
	again := s.observeRefetchedFile()
	s.It("a file stays the same when another user exports", func(ctx spec.Context) {
		s.plain.theirs.Await(ctx)
		f := again.Await(ctx)
		ctx.StopOnError(f.first.unusableReason())
		ctx.Expect(ExportRows{
			Export: "the file of " + f.first.query.label +
				", fetched again after another user exported",
			Expectation:      "the rows that it held",
			ExtraDescription: "of another user", Cause: othersRowsCause, RowCount: len(f.now.rows),
			Extra:    f.theirs,
			Evidence: f.evidence(),
		}).To(HoldExpectedRows())
	})
}

// itHidesOtherLegalPersons declares a case that an export for a user of another legal person, who
// has no part in the caller's product, holds none of that user's quotes.
func (s *Suite) itHidesOtherLegalPersons() {
	spec.Helper()
	other, product := s.otherUserID(), s.t.Deployment.Fixtures.ProductID
	if other == "" || product == "" {
		return
	}
	const label = "an export for a user of another legal person"
	seen := spec.ObserveAsCase(s.Plan, label, func(ctx spec.Context) ExportRows {
		found := ExportRows{
			Export: label, Expectation: "no quote of that user", ExtraDescription: "of that user",
			Cause: othersRowsCause,
		}
		if p, sent := s.lab.FindProbe(client.OperationExport, forOtherLegalPerson); sent &&
			p.Answer.Launched() {
			if a, err := p.Answer.Get(ctx); err == nil && !a.IsSuccess() {
				return found
			}
		}
		own, theirs := s.plain.window.Await(ctx), s.plain.theirs.Await(ctx)
		ctx.StopOnError(cmp.Or(own.unusableReason(), theirs.unusableReason()))
		q := s.windowQuery(label, model.Query{User: model.OwnerTarget, Product: true}, own.extent)
		q.targetUser = other
		done := s.takeExport(ctx, q)
		extra := statement.Difference(commonRows(done.rows, theirs.rows), own.rows)
		if len(extra) == 0 {
			return found
		}
		inProduct := s.takeExport(ctx, s.windowQuery("the window by another user, in the caller's product",
			model.Query{User: model.OwnerStranger, Product: true}, own.extent))
		if inProduct.refused { // otherwise the caller may act for that user
			found.RowCount, found.Extra = len(done.rows), extra
			found.Evidence = spec.Evidence{Repeat: done.repeatRequests()}
		}
		return found
	}, spec.PhaseAfterMain)
	s.It("never gives the quotes of a user of another legal person as those of a target user",
		func(ctx spec.Context) { ctx.Expect(seen.Await(ctx)).To(HoldExpectedRows()) })
}
