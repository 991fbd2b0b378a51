package export

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// look is how an act sees other exports. As with Await in a spec, what cannot be had ends the act, with the reason.
type look struct {
	context.Context
	instead map[download]*sheet // looked at in place of what was exported first
}

// over is what ends an act: it is recovered where the act began, in act.
type over struct {
	reason error
	value  any // what the act comes to where there is no reason
}

// act makes an observation's function of one that ends by itself where it cannot go on.
func act[T any](see func(l look) T) func(context.Context) (T, error) {
	return func(ctx context.Context) (value T, err error) {
		defer func() {
			if r := recover(); r != nil {
				ended, ok := r.(over)
				if !ok {
					panic(r)
				}
				if err = ended.reason; err == nil {
					value = ended.value.(T)
				}
			}
		}()
		return see(look{Context: ctx}), nil
	}
}

// end ends the act where there is a reason to.
func (l look) end(reason error) {
	if reason != nil {
		panic(over{reason: reason})
	}
}

// moot is what a comparison comes to that has nothing to look at.
func moot(why string, args ...any) Rows { return Rows{Moot: fmt.Sprintf(why, args...)} }

func (l look) unmet(key, why string, args ...any) { l.end(spec.Unmet(key, why, args...)) }
func (l look) unclear(why string, args ...any)    { l.end(spec.Unclear(why, args...)) }

func (l look) unmetIf(unmet bool, key, why string, args ...any) {
	if unmet {
		l.unmet(key, why, args...)
	}
}

func (l look) unclearIf(unclear bool, why string, args ...any) {
	if unclear {
		l.unclear(why, args...)
	}
}

// sheet waits for an export, whatever came of it.
func (l look) sheet(o download) *sheet {
	if sh := l.instead[o]; sh != nil {
		return sh
	}
	sh, err := o.Get(l)
	l.end(err)
	return sh
}

// rows waits for an export whose rows are needed.
func (l look) rows(o download) *sheet {
	sh := l.sheet(o)
	l.end(cmp.Or(sh.usable(), sh.complete()))
	return sh
}

// rowsIfAny is rows for an export that may be missing.
func (l look) rowsIfAny(o download) (*sheet, bool) {
	sh, ok := l.sheetIfAny(o)
	return sh, ok && cmp.Or(sh.usable(), sh.complete()) == nil
}

// sheetIfAny is sheet for an export that may be missing.
func (l look) sheetIfAny(o download) (*sheet, bool) {
	if sh := l.instead[o]; sh != nil {
		return sh, true
	}
	sh, err := o.Get(l)
	return sh, err == nil
}

// accepted is rows for a valid export: where it was refused, that is what the comparison found.
func (l look) accepted(o download, export, should string) *sheet {
	if sh := l.sheet(o); sh.refused {
		l.end(sh.variation)
		panic(over{value: Rows{Export: export, Should: should, Refused: target.Describe(sh.answer)}})
	}
	return l.rows(o)
}

// anything is rows for an export of which none are expected; false: it was refused, or its file holds nothing.
func (l look) anything(o download) (*sheet, bool) {
	sh := l.sheet(o)
	if sh.gaveNothing() {
		return sh, false
	}
	l.end(sh.fileless())
	return l.rows(o), true
}

// holds declares the spec of a comparison. find waits for the exports one after another: naming them here sends them
// all at once. Where it finds something wrong, the window is exported again: rows that changed while the run went on
// must not be taken for a violation. What another broken rule explains is not a violation of this one.
func (s *Suite) holds(name string, exports []download, find func(l look) Rows) {
	spec.Helper()
	s.hold(name, 1, exports, find)
}

// hold is holds for a comparison that is about the first n of the exports.
func (s *Suite) hold(name string, n int, exports []download, find func(l look) Rows) {
	spec.Helper()
	rule := s.Building()
	for _, e := range exports {
		s.Uses(e)
	}
	seen := spec.Observe(s.Plan, rule+": "+name, act(func(l look) compared {
		rows, err := act(find)(l)
		l.end(err)
		found := compared{Rows: rows}
		if !found.Right() {
			changed := s.changed(l, time.Now())
			if rule != ruleIsolation { // a row in the files of two users is, whatever changed
				s.unswapped(l, found.Rows, exports...)
				l.end(changed)
			}
			var proven, common []record.Setting
			found.Cause, proven = s.explained(l, rule, found.Rows, exports)
			found.Shared, common = s.shared(l, rule, found.Rows, exports[0])
			// partners that go together explain the same rows
			for _, found.only = range [][]record.Setting{s.alone(l, exports[0], found.Rows, find), proven, common} {
				if len(found.only) > 0 {
					break
				}
			}
		}
		return found
	}))
	compare := func(l look) (asked, wrong bool) {
		if !seen.Launched() {
			return false, false
		}
		found, err := seen.Get(l)
		return true, err == nil && !found.Right()
	}
	s.comparisons[rule] = append(s.comparisons[rule], compare)
	s.It(name, func(ctx spec.Context) {
		for _, e := range exports {
			e.Settled(ctx) // ahead of the comparison, which may only look at the window again: these are what to repeat
		}
		found := seen.Await(ctx)
		if found.Moot != "" {
			ctx.NotApplicable(found.Moot)
		}
		first, window := s.decides(ctx, exports)
		found.judge(ctx, first, window)
	})
}

