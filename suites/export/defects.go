package export

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/plan"
)

// A deployment that keeps rows on the end does so wherever an end is given: in the parts of a split, in a filtered
// export, by either sort. Each of those checks sees wrong rows, and one rule is broken. So where a comparison is wrong,
// the ways in which bounds are commonly mistaken are held against all exports of the window's parts. One that explains
// every row of all of them tells which rule to blame.

// asked is what an export was asked to select.
type asked struct {
	key         statement.Key
	from, until time.Time // zero: open
	client      string    // empty: every client
}

// defect is a way to select other rows than documented, and the rules that it breaks.
type defect struct {
	what   string // of the deployment: "keeps rows dated on the end"
	rules  []string
	change func(a asked, unit time.Duration) asked // what is selected instead; nil: the same
	cut    time.Duration                           // dates and bounds are compared in whole units of this; 0: exactly
	lossy  bool                                    // rows of the range may be absent
	zone   bool                                    // a mistaken time zone: where dates carry no offset, it may be ours
}

const (
	ruleStart, ruleEnd         = "export.range.start_inclusive", "export.range.end_exclusive"
	rulePartition, ruleFollows = "export.range.partition", "export.range.follows_sort"
	rulePrecision              = "export.range.precision"
	ruleClient                 = "export.filter.client_id"
)

// defects lists the common ones, those that explain the most exactly first.
func defects() []defect {
	bounds := func(from, until func(t time.Time, unit time.Duration) time.Time) func(asked, time.Duration) asked {
		return func(a asked, unit time.Duration) asked {
			if from != nil && !a.from.IsZero() {
				a.from = from(a.from, unit)
			}
			if until != nil && !a.until.IsZero() {
				a.until = until(a.until, unit)
			}
			return a
		}
	}
	ignored := func(time.Time, time.Duration) time.Time { return time.Time{} }
	by := func(key func(statement.Key) statement.Key) func(asked, time.Duration) asked {
		return func(a asked, _ time.Duration) asked { a.key = key(a.key); return a }
	}
	always := func(key statement.Key) func(asked, time.Duration) asked {
		return by(func(statement.Key) statement.Key { return key })
	}
	all := []defect{
		{what: "drops rows dated on the start", rules: []string{ruleStart}, change: bounds(next, nil)},
		{what: "keeps rows dated on the end", rules: []string{ruleEnd}, change: bounds(nil, next)},
		{what: "drops rows dated on the start and keeps those on the end", rules: []string{ruleStart, ruleEnd}, change: bounds(next, next)},
		{what: "ignores the start", rules: []string{ruleStart}, change: bounds(ignored, nil)},
		{what: "ignores the end", rules: []string{ruleEnd}, change: bounds(nil, ignored)},
		{what: "ignores both bounds", rules: []string{ruleStart, ruleEnd}, change: bounds(ignored, ignored)},
		{what: "applies bounds to quote_created_at whatever the sort", rules: []string{ruleFollows}, change: always(statement.CreatedAt)},
		{what: "applies bounds to settled_date whatever the sort", rules: []string{ruleFollows}, change: always(statement.SettledDate)},
		{what: "applies bounds to the date that the sort does not choose", rules: []string{ruleFollows}, change: by(func(key statement.Key) statement.Key {
			return map[statement.Key]statement.Key{statement.CreatedAt: statement.SettledDate, statement.SettledDate: statement.CreatedAt}[key]
		})},
	}
	for i, name := range []string{"seconds", "minutes", "hours", "days"} {
		unit := []time.Duration{time.Second, time.Minute, time.Hour, 24 * time.Hour}[i]
		cut := func(t time.Time, _ time.Duration) time.Time { return t.UTC().Truncate(unit) }
		whole := func(t time.Time, _ time.Duration) time.Time { return t.UTC().Truncate(unit).Add(unit) }
		all = append(all,
			defect{what: "cuts bounds to whole " + name, rules: []string{rulePrecision}, change: bounds(cut, cut)},
			defect{what: "cuts the start to whole " + name, rules: []string{rulePrecision}, change: bounds(cut, nil)},
			defect{what: "cuts the end to whole " + name, rules: []string{rulePrecision}, change: bounds(nil, cut)},
			defect{what: "compares dates in whole " + name, rules: []string{rulePrecision}, cut: unit},
			defect{what: "widens bounds to whole " + name, rules: []string{rulePrecision}, change: bounds(cut, whole)},
		)
	}
	for _, off := range zones() {
		moved := func(t time.Time, _ time.Duration) time.Time { return t.Add(off) }
		all = append(all, defect{
			what: fmt.Sprintf("reads bounds %s off, as in another time zone", off), rules: []string{ruleStart, ruleEnd}, change: bounds(moved, moved), zone: true,
		})
	}
	return append(all, defect{what: "loses rows wherever a range is cut", rules: []string{rulePartition}, lossy: true})
}

