package export

import (
	"net/http"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// othersRows is the defect of files that show somebody else's quotes.
const othersRows = "shows one user the quotes of another"

// fetched is the first file, fetched again once another user, or else its own, exported something
// else.
type fetched struct {
	first, now *sheet
	strange    []statement.Quote // rows that it did not hold
	theirs     []statement.Quote // those of them that are another user's
	other      *client.Exchange  // the export in between
	again      *client.Exchange  // the request for the file
}

func (f fetched) evidence() spec.Evidence {
	shown := append(f.first.repeat(), spec.RepeatRequest{Exchange: f.other, FetchFile: true})
	return spec.Evidence{
		Repeat:  append(shown, spec.RepeatRequest{Exchange: f.again, FetchFile: true}),
		Subject: f.first.answer,
	}
}

// fetchedAgain is the last look at a file: newer exports must not take its place, whoever asked for
// them.
func (s *Suite) fetchedAgain() *spec.Observation[fetched] {
	s.UseObservations(s.plain.window, s.plain.theirs)
	return spec.ObserveAsCase(s.Plan, "a file, fetched again", func(l spec.Context) fetched {
		l = l.WithContext(client.WithPriority(l, 0)) // of what ends a run, this takes longest
		first, err := usable(l, s.plain.window)
		l.StopOnError(err)
		s.unlessShared(l, first)
		other, err := usable(l, s.plain.theirs)
		if err != nil {
			other = &sheet{query: query{make: fields(s.t.UniqueBounds("again")), as: first.query.as}}
		}
		newer := other.query
		newer.label = "export before a file is fetched again"
		x := s.start(l, newer)
		l.StopOnError(s.lab.TransientError(l, x))
		f := fetched{first: first, now: s.finish(l, first.query, first.answer), other: x}
		if f.again = f.now.fetched.Request; f.again == nil {
			f.again = first.answer
		}
		if f.strange = statement.Difference(f.now.rows, first.rows); len(f.strange) > 0 && err == nil {
			f.theirs = common(f.strange, s.finish(l, newer, x).rows)
		}
		return f
	}, spec.PhaseLate)
}

// fetchAgain declares the case that a file is the same at the end of the run.
func (s *Suite) fetchAgain() {
	spec.Helper()
	again := s.fetchedAgain()
	s.It("the first file, fetched again at the end of the run", func(ctx spec.Context) {
		f := again.Await(ctx)
		if refused := f.now.fault; refused != nil &&
			(refused.Status == http.StatusNotFound || refused.Status == http.StatusGone) {
			ctx.NotVerifiedf("", "the file was given once; fetched again it was answered with %d",
				refused.Status)
		}
		ctx.StopOnError(f.now.usable())
		if len(f.theirs) > 0 {
			ctx.Inconclusivef("the file holds quotes of another user; see %s", isolationRule)
		}
		ctx.Expect(ExportRows{
			Export:      "the file of " + f.first.query.label + ", fetched again",
			Expectation: "the quotes that it held", RowCount: len(f.now.rows),
			Missing: statement.Difference(f.first.rows, f.now.rows), Extra: f.strange,
			Evidence: f.evidence(),
		}).To(HoldExpectedRows())
	})
}

// notSwapped declares the case that a file shows nobody else's rows when another user exports.
func (s *Suite) notSwapped() {
	spec.Helper()
	again := s.fetchedAgain()
	s.It("a file stays the same when another user exports", func(ctx spec.Context) {
		s.plain.theirs.Await(ctx)
		f := again.Await(ctx)
		ctx.Expect(ExportRows{
			Export: "the file of " + f.first.query.label + ", fetched again after another user " +
				"exported",
			Expectation:      "the rows that it held",
			ExtraDescription: "of another user", Cause: othersRows, RowCount: len(f.now.rows),
			Extra:    f.theirs,
			Evidence: f.evidence(),
		}).To(HoldExpectedRows())
	})
}