// compared is what a comparison found, and which partner it takes to find that.
type compared struct {
	Rows
	only []record.Setting
}

// judge says what is wrong: decisive is the exchange that shows it, against that of the control; 0 stands for none.
func (c compared) judge(ctx spec.Context, decisive, control int) {
	ctx.Expect(c.Rows).To(ShownBy(Given(HoldItsRows(), c.only), decisive, control))
}

// decides is the first of the exports, which shows what is wrong, and the window's, which it is held against.
func (s *Suite) decides(ctx context.Context, exports []download) (first, window int) {
	seq := func(o download) int {
		if sh, ok := o.Settled(ctx); ok && sh.answer != nil {
			return sh.answer.Seq
		}
		return 0
	}
	first = seq(exports[0])
	if exports[0] != s.window && s.window.Launched() {
		window = seq(s.window)
	}
	return first, window
}

// rewatch remembers the last time that the window was looked at again.
type rewatch struct {
	mu      sync.Mutex
	started time.Time
	changed error // why exports cannot be compared; nil: they can
	form    int   // of the window's bounds that was used last
}

// changed looks at the window again, unless that was done since, and returns why exports cannot be compared where its
// rows are not those that the run began with.
func (s *Suite) changed(l look, since time.Time) error {
	s.again.mu.Lock()
	defer s.again.mu.Unlock()
	if s.again.started.Before(since) {
		started, changed := time.Now(), error(nil)
		for i, o := range []download{s.window, s.settled} {
			sort := sorts()[i]
			if !o.Launched() {
				continue
			}
			then, ok := l.rowsIfAny(o)
			if !ok {
				continue // it served no comparison
			}
			now := s.watch(l, sort)
			l.end(now.usable())
			l.unclearIf(now.fileID == then.fileID,
				"two exports of the window got the same file ID, so files cannot be distinguished; "+
					"see %s", spec.Ref("export.response.distinct_ids"))
			if changed == nil && !sameDated(then.rows, now.rows) {
				changed = s.unlike(l, now, sort)
			}
		}
		s.again.started, s.again.changed = started, changed
	}
	return s.again.changed
}

// unlike returns why the window holds other rows than it did. One more export right away separates a deployment that
// answers the same export differently from quotes that change.
func (s *Suite) unlike(l look, now *sheet, sort statement.Key) error {
	more := s.watch(l, sort)
	w := s.t.Deployment.Fixtures.Window
	if more.usable() == nil && !sameDated(now.rows, more.rows) && w != nil && w.End.Before(target.Clock(now.answer)) {
		return spec.Unclear(
			"two exports of the window, asked for one right after the other, hold other rows, and the " +
				"window is past: the deployment answers the same export differently, so exports cannot be compared")
	}
	return spec.Unclear("the quotes of the window changed during the run, or the deployment answers the same export " +
		"differently, so exports cannot be compared; choose a window whose quotes no longer change (fixtures.window)")
}

// watch exports the window once more: in the same words, and where those are refused, as they may be for being the
// same, in others.
func (s *Suite) watch(l look, sort statement.Key) *sheet {
	const forms = 4 // of each bound: none to nine digits
	fields := s.whole(sort)
	for tries := 0; ; tries++ {
		now := s.take(l, query{label: "the window again, to see whether it changed", fields: fields})
		if !now.refused || tries == forms {
			return now
		}
		s.again.form++
		fields = s.spelled(sort, s.again.form%forms, s.again.form/forms%forms).With("order", "asc")
	}
}

// sameDated reports whether both hold the same quotes with the same dates.
func sameDated(a, b []statement.Quote) bool {
	texts := func(rows []statement.Quote) []string {
		list := make([]string, len(rows))
		for i, q := range rows {
			list[i] = fmt.Sprintf("%q %q %q", q.Identity, q.CreatedAt.Text, q.SettledDate.Text)
		}
		slices.Sort(list)
		return list
	}
	return slices.Equal(texts(a), texts(b))
}
