package export

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/target"
)

// evidence is some exports of the window's parts, and every row that any of them shows.
type evidence struct {
	sheets   map[download]*sheet
	exhibits map[*sheet]*exhibit
	order    []*exhibit                 // those that speak against most defects first
	rows     map[bool][]statement.Quote // of the caller, and of the target user
	ours     map[string]bool            // identities of the rows that exports are compared with
	units    map[statement.Key]time.Duration
	hidden   bool // the window hides rows that an export without bounds shows
}

// exhibit is an export with what every defect is held against.
type exhibit struct {
	*sheet
	asked    selection
	partners []string
	lacking  []*statement.Quote // rows that other exports show, and that this one surely does not hold
	right    bool               // no defect is needed to explain it
	against  int                // the row that spoke against a defect last: it does against most
}

func (e *evidence) exhibit(sh *sheet) *exhibit {
	if x := e.exhibits[sh]; x != nil {
		return x
	}
	x := &exhibit{sheet: sh, asked: sh.query.selection(), partners: sh.query.partners()}
	rows, lacks := e.rows[sh.query.onBehalf()], e.lacks(sh)
	for i := range rows {
		if lacks(rows[i]) {
			x.lacking = append(x.lacking, &rows[i])
		}
	}
	x.against = e.contradiction(defect{}, x)
	x.right = x.against < 0
	return x
}

// lacks returns what reports that an export surely does not hold a row.
func (e *evidence) lacks(sh *sheet) func(statement.Quote) bool {
	there := make(map[string]bool, len(sh.rows))
	for i := range sh.rows {
		there[sh.rows[i].Identity] = true
	}
	sure := e.sure(sh)
	return func(q statement.Quote) bool { return !there[q.Identity] && sure(q) }
}

// sure returns what reports that a row which is not among those kept of a file is not in it. Of a file of which not all
// is kept, that is known for rows that exports are compared with.
func (e *evidence) sure(sh *sheet) func(statement.Quote) bool {
	absent, all := sh.absent(sh.query.selection().key), sh.table.Count() == sh.table.Kept()
	return func(q statement.Quote) bool { return (all || e.ours[q.Identity]) && absent(q) }
}

// contradiction finds a row that the defect does not explain, of those that an export holds and those that it does not;
// -1: it explains them all.
func (e *evidence) contradiction(d defect, x *exhibit) int {
	if d.only != "" && !slices.Contains(x.partners, d.only) {
		d = defect{}
	}
	reads, held := d.reads(x.asked, e.units), len(x.rows)
	contradicts := func(i int) bool {
		if i < held {
			return reads.keeps(&x.rows[i]) < 0
		}
		return !d.lossy && reads.keeps(x.lacking[i-held]) > 0
	}
	if x.against >= 0 && x.against < held+len(x.lacking) && contradicts(x.against) {
		return x.against
	}
	for i := range held + len(x.lacking) {
		if contradicts(i) {
			return i
		}
	}
	return -1
}

// fits reports whether the defect explains every row of an export, those that it holds and those that it does not.
func (e *evidence) fits(d defect, sh *sheet) bool { return e.contradiction(d, e.exhibit(sh)) < 0 }

// accounts reports whether the defect explains the wrong rows that an export is blamed for, of which the evidence may
// know nothing: rows that it lacks, and quotes that it holds although they have no date to which bounds could apply.
func (e *evidence) accounts(d defect, sh *sheet, wrong Rows) bool {
	if d.only != "" && !slices.Contains(sh.query.partners(), d.only) {
		d = defect{}
	}
	reads, lacks := d.reads(sh.query.selection(), e.units), e.lacks(sh)
	return !slices.ContainsFunc(beyond(wrong.Missing, e.rows[!sh.query.onBehalf()]), func(q statement.Quote) bool {
		return !d.lossy && lacks(q) && reads.keeps(&q) > 0
	}) && !slices.ContainsFunc(wrong.Extra, func(q statement.Quote) bool {
		held := slices.ContainsFunc(sh.rows, func(o statement.Quote) bool { return o.Identity == q.Identity })
		bounded := !reads.from.IsZero() || !reads.until.IsZero()
		return held && bounded && reads.key == statement.SettledDate && q.SettledDate.Text == ""
	})
}

// finest is the smallest unit that any date shows.
func (e *evidence) finest() (unit time.Duration) {
	for _, u := range e.units {
		if unit == 0 || u < unit {
			unit = u
		}
	}
	return unit
}

