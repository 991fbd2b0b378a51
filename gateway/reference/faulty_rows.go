package reference

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// wrongRows are the quotes of a file under the faults that are switched on; without any that concern rows they are the
// right ones.
func (g *Gateway) wrongRows(f *file) []quote {
	s, source := f.wanted, f.owner.person.quotes
	switch {
	case g.fault("export.isolation.broken"), (s.start.IsZero() || s.end.IsZero()) && g.fault("export.isolation.broken_open"):
		source = slices.Concat(source, g.quotesOfOthers(f.owner.person))
		s.Wallet = allWallets
	case s.sort == bySettled && s.ascending && g.fault("export.isolation.broken_settled_asc"):
		source = slices.Clone(source)
		for _, q := range g.quotesOfOthers(f.owner.person) {
			q.wallet = s.Wallet
			source = append(source, q)
		}
	case s.sort == bySettled && s.ascending && g.fault("export.wallet.ignored_settled_asc"):
		s.Wallet = f.owner.person.wallets[0]
	case g.fault("export.isolation.main_only"):
		source, s.Wallet = g.data.main.person.quotes, g.data.main.person.wallets[0]
	}
	g.spoilBounds(&s)
	var kept []quote
	for i, q := range source {
		if i%9 == 4 && (g.fault("export.range.undated_kept") || g.fault("export.range.undated_kept_before")) {
			q.settled = time.Time{} // otherwise there may be none
		}
		if g.keepsWrongly(s, q) {
			kept = append(kept, q)
		}
	}
	return g.spoilRows(s, g.arrangeWrongly(s, kept))
}

// spoilBounds changes what the bounds are.
func (g *Gateway) spoilBounds(s *selection) {
	onlyStart, onlyEnd := !s.start.IsZero() && s.end.IsZero(), s.start.IsZero() && !s.end.IsZero()
	equal := !s.start.IsZero() && s.start.Equal(s.end)
	change := func(f func(time.Time) time.Time) {
		for _, bound := range []*time.Time{&s.start, &s.end} {
			if !bound.IsZero() {
				*bound = f(*bound)
			}
		}
	}
	switch {
	case g.fault("export.range.bounds_ignored"):
		s.start, s.end = time.Time{}, time.Time{}
	case g.fault("export.range.start_ignored"), onlyStart && g.fault("export.range.start_alone_ignored"):
		s.start = time.Time{}
	case g.fault("export.range.end_ignored"), onlyEnd && g.fault("export.range.end_alone_ignored"):
		s.end = time.Time{}
	case onlyEnd && g.fault("export.range.end_alone_empty"):
		s.start = s.end
	case equal && g.fault("export.range.equal_bounds_open"):
		s.start, s.end = time.Time{}, time.Time{}
	case equal && g.fault("export.range.equal_bounds_inclusive"):
		s.end = s.end.Add(time.Nanosecond)
	}
	if g.fault("export.range.start_exclusive") && !s.start.IsZero() {
		s.start = s.start.Add(time.Nanosecond)
	}
	if g.fault("export.range.start_a_millisecond_late") && !s.start.IsZero() {
		s.start = s.start.Add(time.Millisecond)
	}
	if g.fault("export.range.end_inclusive") && !s.end.IsZero() {
		s.end = s.end.Add(time.Nanosecond)
	}
	if g.fault("export.range.end_a_millisecond_late") && !s.end.IsZero() {
		s.end = s.end.Add(time.Millisecond)
	}
	if g.fault("export.range.three_hours_off") {
		change(func(t time.Time) time.Time { return t.Add(3 * time.Hour) })
	}
	if g.fault("export.range.whole_seconds") {
		change(func(t time.Time) time.Time { return t.Truncate(time.Second) })
	}
	if g.fault("export.range.whole_days") {
		change(func(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) })
	}
	shift := func(part func(offset time.Duration) time.Duration) {
		change(func(t time.Time) time.Time {
			_, seconds := t.Zone()
			return t.Add(part(time.Duration(seconds) * time.Second))
		})
	}
	if g.fault("export.range.offset_ignored") {
		shift(func(offset time.Duration) time.Duration { return offset })
	}
	if g.fault("export.range.offset_inverted") {
		shift(func(offset time.Duration) time.Duration { return 2 * offset })
	}
	if g.fault("export.range.another_day") {
		change(func(t time.Time) time.Time {
			u := t.UTC()
			return time.Date(t.Year(), t.Month(), t.Day(), u.Hour(), u.Minute(), u.Second(), u.Nanosecond(), time.UTC)
		})
	}
	if g.fault("export.range.digits_as_milliseconds") {
		s.start, s.end = countDigits(s.start, s.startText), countDigits(s.end, s.endText)
	}
	if g.fault("export.range.half_hours_ignored") {
		shift(func(offset time.Duration) time.Duration { return offset % time.Hour })
	}
}

