package export

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// diagnosis is the defect that explains what is wrong with the window's parts.
type diagnosis struct {
	*evidence
	defect *defect // nil: there is none
}

// diagnose finds the defect that explains every export; none where there is nothing to explain, where no defect does,
// and where its own rules would not show it. What explains all that rules look at goes before what explains the core of
// it: something else may be wrong with the rest.
func (s *Suite) diagnose(l look) *diagnosis {
	core, wider, lost := s.gather(l, s.core(), false), s.gather(l, s.wider(), false), s.gather(l, s.core(), true)
	if l.Err() != nil {
		l.end(spec.Interrupted)
	}
	// What may explain any loss comes last, and its conditions before it stands alone.
	all := defects(wider.finest())
	exact := slices.DeleteFunc(slices.Clone(all), func(d defect) bool { return d.lossy })
	lossy := slices.DeleteFunc(all, func(d defect) bool { return !d.lossy })
	always := []string{""}
	for _, group := range []struct {
		of      *evidence
		defects []defect
		beside  []string
	}{
		{wider, exact, always},
		{wider, exact, wider.partners()},
		{core, exact, always},
		{core, exact, core.partners()},
		{lost, lossy, lost.partners()},
		{lost, lossy, always},
	} {
		if group.of.sound() {
			continue
		}
		var rough *defect
		for _, d := range group.defects {
			switch {
			case l.Err() != nil:
				l.end(spec.Interrupted)
			case !s.explainedBy(l, group.of, &d, group.beside):
			case s.confirmed(l, group.of, d):
				return &diagnosis{evidence: group.of, defect: &d}
			case rough == nil:
				rough = &d
			}
		}
		if rough != nil {
			rough.what = "reads bounds less exactly than the file shows"
			return &diagnosis{evidence: group.of, defect: rough}
		}
	}
	return &diagnosis{evidence: core}
}

// explainedBy reports whether the defect explains all exports, and notes the partner that it takes.
func (s *Suite) explainedBy(l look, e *evidence, d *defect, beside []string) bool {
	var fitting []string
	for _, d.only = range beside {
		if e.explains(*d) && (d.zone && s.zoneless(l) || s.shows(l, e, *d)) {
			fitting = append(fitting, d.only)
		}
	}
	if d.lossy || len(fitting) > 1 {
		proven := slices.DeleteFunc(slices.Clone(fitting), func(only string) bool { return !s.takes(l, e, only) })
		d.unsure = len(proven) != 1
		if d.lossy || !d.unsure {
			fitting = proven
		}
	}
	if len(fitting) == 0 || d.lossy && e.losesBehindStarts() || d.swaps && !e.disorderly(s.window) {
		return false
	}
	d.only = fitting[0]
	if most, cut := e.cutAt(s.window, s.windowAsc); d.lossy && cut {
		d.what = fmt.Sprintf("cuts files after %d rows", most)
	} else if d.lossy {
		d.what = cmp.Or(e.loses(), d.what)
	}
	if d.only == "" && !d.lossy && !d.zone && s.takes(l, e, extensionCSV) {
		d.only = extensionCSV // which nearly all exports have
	}
	return true
}

const extensionCSV, bySettled = "type_extension CSV", "sort settled_date"

// byLabel lists the exports in an order that is the same in each run.
func (e *evidence) byLabel() []*sheet {
	return slices.SortedFunc(maps.Values(e.sheets), func(a, b *sheet) int {
		return strings.Compare(a.query.label, b.query.label)
	})
}

// takes reports whether an export whose rows are wrong is right without the partner, as another export shows. The empty
// partner is none.
func (s *Suite) takes(l look, e *evidence, only string) bool {
	sheets := e.byLabel()
	if only == bySettled { // without it, an export asks for something else: those by the other sort speak for it
		return slices.ContainsFunc(sheets, func(sh *sheet) bool {
			x := e.exhibit(sh)
			return x.right && len(x.rows) > 0 && !slices.Contains(x.partners, only)
		})
	}
	i := slices.IndexFunc(sheets, func(sh *sheet) bool {
		x := e.exhibit(sh)
		return !x.right && slices.Contains(x.partners, only)
	})
	if i < 0 {
		return only == ""
	}
	q, ok := sheets[i].query.without(only)
	if !ok {
		return false
	}
	sh := s.take(l, q)
	return sh.usable() == nil && e.exhibit(sh).right
}