// partners lists what stands beside some of the exports.
func (e *evidence) partners() (names []string) {
	for _, sh := range e.sheets {
		names = append(names, sh.query.partners()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// explains reports whether the defect fits all exports. It is for diagnose alone: it notes what spoke against a defect.
func (e *evidence) explains(d defect) bool {
	for i, x := range e.order {
		if against := e.contradiction(d, x); against >= 0 {
			x.against = against
			copy(e.order[1:i+1], e.order[:i])
			e.order[0] = x
			return false
		}
	}
	return true
}

// sound reports whether all exports are right.
func (e *evidence) sound() bool {
	return !slices.ContainsFunc(e.order, func(x *exhibit) bool { return !x.right })
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

// onBehalf reports a query whose rows are those of the target user.
func (q query) onBehalf() bool { return q.header[target.HeaderTarget] != "" }

// core lists the exports that most rules about bounds rest on, and wider those that one of them looks at.
func (s *Suite) core() []download {
	return slices.Concat(s.cuts.all(), []download{s.window, s.windowAsc, s.settled, s.settledAsc}, s.cuts.straddling,
		s.cuts.settled, []download{s.client.until, s.client.after})
}

func (s *Suite) wider() []download {
	return slices.Concat(s.core(), s.selected,
		[]download{s.target.window, s.target.between, s.target.settled, s.target.until, s.target.from})
}

// gather waits for exports. Those that cannot be read are left out. With unbounded, rows of the window that only an export
// without bounds shows are known as well.
func (s *Suite) gather(l look, exports []download, unbounded bool) *evidence {
	e := &evidence{
		sheets: map[download]*sheet{}, exhibits: map[*sheet]*exhibit{}, rows: map[bool][]statement.Quote{},
		ours: s.scope.compared(), units: map[statement.Key]time.Duration{},
	}
	known := map[bool]map[string]bool{true: {}, false: {}}
	other := s.otherWallet(l)
	for _, o := range exports {
		if !o.Launched() {
			continue
		}
		sh, ok := l.rowsIfAny(o)
		if !ok {
			continue
		}
		a := sh.query.selection()
		if sh.dated(a.key) != nil || a.client != "" && (!sh.table.Has(statement.ClientID) || overfull(sh)) {
			continue // what a filter keeps is another rule
		}
		e.sheets[o] = sh
		for _, q := range sh.rows {
			whose := sh.query.onBehalf()
			// Which wallet's rows there are is another rule.
			if !known[whose][q.Identity] && (whose || other == nil || !other(q)) {
				known[whose][q.Identity] = true
				e.rows[whose] = append(e.rows[whose], q)
			}
		}
		for _, key := range sorts() {
			if unit := sh.table.Precision(key); e.units[key] == 0 || unit < e.units[key] {
				e.units[key] = unit
			}
		}
	}
	if unbounded && e.sheets[s.window] != nil && s.bare.settled.Launched() {
		found, err := act(s.hiddenUnsettled)(l)
		e.hidden = err == nil && len(found.Missing) > 0
		if err == nil {
			e.rows[false] = append(e.rows[false], beyond(found.Missing, e.rows[false])...)
		}
	}
	for _, sh := range e.byLabel() {
		e.exhibits[sh] = e.exhibit(sh)
		e.order = append(e.order, e.exhibits[sh])
	}
	return e
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

// without is the query without a partner; false: it would ask for something else.
func (q query) without(name string) (query, bool) {
	field, value, _ := strings.Cut(name, " ")
	switch {
	case slices.ContainsFunc(q.company, func(p control.Partner) bool { return p.String() == name }):
		q.company = q.company.Without(name)
	case name == target.HeaderTarget && q.onBehalf():
		q.header = map[string]string{target.HeaderProduct: q.header[target.HeaderProduct]}
	case (field == "type_extension" || field == "order") && q.fields[field] == value:
		q.fields = q.fields.Without(field)
	default:
		return q, false
	}
	return q, true
}

// lost lists the rows that an export should hold and surely does not.
func (e *evidence) lost(sh *sheet) (rows []statement.Quote) {
	x := e.exhibit(sh)
	reads := defect{}.reads(x.asked, e.units)
	for _, q := range x.lacking {
		if reads.keeps(q) > 0 {
			rows = append(rows, *q)
		}
	}
	return rows
}

// losesBehindStarts reports whether all lost rows are those just after the start, which is a defect of its own.
func (e *evidence) losesBehindStarts() bool {
	return !slices.ContainsFunc(e.order, func(x *exhibit) bool {
		lost := e.lost(x.sheet)
		return len(lost) > 0 && !justBehind(x.sheet, lost)
	})
}

// loses names what the rows that exports lose have in common; empty: nothing.
func (e *evidence) loses() string {
	undated, first, last, tied := true, true, true, true
	for _, sh := range e.sheets {
		lost, key := e.lost(sh), sh.query.selection().key
		at := func(q statement.Quote) time.Time { return q.Moment(key).Time }
		for i, q := range lost {
			same := func(o statement.Quote) bool { return at(o).Equal(at(q)) }
			undated = undated && !q.SettledDate.Usable()
			tied = tied && (slices.ContainsFunc(sh.rows, same) || slices.ContainsFunc(slices.Delete(slices.Clone(lost), i, i+1), same))
		}
		if len(lost) == 0 {
			continue
		}
		earliest, latest := len(lost) == 1, len(lost) == 1
		for i := range sh.rows {
			earliest = earliest && !at(sh.rows[i]).Before(at(lost[0]))
			latest = latest && !at(sh.rows[i]).After(at(lost[0]))
		}
		if sh.query.fields["order"] != "asc" {
			earliest, latest = latest, earliest
		}
		first, last = first && earliest, last && latest
	}
	switch {
	case undated:
		return "loses rows without a settled_date"
	case first:
		return "loses the first row"
	case last:
		return "loses the last row"
	case tied:
		return "loses rows that share their date with others"
	}
	return ""
}

// disorderly reports a file that is not in falling order of the date that it was sorted by.
func (e *evidence) disorderly(o download) bool {
	sh := e.sheets[o]
	return sh != nil && Disorder(sh.rows, sh.query.selection().key, false) != ""
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
	reads := defect{}.reads(e.sheets[o].query.selection(), e.units)
	lacks := pick(statement.Difference(e.sheets[another].rows, e.sheets[o].rows), e.sure(e.sheets[o]))
	return slices.ContainsFunc(lacks, func(q statement.Quote) bool { return reads.keeps(&q) > 0 })
}

// beyond returns the rows that are not among others, however often each is there.
func beyond(rows, others []statement.Quote) []statement.Quote {
	known := map[string]bool{}
	for _, q := range others {
		known[q.Identity] = true
	}
	return pick(rows, func(q statement.Quote) bool { return !known[q.Identity] })
}
