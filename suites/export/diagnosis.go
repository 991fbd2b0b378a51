package export

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// evidence is every export of the window's parts, and every row that any of them shows.
type evidence struct {
	sheets map[*seen]*sheet
	rows   []statement.Quote
	units  map[statement.Key]time.Duration
}

// fits tells whether the defect explains every row of an export, those that it holds and those that it does not.
func (e *evidence) fits(d defect, sh *sheet) bool {
	a := sh.wish.asked()
	there := make(map[string]bool, len(sh.rows))
	for _, q := range sh.rows {
		there[q.Identity] = true
		if d.keeps(q, a, e.units) < 0 {
			return false
		}
	}
	return d.lossy || !slices.ContainsFunc(e.rows, func(q statement.Quote) bool { return !there[q.Identity] && d.keeps(q, a, e.units) > 0 })
}

// asked reads the wish's fields back.
func (w wish) asked() asked {
	text := func(name string) string { s, _ := w.fields[name].(string); return s }
	bound := func(name string) time.Time {
		t, err := time.Parse(time.RFC3339Nano, text(name))
		if err != nil {
			return time.Time{}
		}
		return t
	}
	a := asked{key: statement.CreatedAt, from: bound("date_start"), until: bound("date_end"), client: text("filter_text")}
	if text("sort") == string(statement.SettledDate) {
		a.key = statement.SettledDate
	}
	return a
}

// gather waits for the exports of the window's parts. Those that cannot be read are left out.
func (s *suite) gather(ctx context.Context) *evidence {
	e := &evidence{sheets: map[*seen]*sheet{}, units: map[statement.Key]time.Duration{}}
	known := map[string]bool{}
	for _, o := range slices.Concat(s.cuts.all(), []*seen{s.first, s.createdAsc, s.settled, s.settledAsc}, s.cuts.straddling) {
		sh, err := read(ctx, o)
		if err != nil || sh.dated(sh.wish.asked().key) != nil {
			continue
		}
		e.sheets[o] = sh
		for _, q := range sh.rows {
			if !known[q.Identity] {
				known[q.Identity] = true
				e.rows = append(e.rows, q)
			}
		}
		for _, key := range []statement.Key{statement.CreatedAt, statement.SettledDate} {
			if unit := sh.table.Precision(key); e.units[key] == 0 || unit < e.units[key] {
				e.units[key] = unit
			}
		}
	}
	return e
}

// diagnose finds the defect that explains every export; none where there is nothing to explain, where no defect does, and
// where its own rules would not show it.
func (s *suite) diagnose(ctx context.Context) (*diagnosis, error) {
	e := s.gather(ctx)
	if ctx.Err() != nil {
		return nil, spec.Interrupted
	}
	explains := func(d defect) bool {
		for _, sh := range e.sheets {
			if !e.fits(d, sh) {
				return false
			}
		}
		return true
	}
	found := &diagnosis{evidence: e}
	if explains(defect{}) {
		return found, nil
	}
	for _, d := range defects() {
		if explains(d) && (d.zone && s.zoneless(ctx) || s.shows(ctx, e, d)) {
			found.defect = &d
			return found, nil
		}
	}
	return found, nil
}

// shows tells whether a rule that the defect breaks has an export whose rows are wrong: otherwise none would fail.
func (s *suite) shows(ctx context.Context, e *evidence, d defect) bool {
	return slices.ContainsFunc(d.rules, func(rule string) bool {
		var own []*seen
		switch rule {
		case ruleStart:
			own = []*seen{s.cuts.fromOwn, s.cuts.fromShared}
		case ruleEnd:
			own = []*seen{s.cuts.untilOwn, s.cuts.untilShared}
		case rulePrecision:
			return s.imprecise(ctx, e)
		case ruleFollows:
			own = s.cuts.straddling
		case rulePartition:
			return e.parted(s.cuts.untilMiddle, s.cuts.fromMiddle, s.first) || e.hides(s.first, s.settled)
		}
		return e.exceeds(s.first, rule) || slices.ContainsFunc(own, func(o *seen) bool { sh := e.sheets[o]; return sh != nil && !e.fits(defect{}, sh) })
	})
}