// zones lists how far apart two time zones may lie: whole hours first, then halves and quarters, each from near to far.
func zones() []time.Duration {
	const farthest = 14 * time.Hour
	var list []time.Duration
	for _, step := range []time.Duration{time.Hour, 30 * time.Minute, 15 * time.Minute} {
		for off := step; off <= farthest; off += step {
			if !slices.Contains(list, off) {
				list = append(list, off, -off)
			}
		}
	}
	return list
}

// keeps tells whether the defect selects a row: 1 it does, -1 it does not, 0 the digits that the file shows leave it open.
func (d defect) keeps(q statement.Quote, a asked, units map[statement.Key]time.Duration) int {
	if a.client != "" && q.Client != a.client {
		return -1
	}
	if d.change != nil {
		a = d.change(a, units[a.key])
	}
	m, unit := q.Moment(a.key), units[a.key]
	if d.cut > 0 {
		if !m.Usable() {
			return 0
		}
		m.Time, a.from, a.until = m.Time.UTC().Truncate(d.cut), truncated(a.from, d.cut), truncated(a.until, d.cut)
		unit = max(unit, d.cut)
	}
	keeps := 1
	if !a.from.IsZero() {
		keeps = min(keeps, side(m, unit, a.from))
	}
	if !a.until.IsZero() {
		keeps = min(keeps, -side(m, unit, a.until))
	}
	return keeps
}

func truncated(t time.Time, unit time.Duration) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(unit)
}

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
		return nil, plan.Interrupted
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
		if explains(d) && (d.zone && s.zoneless(ctx) || s.shows(e, d)) {
			found.defect = &d
			return found, nil
		}
	}
	return found, nil
}

// shows tells whether a rule that the defect breaks has an export whose rows are wrong: otherwise none would fail.
func (s *suite) shows(e *evidence, d defect) bool {
	return slices.ContainsFunc(d.rules, func(rule string) bool {
		var own []*seen
		switch rule {
		case ruleStart:
			own = []*seen{s.cuts.fromOwn, s.cuts.fromShared}
		case ruleEnd:
			own = []*seen{s.cuts.untilOwn, s.cuts.untilShared}
		case rulePrecision:
			own = []*seen{s.cuts.fromAfter, s.cuts.untilAfter}
		case ruleFollows:
			own = s.cuts.straddling
		case rulePartition:
			return e.parted(s.cuts.untilMiddle, s.cuts.fromMiddle, s.first) || e.hides(s.first, s.settled)
		}
		return e.exceeds(s.first, rule) || slices.ContainsFunc(own, func(o *seen) bool { sh := e.sheets[o]; return sh != nil && !e.fits(defect{}, sh) })
	})
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
func (s *suite) explained(ctx context.Context, rule string, rows []matchers.Rows, exports []plan.Awaited) error {
	if !strings.HasPrefix(rule, "export.range.") && rule != ruleClient || slices.ContainsFunc(rows, func(r matchers.Rows) bool { return r.Order != "" || r.Refused != "" }) {
		return nil
	}
	found, err := s.diagnosis.Get(ctx)
	if err != nil || found.defect == nil {
		return err
	}
	if found.defect.zone && s.zoneless(ctx) {
		return plan.Unclear("the dates of the file carry no offset, and the deployment %s than they are read in; check export.csv.time_zone in the deployment file", found.defect.what)
	}
	if slices.Contains(found.defect.rules, rule) {
		return nil
	}
	if len(exports) == 0 {
		exports = []plan.Awaited{s.first}
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
	return plan.Unclear("the deployment %s, which explains these rows; see %s", found.defect.what, strings.Join(found.defect.rules, " and "))
}
