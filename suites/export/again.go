package export

import (
	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// Files that are fetched again: each stays what it was, whatever is exported meanwhile.

// othersRows is the defect of files that show somebody else's quotes.
const othersRows = "shows one user the quotes of another"

// fetched is a file that was fetched again once its user, and then another one, had exported something else.
type fetched struct {
	first, now *sheet
	theirs     []statement.Quote // what of it is the other user's
}

// declareAgain declares the last look at a file: newer exports must not take its place, whoever asked for them.
func (s *Suite) declareAgain() {
	s.again = spec.Observe(s.Plan, "a file, fetched again", act(func(l look) fetched {
		l = look{client.WithRank(l, 0)} // of what ends a run, this takes longest
		l.rows(s.plain.window)
		first := s.fullest()
		l.unmetIf(first == nil, "fixtures.window", "the window holds no quote")
		s.unlessShared(l, first)
		l.end(s.t.Usable(l, s.start(l, query{
			label: "export of a few minutes before a file is fetched again", fields: s.t.Unique("again"), as: first.query.as,
		})))
		theirs, known := l.rowsIfAny(s.plain.theirs)
		if !known {
			return fetched{first: first, now: s.finish(l, first.query, first.answer)}
		}
		now, fetchTheirs := s.turn(l, first, theirs)
		f := fetched{first: first, now: now}
		if strange := statement.Difference(now.rows, first.rows); len(strange) > 0 {
			other := fetchTheirs()
			l.end(other.usable())
			f.theirs = common(strange, other.rows)
		}
		return f
	}), spec.AtEnd)
}

// fetchAgain declares the case that a file is the same at the end of the run.
func (s *Suite) fetchAgain() {
	spec.Helper()
	s.Uses(s.plain.window, s.again)
	s.It("the file with the most quotes, fetched again at the end of the run", func(ctx spec.Context) {
		f := s.again.Await(ctx)
		if err := f.now.usable(); err != nil {
			ctx.GiveUp(err)
		}
		if len(f.theirs) > 0 {
			ctx.GiveUp(spec.Explained(othersRows, "the file holds quotes of another user; see %s", spec.Ref(isolationRule)))
		}
		ctx.Expect(Rows{
			Export: "the file of " + f.first.query.label + ", fetched again", Should: "the quotes that it held", Held: len(f.now.rows),
			Missing: statement.Difference(f.first.rows, f.now.rows), Extra: statement.Difference(f.now.rows, f.first.rows),
		}).To(HoldItsRows())
	})
}

// notSwapped declares the case that a file stays what it is when another user exports. One that cannot be fetched again shows
// nobody else's rows: see export.file.again.
func (s *Suite) notSwapped() {
	spec.Helper()
	s.Uses(s.plain.theirs, s.plain.window, s.again)
	s.It("a file stays the same when another user exports", func(ctx spec.Context) {
		s.plain.theirs.Await(ctx)
		f := s.again.Await(ctx)
		if err := f.now.usable(); err != nil && !(f.now.fault != nil && (lost(f.now.fault) || f.now.fault.NoFile())) {
			ctx.GiveUp(err)
		}
		ctx.Expect(Rows{
			Export: "the file of " + f.first.query.label + ", fetched again after another user exported", Should: "the rows that it held",
			Strange: "row of another user", Cause: othersRows, Held: len(f.now.rows), Extra: f.theirs,
		}).To(HoldItsRows())
	})
}

// turn fetches a file once more, right after another user exported theirs, which can be fetched then.
func (s *Suite) turn(l look, ours, theirs *sheet) (again *sheet, other func() *sheet) {
	q := theirs.query
	q.label = "the window of another user, before a file of this user's is fetched again"
	x := s.start(l, q)
	l.end(s.t.Usable(l, x))
	again = s.finish(l, ours.query, ours.answer)
	return again, func() *sheet { return s.finish(l, q, x) }
}

// swaps reports that files of two users take each other's place: then nothing is known of any file.
func (s *Suite) swaps(l look) bool {
	ours, known := l.rowsIfAny(s.plain.window)
	theirs, both := l.rowsIfAny(s.plain.theirs)
	if !known || !both {
		return false
	}
	for range 3 {
		now, fetchTheirs := s.turn(l, ours, theirs)
		if now.usable() != nil || statement.SameRows(now.rows, ours.rows) {
			continue
		}
		if other := fetchTheirs(); other.usable() == nil && len(common(now.rows, other.rows)) > 0 {
			return true
		}
	}
	return false
}