// imprecise tells bounds just after a row that do not work to the unit that the file shows.
func (s *suite) imprecise(ctx context.Context, e *evidence) bool {
	w, c, err := s.points(ctx)
	if err != nil || c.justAfter.missing != "" {
		return false
	}
	at := c.justAfter.at
	wrong := func(o *seen, sp span) bool {
		sh := e.sheets[o]
		return sh != nil && !near(within("", sh, w.rows, w.key, w.unit, sp), w, at).Right()
	}
	return wrong(s.cuts.fromAfter, span{from: at}) || wrong(s.cuts.untilAfter, span{until: at})
}

// exceeds tells a window that holds rows beyond the bound that a rule is about.
func (e *evidence) exceeds(o *seen, rule string) bool {
	sh := e.sheets[o]
	if sh == nil {
		return false
	}
	a := sh.wish.asked()
	return slices.ContainsFunc(sh.rows, func(q statement.Quote) bool {
		m, unit := q.Moment(a.key), e.units[a.key]
		return rule == ruleStart && side(m, unit, a.from) < 0 || rule == ruleEnd && side(m, unit, a.until) > 0
	})
}

// parted tells two parts that hold together other rows than the whole.
func (e *evidence) parted(a, b, whole *seen) bool {
	if e.sheets[a] == nil || e.sheets[b] == nil || e.sheets[whole] == nil {
		return false
	}
	return !statement.SameRows(slices.Concat(e.sheets[a].rows, e.sheets[b].rows), e.sheets[whole].rows)
}

// hides tells an export that lacks a row of its range which another export shows.
func (e *evidence) hides(o, another *seen) bool {
	if e.sheets[o] == nil || e.sheets[another] == nil {
		return false
	}
	a := e.sheets[o].wish.asked()
	return slices.ContainsFunc(statement.Difference(e.sheets[another].rows, e.sheets[o].rows), func(q statement.Quote) bool {
		return defect{}.keeps(q, a, e.units) > 0
	})
}

// diagnosis is the defect that explains what is wrong with the window's parts.
type diagnosis struct {
	*evidence
	defect *defect // nil: there is none
}

// zoneless tells dates whose zone only the deployment file knows.
func (s *suite) zoneless(ctx context.Context) bool {
	sh, err := read(ctx, s.first)
	if err != nil {
		return false
	}
	table, err := sh.csv.Bind(s.t.Deployment.Export.CSV.Columns, nil)
	return err == nil && table.NeedsZone()
}

// explained tells why wrong rows say nothing about a rule: the rules that the deployment was seen to break explain them
// to the last row.
func (s *suite) explained(ctx context.Context, rule string, rows []matchers.Rows, exports []spec.Awaited) error {
	if !strings.HasPrefix(rule, "export.range.") && rule != ruleClient || slices.ContainsFunc(rows, func(r matchers.Rows) bool { return r.Order != "" || r.Refused != "" }) {
		return nil
	}
	found, err := s.diagnosis.Get(ctx)
	if err != nil || found.defect == nil {
		return err
	}
	if found.defect.zone && s.zoneless(ctx) {
		return spec.Unclear("the dates of the file carry no offset, and the deployment %s than they are read in; check export.csv.time_zone in the deployment file", found.defect.what)
	}
	if slices.Contains(found.defect.rules, rule) {
		return nil
	}
	if len(exports) == 0 {
		exports = []spec.Awaited{s.first}
	}
	for _, o := range exports {
		o, ok := o.(*seen)
		if !ok {
			continue
		}
		sh, err := read(ctx, o)
		if err != nil || !found.fits(*found.defect, sh) {
			return nil //nolint:nilerr // what cannot be read is explained by nothing
		}
	}
	return spec.Unclear("the deployment %s, which explains these rows; see %s", found.defect.what, strings.Join(found.defect.rules, " and "))
}
