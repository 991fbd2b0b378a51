package export

import (
	"cmp"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// declareSwaps declares what reports that files of two users take each other's place: fetched again, a file holds other
// rows than before, and some that a file of the other user holds. While other exports come in between, that takes some
// turns, the later ones further apart: by then the run has sent most of what it sends.
func (s *Suite) declareSwaps() {
	s.swaps = spec.Observe(s.Plan, "files of two users, fetched in turns", act(func(l look) bool {
		const (
			turns = 10
			pause = 50 * time.Millisecond // longer by this for each turn
		)
		ours, theirs := []*sheet{l.rows(s.window)}, []*sheet{l.rows(s.theirs)}
		differ := func(a, b *sheet) bool { return !statement.SameRows(a.rows, b.rows) }
		for i := range turns {
			target.Wait(l, time.Duration(i)*pause)
			mine, other := s.turn(l, i+1)
			l.end(cmp.Or(mine.usable(), other.usable()))
			ours, theirs = append(ours, mine), append(theirs, other)
			shared := slices.ContainsFunc(ours, func(a *sheet) bool {
				return slices.ContainsFunc(theirs, func(b *sheet) bool { return len(common(a.rows, b.rows)) > 0 })
			})
			if shared && (differ(ours[0], mine) || differ(theirs[0], other)) {
				return true
			}
		}
		return false
	}))
}

// turn fetches the file of the window once more, right after another user exported theirs, and then that one. The
// number keeps its export from being taken for an earlier one.
func (s *Suite) turn(l look, number int) (ours, theirs *sheet) {
	const spelled = 5 // in how many ways the other user's window was asked for before, at most
	first := l.rows(s.window)
	number += spelled
	q := s.spelling(query{
		label: "the window of another user, before a file of this user's is fetched again", brief: first.query.brief,
		fields: s.spelled(statement.CreatedAt, number/4%4, number%4), as: s.t.Deployment.Credentials.OtherUser,
	})
	x := s.start(l, q)
	l.end(s.t.Usable(l, x))
	l.unmetIf(x.Refusal(), "", "the other user's window is refused when it is asked for once more (%s)",
		target.Describe(x))
	ours = s.finish(l, first.query, first.answer)
	return ours, s.finish(l, q, x)
}

// unswapped ends the act where a comparison found something wrong, rows that files of the other user hold are in it or
// in what was compared, and files of two users take each other's place: then nothing is known of any file.
func (s *Suite) unswapped(l look, found Rows, compared ...download) {
	other := s.t.Deployment.Credentials.OtherUser
	rows := slices.Concat(found.Missing, found.Extra)
	for _, o := range append(compared, s.window) {
		if sh, ok := l.rowsIfAny(o); ok && sh.query.as != other && len(sh.query.header) == 0 {
			rows = append(rows, sh.rows...)
		}
	}
	s.mu.Lock()
	foreign := slices.ContainsFunc(s.taken, func(sh *sheet) bool {
		return sh.query.as == other && len(common(rows, sh.rows)) > 0
	})
	s.mu.Unlock()
	if !foreign {
		return
	}
	if swapped, err := s.swaps.Get(l); err == nil && swapped {
		l.end(spec.Explained(othersRows,
			"the files of two users are swapped, which explains these rows; see %s", spec.Ref("export.isolation")))
	}
}

// notSwapped declares the spec that a file stays what it is when another user exports.
func (s *Suite) notSwapped() {
	spec.Helper()
	s.Uses(s.theirs, s.window)
	seen := spec.Observe(s.Plan, "a file, fetched again after another user exported", act(func(l look) Rows {
		found := Rows{
			Export: "the file of the window, fetched again after another user exported",
			Should: "the rows that it held", Strange: "row of another user", Shared: othersRows,
		}
		if again := s.fetchedAgain; again != nil && again.Launched() {
			again.Ended(l) // which exports as well
		}
		ours, theirs := s.turn(l, 0)
		if ours.fault != nil && (lost(ours.fault) || ours.fault.NoFile()) {
			return found // a file that is there only once shows nobody else's rows: see export.file.again
		}
		l.end(cmp.Or(ours.usable(), theirs.usable()))
		found.Held = len(ours.rows)
		found.Extra = beyond(common(ours.rows, theirs.rows), l.rows(s.window).rows)
		return found
	}), spec.OfAll)
	s.It("a file stays the same when another user exports", func(ctx spec.Context) {
		ctx.Expect(seen.Await(ctx)).To(HoldItsRows())
	})
}