// shows reports whether a rule that the defect breaks has an export whose rows are wrong: otherwise none would fail.
func (s *Suite) shows(l look, e *evidence, d defect) bool {
	return slices.ContainsFunc(d.rules, func(rule string) bool {
		var own []download
		switch rule {
		case ruleStart:
			own = []download{
				s.cuts.from[onRow], s.cuts.from[onShared], s.client.until, s.cuts.settled[0], s.target.between,
			}
		case ruleEnd:
			own = []download{
				s.cuts.until[onRow], s.cuts.until[onShared], s.client.until, s.client.after, s.cuts.settled[1],
				s.target.between,
			}
		case rulePrecision:
			if s.imprecise(l, e) {
				return true
			}
			own = []download{s.client.after, s.target.until, s.target.from}
		case ruleFollows:
			own = slices.Concat(s.cuts.straddling, s.cuts.settled, []download{s.target.settled})
		case ruleOpen:
			return slices.ContainsFunc(e.order, func(x *exhibit) bool {
				return !x.right && x.asked.from.IsZero() != x.asked.until.IsZero()
			})
		case rulePartition:
			return e.hidden || e.parted(s.window, s.cuts.thirds[:]...) || e.hides(s.window, s.settled) ||
				e.hides(s.windowAsc, s.window) || e.hides(s.window, s.windowAsc)
		}
		return e.exceeds(s.window, rule) || slices.ContainsFunc(own, func(o download) bool {
			sh := e.sheets[o]
			return sh != nil && !e.exhibit(sh).right
		})
	})
}

// imprecise reports bounds just after a row that do not work to the unit that the file shows.
func (s *Suite) imprecise(l look, e *evidence) bool {
	for _, just := range []struct {
		part part
		seen download
	}{{from(justAfter), s.cuts.from[afterRow]}, {until(justAfter), s.cuts.until[afterRow]}} {
		g, err := act(func(l look) *ground { return s.lay(l, just.part) })(l)
		sh := e.sheets[just.seen]
		if err != nil || sh == nil {
			continue
		}
		found := within("", sh, g.rows, g.judged)
		isNear := func(q statement.Quote) bool { return near(g, q) }
		if slices.ContainsFunc(slices.Concat(found.Missing, found.Extra), isNear) {
			return true
		}
	}
	return false
}

// zoneless reports dates whose zone only the deployment file knows.
func (s *Suite) zoneless(l look) bool {
	sh, ok := l.rowsIfAny(s.window)
	if !ok {
		return false
	}
	return sh.table.Bare()
}