// countDigits takes the digits of a fraction for a count of milliseconds.
func countDigits(t time.Time, text string) time.Time {
	_, fraction, found := strings.Cut(text, ".")
	if !found {
		return t
	}
	if end := strings.IndexAny(fraction, "Zz+-"); end >= 0 {
		fraction = fraction[:end]
	}
	count, err := strconv.Atoi(fraction)
	if err != nil {
		return t
	}
	return t.Truncate(time.Second).Add(time.Duration(count) * time.Millisecond)
}

func (g *Gateway) keepsWrongly(s selection, q quote) bool {
	by := s
	switch {
	case s.ascending && g.fault("export.range.asc_by_created"), s.named && g.fault("export.range.wallet_by_created"),
		s.start.IsZero() != s.end.IsZero() && g.fault("export.range.alone_by_created"):
		by.sort = byCreated
	case s.sort == bySettled && q.settled.IsZero() && g.fault("export.range.undated_kept"),
		s.sort == bySettled && q.settled.IsZero() && s.start.IsZero() && g.fault("export.range.undated_kept_before"):
		by.start, by.end = time.Time{}, time.Time{}
	}
	if g.fault("export.range.always_created") {
		by.sort = byCreated
	}
	if g.fault("export.range.always_settled") {
		by.sort = bySettled
	}
	if g.fault("export.range.dates_in_seconds") {
		by.start, by.end = by.start.Truncate(time.Second), by.end.Truncate(time.Second)
		q.created, q.settled = q.created.Truncate(time.Second), q.settled.Truncate(time.Second)
	}
	client := by.client
	if client == "" {
		return by.keeps(q)
	}
	by.client = ""
	same := q.client == client
	switch {
	case g.fault("export.filter.ignored"):
		same = true
	case g.fault("export.filter.nothing"):
		same = false
	case g.fault("export.filter.contains"):
		same = strings.Contains(q.client, client)
	case g.fault("export.filter.starts_with"):
		same = strings.HasPrefix(q.client, client)
	case g.fault("export.filter.ends_with"):
		same = strings.HasSuffix(q.client, client)
	case g.fault("export.filter.folds_case"):
		same = strings.EqualFold(q.client, client)
	}
	return same && by.keeps(q)
}

func (g *Gateway) arrangeWrongly(s selection, rows []quote) []quote {
	switch {
	case g.fault("export.order.ignored"):
		s.ascending = false
	case g.fault("export.order.always_asc"):
		s.ascending = true
	case s.client != "" && g.fault("export.order.ignored_filtered"):
		s.ascending = false
	case s.client != "" && g.fault("export.order.asc_filtered"):
		s.ascending = true
	case g.fault("export.order.swapped"):
		s.ascending = !s.ascending
	case g.fault("export.order.settled_by_created"):
		s.sort = byCreated
	}
	if g.fault("export.order.none") {
		slices.SortFunc(rows, func(a, b quote) int { return cmp.Compare(a.id, b.id) })
		return rows
	}
	s.arrange(rows)
	if n := len(rows); n > 2 && g.fault("export.order.neighbours") {
		rows[0], rows[n-1] = rows[n-1], rows[0]
	}
	return rows
}

// spoilRows loses and repeats rows.
func (g *Gateway) spoilRows(s selection, rows []quote) []quote {
	if len(rows) == 0 {
		return rows
	}
	switch {
	case g.fault("export.range.last_row_lost"), s.client != "" && g.fault("export.filter.one_lost"):
		return rows[:len(rows)-1]
	case g.fault("export.range.first_row_lost"):
		return rows[1:]
	case g.fault("export.range.fifty_rows"):
		return rows[:min(50, len(rows))]
	case g.fault("export.range.ties_lost"):
		return slices.CompactFunc(rows, func(a, b quote) bool { return a.date(s.sort).Equal(b.date(s.sort)) })
	case g.fault("export.file.row_twice"):
		return append(rows[:1:1], rows...)
	}
	return rows
}
