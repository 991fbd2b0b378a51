package export

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/target"
)

// evidence is some exports of the window's parts, and every row that any of them shows.
type evidence struct {
	sheets map[download]*sheet
	rows   map[bool][]statement.Quote // of the caller, and of the target user
	units  map[statement.Key]time.Duration
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
	absent := sh.absent(a.key)
	return d.lossy || !slices.ContainsFunc(e.rows[sh.query.onBehalf()], func(q statement.Quote) bool {
		return !there[q.Identity] && d.keeps(q, a, e.units) > 0 && absent(q)
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

// gather waits for exports. Those that cannot be read are left out.
func (s *Suite) gather(l look, exports []download) *evidence {
	e := &evidence{
		sheets: map[download]*sheet{}, rows: map[bool][]statement.Quote{}, units: map[statement.Key]time.Duration{},
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
	case slices.ContainsFunc(q.company, func(p control.Partner) bool { return p.Name == name }):
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

// beyond returns the rows that are not among others, however often each is there.
func beyond(rows, others []statement.Quote) []statement.Quote {
	known := map[string]bool{}
	for _, q := range others {
		known[q.Identity] = true
	}
	return pick(rows, func(q statement.Quote) bool { return !known[q.Identity] })
}
