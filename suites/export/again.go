package export

import (
	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// Files that are fetched again: each stays what it was, whatever is exported meanwhile.

// othersRows is the defect of files that show somebody else's quotes.
const othersRows = "shows one user the quotes of another"

// fetchAgain declares the case that a file is the same at the end of the run.
func (s *Suite) fetchAgain() {
	spec.Helper()
	s.Uses(s.plain.window)
	s.fetchedAgain = spec.Observe(s.Plan, "a file, fetched again", act(func(l look) Rows {
		l.rows(s.plain.window)
		first := s.fullest()
		l.unmetIf(first == nil, "fixtures.window", "the window holds no quote")
		s.unlessShared(l, first)
		// A newer file of the same user, of a few minutes: it must not take the place of this one.
		l.end(s.t.Usable(l, s.start(l, query{
			label: "export of a few minutes before a file is fetched again", fields: s.t.Unique("again"), as: first.query.as,
		})))
		now := s.finish(l, first.query, first.answer)
		l.end(now.usable())
		found := Rows{
			Export: "the file of " + first.query.label + ", fetched again", Should: "the quotes that it held", Held: len(now.rows),
			Missing: statement.Difference(first.rows, now.rows), Extra: statement.Difference(now.rows, first.rows),
		}
		if theirs, ok := l.rowsIfAny(s.plain.theirs); ok && s.t.Deployment.Credentials.OtherUser != nil &&
			len(common(found.Extra, theirs.rows)) > 0 {
			l.end(spec.Explained(othersRows, "the file holds quotes of another user; see %s", spec.Ref(isolationRule)))
		}
		return found
	}), spec.AtEnd)
	s.It("the file with the most quotes, fetched again at the end of the run", func(ctx spec.Context) {
		ctx.Expect(s.fetchedAgain.Await(ctx)).To(HoldItsRows())
	})
}

// notSwapped declares the case that a file stays what it is when another user exports.
func (s *Suite) notSwapped() {
	spec.Helper()
	s.Uses(s.plain.theirs, s.plain.window)
	seen := spec.Observe(s.Plan, "a file, fetched again after another user exported", act(func(l look) Rows {
		if s.fetchedAgain != nil && s.fetchedAgain.Launched() {
			s.fetchedAgain.Ended(l) // which exports as well
		}
		found := Rows{
			Export: "the file of the window, fetched again after another user exported",
			Should: "the rows that it held", Strange: "row of another user", Cause: othersRows,
		}
		first := l.rows(s.plain.window)
		s.unlessShared(l, first)
		ours, fetchTheirs := s.turn(l, first, l.rows(s.plain.theirs))
		if ours.fault != nil && (lost(ours.fault) || ours.fault.NoFile()) {
			return found // a file that is there only once shows nobody else's rows: see export.file.again
		}
		l.end(ours.usable())
		found.Held = len(ours.rows)
		if strange := statement.Difference(ours.rows, first.rows); len(strange) > 0 {
			theirs := fetchTheirs()
			l.end(theirs.usable())
			found.Extra = common(strange, theirs.rows)
		}
		return found
	}), spec.AtEnd)
	s.It("a file stays the same when another user exports", func(ctx spec.Context) {
		ctx.Expect(seen.Await(ctx)).To(HoldItsRows())
	})
}

// turn fetches the file of the window once more, right after another user exported theirs, which can be fetched then.
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
