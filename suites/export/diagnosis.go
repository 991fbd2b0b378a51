package export

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// evidence is every export of the window's parts, and every row that any of them shows.
type evidence struct {
	sheets map[download]*sheet
	rows   []statement.Quote
	units  map[statement.Key]time.Duration
}

// diagnosis is the defect that explains what is wrong with the window's parts.
type diagnosis struct {
	*evidence
	defect *defect // nil: there is none
}

// fits reports whether the defect explains every row of an export, those that it holds and those that it does not.
func (e *evidence) fits(d defect, sh *sheet) bool {
	if d.only != "" && !slices.Contains(sh.query.partners(), d.only) {
		d = defect{}
	}
	a := sh.query.selection()
	there := make(map[string]bool, len(sh.rows))
	for _, q := range sh.rows {
		there[q.Identity] = true
		if d.keeps(q, a, e.units) < 0 {
			return false
		}
	}
	theirs := sh.query.header[target.HeaderTarget] != "" // of whose rows nothing else is known
	return d.lossy || theirs || !slices.ContainsFunc(e.rows, func(q statement.Quote) bool {
		return !there[q.Identity] && sh.absent(q, a.key) && d.keeps(q, a, e.units) > 0
	})
}

// partners lists what stands beside some of the exports.
func (e *evidence) partners() (names []string) {
	for _, sh := range e.sheets {
		names = append(names, sh.query.partners()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// explains reports whether the defect fits all exports.
func (e *evidence) explains(d defect) bool {
	return !slices.ContainsFunc(slices.Collect(maps.Values(e.sheets)), func(sh *sheet) bool { return !e.fits(d, sh) })
}

// selection reads the query's fields back.
func (q query) selection() selection {
	text := func(name string) string { s, _ := q.fields[name].(string); return s }
	bound := func(name string) time.Time {
		t, _ := time.Parse(time.RFC3339Nano, text(name)) // else open
		return t
	}
	return selection{
		key:  statement.Key(cmp.Or(text("sort"), string(statement.CreatedAt))),
		from: bound("date_start"), until: bound("date_end"), client: text("filter_text"),
	}
}

// gather waits for the exports of the window's parts. Those that cannot be read are left out.
func (s *Suite) gather(l look) *evidence {
	e := &evidence{sheets: map[download]*sheet{}, units: map[statement.Key]time.Duration{}}
	known := map[string]bool{}
	other := s.otherWallet(l)
	windows := []download{s.window, s.windowAsc, s.settled, s.settledAsc}
	for _, o := range slices.Concat(s.cuts.all(), windows, s.cuts.straddling, s.cuts.settled,
		[]download{s.client.until, s.client.after}) {
		if !o.Launched() {
			continue
		}
		sh, ok := l.rowsIfAny(o)
		if !ok {
			continue
		}
		a := sh.query.selection()
		if sh.dated(a.key) != nil || a.client != "" && !sh.table.Has(statement.ClientID) {
			continue
		}
		e.sheets[o] = sh
		for _, q := range sh.rows {
			if !known[q.Identity] && (other == nil || !other(q)) { // which wallet's rows there are is another rule
				known[q.Identity] = true
				e.rows = append(e.rows, q)
			}
		}
		for _, key := range sorts() {
			if unit := sh.table.Precision(key); e.units[key] == 0 || unit < e.units[key] {
				e.units[key] = unit
			}
		}
	}
	return e
}

// diagnose finds the defect that explains every export; none where there is nothing to explain, where no defect does,
// and where its own rules would not show it.
func (s *Suite) diagnose(l look) *diagnosis {
	found := &diagnosis{evidence: s.gather(l)}
	if l.Err() != nil {
		l.end(spec.Interrupted)
	}
	if found.explains(defect{}) {
		return found
	}
	explains := func(d defect) bool {
		return found.explains(d) && (d.zone && s.zoneless(l) || s.shows(l, found.evidence, d))
	}
	// What may explain any loss comes last, and its conditions before it stands alone.
	exact := slices.DeleteFunc(defects(), func(d defect) bool { return d.lossy })
	lossy := slices.DeleteFunc(defects(), func(d defect) bool { return !d.lossy })
	for _, group := range []struct {
		defects []defect
		beside  []string
	}{{exact, []string{""}}, {exact, found.partners()}, {lossy, found.partners()}, {lossy, []string{""}}} {
		for _, d := range group.defects {
			var fitting []string
			for _, d.only = range group.beside {
				if explains(d) {
					fitting = append(fitting, d.only)
				}
			}
			if d.lossy || len(fitting) > 1 {
				proven := slices.DeleteFunc(slices.Clone(fitting),
					func(only string) bool { return !s.takes(l, found.evidence, only) })
				d.unsure = len(proven) != 1
				if d.lossy || !d.unsure {
					fitting = proven
				}
			}
			if len(fitting) > 0 {
				if most, cut := found.cutAt(s.window, s.windowAsc); d.lossy && cut {
					d.what = fmt.Sprintf("cuts files after %d rows", most)
				}
				d.only = fitting[0]
				found.defect = &d
				return found
			}
		}
	}
	return found
}

// cutAt reports that one range in either order has other rows, but as many, and no export has more.
func (e *evidence) cutAt(falling, rising download) (most int, cut bool) {
	a, b := e.sheets[falling], e.sheets[rising]
	if a == nil || b == nil {
		return 0, false
	}
	for _, sh := range e.sheets {
		most = max(most, len(sh.rows))
	}
	return most, len(a.rows) == most && len(b.rows) == most && !statement.SameRows(a.rows, b.rows)
}

// takes reports whether an export whose rows are wrong is right without the partner, as another export shows. The empty
// partner is none.
func (s *Suite) takes(l look, e *evidence, only string) bool {
	sheets := slices.SortedFunc(maps.Values(e.sheets), func(a, b *sheet) int {
		return strings.Compare(a.query.label, b.query.label)
	})
	i := slices.IndexFunc(sheets, func(sh *sheet) bool {
		return !e.fits(defect{}, sh) && slices.Contains(sh.query.partners(), only)
	})
	if i < 0 {
		return only == ""
	}
	q, ok := sheets[i].query.without(only)
	if !ok {
		return false
	}
	sh := s.take(l, q)
	return sh.usable() == nil && e.fits(defect{}, sh)
}

// without is the query without a partner; false: it would ask for something else.
func (q query) without(name string) (query, bool) {
	field, value, _ := strings.Cut(name, " ")
	switch {
	case slices.ContainsFunc(q.company, func(p control.Partner) bool { return p.Name == name }):
		q.company = q.company.Without(name)
	case (field == "type_extension" || field == "order") && q.fields[field] == value:
		q.fields = q.fields.Without(field)
	default:
		return q, false
	}
	return q, true
}

// shows reports whether a rule that the defect breaks has an export whose rows are wrong: otherwise none would fail.
func (s *Suite) shows(l look, e *evidence, d defect) bool {
	return slices.ContainsFunc(d.rules, func(rule string) bool {
		var own []download
		switch rule {
		case ruleStart:
			own = []download{s.cuts.from[onRow], s.cuts.from[onShared], s.client.until, s.cuts.settled[0]}
		case ruleEnd:
			own = []download{s.cuts.until[onRow], s.cuts.until[onShared], s.client.until, s.cuts.settled[1]}
		case rulePrecision:
			return s.imprecise(l, e)
		case ruleFollows:
			own = slices.Concat(s.cuts.straddling, s.cuts.settled)
		case rulePartition:
			return e.parted(s.window, s.cuts.thirds[:]...) || e.hides(s.window, s.settled)
		}
		return e.exceeds(s.window, rule) || slices.ContainsFunc(own, func(o download) bool {
			sh := e.sheets[o]
			return sh != nil && !e.fits(defect{}, sh)
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

// exceeds reports a window that holds rows beyond the bound that a rule is about.
func (e *evidence) exceeds(o download, rule string) bool {
	sh := e.sheets[o]
	if sh == nil {
		return false
	}
	a := sh.query.selection()
	return slices.ContainsFunc(sh.rows, func(q statement.Quote) bool {
		m, unit := q.Moment(a.key), e.units[a.key]
		return rule == ruleStart && side(m, unit, a.from) < 0 || rule == ruleEnd && side(m, unit, a.until) > 0
	})
}

// parted reports parts that hold together other rows than the whole.
func (e *evidence) parted(whole download, parts ...download) bool {
	var rows []statement.Quote
	for _, o := range append(parts, whole) {
		if e.sheets[o] == nil {
			return false
		}
		if o != whole {
			rows = append(rows, e.sheets[o].rows...)
		}
	}
	return !statement.SameRows(rows, e.sheets[whole].rows)
}

// hides reports an export that lacks a row of its range which another export shows.
func (e *evidence) hides(o, another download) bool {
	if e.sheets[o] == nil || e.sheets[another] == nil {
		return false
	}
	a := e.sheets[o].query.selection()
	lacks := statement.Difference(e.sheets[another].rows, e.sheets[o].rows)
	return slices.ContainsFunc(lacks, func(q statement.Quote) bool { return defect{}.keeps(q, a, e.units) > 0 })
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
func (s *Suite) explained(l look, rule string, rows Rows, exports []download) (cause, only string) {
	if !strings.HasPrefix(rule, "export.isolation") && !strings.HasPrefix(rule, "export.target.") &&
		rule != "export.wallet.foreign" {
		s.notOurs(l, rows)
	}
	if rule == ruleFollows || rule == rulePartition {
		s.notOurWallet(l, rows)
	}
	if !strings.HasPrefix(rule, "export.range.") && rule != ruleClient || rows.Order != "" {
		return "", ""
	}
	found, err := s.diagnosis.Get(l)
	l.end(err)
	d := found.defect
	if d == nil {
		return "", ""
	}
	if d.only != "" && !d.unsure {
		only = "only with " + d.only
	}
	l.unclearIf(d.zone && s.zoneless(l),
		"the dates of the file carry no offset, and the deployment %s than they are read in; "+
			"check export.csv.time_zone in the deployment file", d.what)
	for _, o := range exports {
		if sh, ok := l.rowsIfAny(o); !ok || !found.fits(*d, sh) {
			return "", "" // what cannot be read is explained by nothing
		}
	}
	if !slices.Contains(d.rules, rule) {
		if !s.anyFails(l, d.rules) {
			return "", "" // nothing else would fail
		}
		l.end(spec.Explained(d.what, "the deployment %s, which explains these rows; see %s",
			strings.TrimSpace(d.what+" "+only), strings.Join(d.rules, " and ")))
	}
	return d.what, only
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
		"the export holds rows of another user; see export.isolation")
}

// notOurWallet ends the act where all that is wrong is about rows of another wallet in an export that names none.
func (s *Suite) notOurWallet(l look, rows Rows) {
	wrong := slices.Concat(rows.Missing, rows.Extra)
	other := s.otherWallet(l)
	if other == nil || len(wrong) == 0 || len(pick(wrong, other)) < len(wrong) || len(s.comparisons[ruleWallet]) == 0 {
		return
	}
	for _, compare := range s.comparisons[ruleWallet] {
		_, fails := compare(l)
		l.unclearIf(fails, "an export that names no wallet holds rows of another one; see %s", ruleWallet)
	}
}

// beyond returns the rows that are not among others, however often each is there.
func beyond(rows, others []statement.Quote) []statement.Quote {
	known := map[string]bool{}
	for _, q := range others {
		known[q.Identity] = true
	}
	return pick(rows, func(q statement.Quote) bool { return !known[q.Identity] })
}