// explained returns the defect that explains wrong rows to the last one, where there is one that breaks the rule, and
// the partner that it takes. It ends the act where the defect breaks other rules, so that the rows say nothing about
// this one.
func (s *Suite) explained(l look, rule string, rows Rows, exports []download) (cause string, only []record.Setting) {
	besides := rule == ruleMethod || rule == ruleLanguage // where no other rule is judged beside the partner
	if !strings.HasPrefix(rule, "export.isolation") && !strings.HasPrefix(rule, "export.target.") &&
		rule != ruleForeign && !besides {
		s.notOurs(l, rows)
	}
	if rule == ruleFollows || rule == rulePartition || besides {
		s.notOurWallet(l, rows)
	}
	if rule == ruleMethod {
		s.notOwn(l, rows)
	}
	if besides {
		return "", nil
	}
	if rows.Order != "" && strings.HasPrefix(rule, "export.order.") {
		s.notExchanged(l)
	}
	comparable := []string{"export.range.", "export.header.", "export.default.", ruleClient}
	if rows.Order != "" || !slices.ContainsFunc(comparable, func(p string) bool { return strings.HasPrefix(rule, p) }) {
		return "", nil
	}
	found, err := s.diagnosis.Get(l)
	l.end(err)
	d := found.defect
	if d == nil || strings.HasPrefix(rule, "export.default.") && strings.HasPrefix(d.only, "no ") {
		return "", nil // what is wrong without a field is the rule of its default
	}
	if d.only != "" && !d.unsure {
		only = settings(d.only)
	}
	l.unclearIf(d.zone && s.zoneless(l),
		"the dates of the file carry no offset, and the deployment %s than they are read in; "+
			"check export.csv.time_zone in the deployment file", d.what)
	for _, o := range exports {
		if sh, ok := l.rowsIfAny(o); !ok || !found.fits(*d, sh) || !found.accounts(*d, sh, rows) {
			return "", nil // what cannot be read is explained by nothing
		}
	}
	if !slices.Contains(d.rules, rule) {
		if !s.anyFails(l, d.rules) {
			return "", nil // nothing else would fail
		}
		l.end(spec.Explained(d.what, "the deployment %s, which explains these rows; see %s",
			d.what+record.OnlyWith(only), spec.Ref(d.rules...)))
	}
	return d.what, only
}

// notExchanged ends the act where files show the two dates in each other's place, which explains any order.
func (s *Suite) notExchanged(l look) {
	found, err := s.diagnosis.Get(l)
	l.end(err)
	if d := found.defect; d != nil && d.swaps {
		l.end(spec.Explained(d.what, "the deployment %s, which explains the order; see %s", d.what, spec.Ref(d.rules[0])))
	}
}

// anyFails waits for the comparisons of some rules, and reports whether one of them found something wrong. So it may
// where the run was not asked for all of them. None of the rules may be excused by the defect that breaks them.
func (s *Suite) anyFails(l look, rules []string) bool {
	all := true
	for _, rule := range rules {
		all = all && len(s.comparisons[rule]) > 0
		for _, compare := range s.comparisons[rule] {
			asked, wrong := compare(l)
			if wrong {
				return true
			}
			all = all && asked
		}
	}
	return !all
}

// notOurs ends the act where all that is wrong is rows of the other user, which is another rule's matter.
func (s *Suite) notOurs(l look, rows Rows) {
	if len(rows.Extra) == 0 || len(rows.Missing) > 0 {
		return
	}
	l.unclearIf(len(beyond(rows.Extra, s.knownTheirs(l))) == 0,
		"the export holds rows of another user; see %s", spec.Ref("export.isolation"))
}

// notFiltered ends the act where an export of one client lacks rows, which exports of one client do anyway.
func (s *Suite) notFiltered(l look, rows Rows, got *sheet) {
	if len(rows.Missing) == 0 || got.query.selection().client == "" {
		return
	}
	for _, compare := range s.comparisons[ruleClient] {
		_, fails := compare(l)
		l.unclearIf(fails, "exports of one client lack rows; see %s", spec.Ref(ruleClient))
	}
}

// notOwn ends the act where an export of our own holds rows more, and they are known to be another user's.
func (s *Suite) notOwn(l look, rows Rows) {
	for _, compare := range s.comparisons[ruleOwn] {
		_, fails := compare(l)
		l.unclearIf(fails && len(rows.Extra) > 0 && len(rows.Missing) == 0,
			"the export holds rows of another user; see %s", spec.Ref(ruleOwn))
	}
}

// notOurWallet ends the act where all that is wrong is about rows of another wallet in an export that names none.
func (s *Suite) notOurWallet(l look, rows Rows) {
	wrong := slices.Concat(rows.Missing, rows.Extra)
	other := s.otherWallet(l)
	if other == nil || len(wrong) == 0 || !every(wrong, other) || len(s.comparisons[ruleWallet]) == 0 {
		return
	}
	for _, compare := range s.comparisons[ruleWallet] {
		_, fails := compare(l)
		l.unclearIf(fails, "an export that names no wallet holds rows of another one; see %s", spec.Ref(ruleWallet))
	}
}
