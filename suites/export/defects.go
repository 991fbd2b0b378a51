package export

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
)

// A deployment that keeps rows on the end does so wherever an end is given: in the parts of a split, in a filtered
// export, by either sort. Each of those checks sees wrong rows, and one rule is broken. So where a comparison is
// wrong, the ways in which bounds are commonly mistaken are tried on all exports of the window's parts. One that
// explains every row of all of them says which rule to blame.

// selection is what an export was asked to select.
type selection struct {
	key         statement.Key
	from, until time.Time // zero: open
	client      string    // empty: every client
}

// defect is a way to select other rows than documented, and the rules that it breaks.
type defect struct {
	what  string // of the deployment: "keeps rows dated on the end"
	rules []string
	// where it puts a bound that is given; nil: where it belongs
	from, until     func(t time.Time, unit time.Duration) time.Time
	by              map[statement.Key]statement.Key // the date that bounds apply to, by sort; nil: the sort
	fromBy, untilBy statement.Key                   // the date that one bound applies to, whatever the sort; empty: as the other
	// dates and bounds are compared in whole units; 0: exactly
	cut   time.Duration
	swaps bool   // the file shows the two dates of settled quotes in each other's place
	alone bool   // it needs a bound without the other
	lossy bool   // rows of the range may be absent
	only  string // the partner beside which it does so; empty: always
	// beside another partner it would explain the rows as well
	unsure bool
	zone   bool // a mistaken time zone, which may be ours
	// the bounds at which it differs from its neighbours, given a row that it treats otherwise; nil: it needs none
	bounds func(row time.Time, step time.Duration) []time.Time
}

const (
	ruleStart, ruleEnd         = "export.range.start_inclusive", "export.range.end_exclusive"
	rulePartition, ruleFollows = "export.range.partition", "export.range.follows_sort"
	ruleOpen                   = "export.range.open"
	rulePrecision, ruleClient  = "export.range.precision", "export.filter.client_id"
	ruleIsolation              = "export.isolation"
	ruleWallet, ruleForeign    = "export.default.wallet", "export.wallet.foreign"
	ruleMethod, ruleLanguage   = "export.method.same_rows", "export.header.language.rows"
	ruleOwn                    = "export.target.own_rows"
)

// defects lists the common ones that files can show whose dates have this unit, those that explain the most exactly
// first.
func defects(unit time.Duration) []defect {
	const created, settled = statement.CreatedAt, statement.SettledDate
	by := func(one, other statement.Key) map[statement.Key]statement.Key {
		return map[statement.Key]statement.Key{created: one, settled: other}
	}
	ignored := func(time.Time, time.Duration) time.Time { return time.Time{} }
	start, end, both := []string{ruleStart}, []string{ruleEnd}, []string{ruleStart, ruleEnd}
	follows := []string{ruleFollows}
	all := []defect{
		{what: "drops rows dated on the start", rules: start, from: next},
		{what: "keeps rows dated on the end", rules: end, until: next, bounds: onDate},
		{what: "drops rows dated on the start and keeps those on the end", rules: both, from: next, until: next},
		{what: "ignores the start", rules: start, from: ignored},
		{what: "ignores the end", rules: end, until: ignored},
		{what: "ignores both bounds", rules: both, from: ignored, until: ignored},
		{what: "shows settled_date as quote_created_at and the other way round", rules: follows, swaps: true},
		{what: "applies bounds to quote_created_at whatever the sort", rules: follows, by: by(created, created)},
		{what: "applies bounds to settled_date whatever the sort", rules: follows, by: by(settled, settled)},
		{what: "applies bounds to the date that the sort does not choose", rules: follows, by: by(settled, created)},
	}
	for _, date := range []statement.Key{created, settled} {
		all = append(all,
			defect{what: fmt.Sprintf("applies the start to %s whatever the sort", date), rules: start, fromBy: date},
			defect{what: fmt.Sprintf("applies the end to %s whatever the sort", date), rules: end, untilBy: date})
	}
	open := []string{ruleOpen}
	all = append(all,
		defect{what: "ignores a start without an end", rules: open, from: ignored, alone: true},
		defect{what: "ignores an end without a start", rules: open, until: ignored, alone: true},
		defect{what: "ignores a bound without the other", rules: open, from: ignored, until: ignored, alone: true})
	all = append(all, inexact(unit)...)
	for _, off := range zones() {
		moved := func(t time.Time, _ time.Duration) time.Time { return t.Add(off) }
		apart := strings.NewReplacer("h0m0s", "h", "m0s", "m").Replace(off.String())
		what := fmt.Sprintf("reads bounds %s off, as in another time zone", apart)
		all = append(all, defect{what: what, rules: both, from: moved, until: moved, zone: true})
	}
	const loses = "loses rows of the range"
	return append(all, defect{what: loses, rules: []string{rulePartition}, lossy: true},
		defect{what: loses, rules: follows, lossy: true})
}

// onDate are the date of a row, and the instant before it.
func onDate(row time.Time, step time.Duration) []time.Time { return []time.Time{row, row.Add(-step)} }

// counterpart is the date that is not the key.
func counterpart(key statement.Key) statement.Key {
	if key == statement.CreatedAt {
		return statement.SettledDate
	}
	return statement.CreatedAt
}

// zones lists how far apart two time zones may lie: whole hours first, then halves and quarters, each from near to
// far.
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

// interpretation is what a defect makes of what an export was asked for.
type interpretation struct {
	selection
	end   statement.Key // the date that the end applies to; the start applies to the selection's
	units map[statement.Key]time.Duration
	cut   time.Duration
	swaps bool
}

func (d defect) reads(a selection, units map[statement.Key]time.Duration) interpretation {
	if d.alone && a.from.IsZero() == a.until.IsZero() {
		d = defect{}
	}
	if d.from != nil && !a.from.IsZero() {
		a.from = d.from(a.from, units[a.key])
	}
	if d.until != nil && !a.until.IsZero() {
		a.until = d.until(a.until, units[a.key])
	}
	if d.by != nil {
		a.key = d.by[a.key]
	}
	end := cmp.Or(d.untilBy, a.key)
	a.key = cmp.Or(d.fromBy, a.key)
	if d.cut > 0 {
		for _, t := range []*time.Time{&a.from, &a.until} {
			if !t.IsZero() {
				*t = t.UTC().Truncate(d.cut)
			}
		}
	}
	return interpretation{a, end, units, d.cut, d.swaps}
}

// keeps reports whether the defect selects a row: 1 it does, -1 it does not, 0 the digits that the file shows leave
// it open.
func (r interpretation) keeps(q *statement.Quote) int {
	if r.client != "" && q.Client != r.client {
		return -1
	}
	keeps := 1
	for _, bound := range []struct {
		at   time.Time
		key  statement.Key
		sign int
	}{{r.from, r.key, 1}, {r.until, r.end, -1}} {
		if r.swaps && q.SettledDate.Usable() {
			bound.key = counterpart(bound.key)
		}
		m := q.Moment(bound.key)
		if r.cut > 0 {
			if !m.Usable() {
				return 0
			}
			m.Time = m.Time.UTC().Truncate(r.cut)
		}
		if !bound.at.IsZero() {
			keeps = min(keeps, bound.sign*side(m, max(r.units[bound.key], r.cut), bound.at))
		}
	}
	return keeps
}
