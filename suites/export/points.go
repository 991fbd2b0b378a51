package export

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/spec"
)

// point is a kind of instant to cut the window at, chosen from its rows.
type point string

const (
	onRow      point = "a row's date"                         // with sub-second digits where there are any
	onShared   point = "a date that several rows share"       // else of another row
	afterRow   point = "just after a row's date"              // one shown unit after it
	justAfter  point = "just after a date in the same second" // where there are sub-second digits, else of whole units
	between    point = "an instant between two dates"         // not a row's date
	tenth      point = "a tenth of a second after a row"      // as one digit writes it
	thousandth point = "a thousandth of a second before a row"
	straddling point = "an instant between the two dates of a row"
	nearRow    point = "a row's date, a few hours after another"        // else any
	nearAfter  point = "just after a row's date, with another in hours" // else any
)

// need returns why the window's rows give no such instant; nil: they do.
func need(p statement.Pick) error {
	if p.Missing == "" {
		return nil
	}
	return spec.Unmet("fixtures.window", "%s", p.Missing)
}

// choose picks an instant of each kind out of rows; purpose gives several rules choices of their own.
func (s *Suite) choose(purpose string, rows []statement.Quote, key statement.Key, unit time.Duration,
) map[point]statement.Pick {
	rng, w := s.t.Chance("export "+purpose), s.extent()
	again := statement.Choices(rng, rows, key, *w)
	b := again()
	inside := pick(rows, span{key, unit, w.Start, w.End}.inside)
	for range 32 {
		if b.SubSecond.Missing == "" && crowded(rows, key, b.SubSecond.At) {
			b.SubSecond = again().SubSecond
		}
		if b.JustAfter.Missing == "" && lonely(inside, key, b.JustAfter.At) {
			b.JustAfter = again().JustAfter
		}
	}
	either := func(first, second statement.Pick) statement.Pick {
		if first.Missing != "" && second.Missing == "" {
			return second
		}
		return first
	}
	c := map[point]statement.Pick{
		onRow: either(b.SubSecond, b.Shared), onShared: either(b.Shared, b.SubSecond), justAfter: b.JustAfter,
		between: b.Between, straddling: b.Straddling,
	}
	c[afterRow], c[tenth], c[thousandth] = c[justAfter], c[justAfter], c[justAfter]
	defer func() { s.chooseNear(c, purpose, rows, inside, key) }()
	dates := s.datesInside(rows, key)
	if len(dates) == 0 {
		return c
	}
	plain := func() statement.Pick {
		return statement.Pick{At: dates[rng.IntN(len(dates))], Why: string(key) + " of a row"}
	}
	for _, p := range []point{onRow, onShared} {
		if c[p].Missing != "" {
			c[p] = plain()
		}
	}
	if c[afterRow].Missing != "" {
		c[afterRow] = statement.Pick{At: next(plain().At, unit), Why: "just after the " + string(key) + " of a row"}
	}
	if unit < time.Second {
		c[tenth], c[thousandth] = fractions(rng, dates, key, c[onRow].At)
	}
	return c
}

// chooseNear picks instants that are others when the offset which they are written with is ignored.
func (s *Suite) chooseNear(c map[point]statement.Pick, purpose string, rows, inside []statement.Quote,
	key statement.Key,
) {
	c[nearRow], c[nearAfter] = c[onRow], c[afterRow]
	again := statement.Choices(s.t.Chance("export offsets "+purpose), rows, key, *s.extent())
	for range 32 {
		next := again()
		if p := next.SubSecond; solitary(inside, key, c[nearRow].At) && p.Missing == "" &&
			!solitary(inside, key, p.At) && !crowded(rows, key, p.At) {
			c[nearRow] = p
		}
		if p := next.JustAfter; !elsewhere(inside, key, c[nearAfter].At) && p.Missing == "" &&
			elsewhere(inside, key, p.At) && !lonely(inside, key, p.At) {
			c[nearAfter] = p
		}
	}
}

// fractions chooses instants that are others when the digits of a fraction are taken for a count of milliseconds.
// Where the file shows no such digits, any instant does that is known to lie after a row.
func fractions(rng *rand.Rand, dates []time.Time, key statement.Key, row time.Time) (tenth, thousandth statement.Pick) {
	const step = 100 * time.Millisecond
	choose := func(why string, of func(at time.Time) time.Time) statement.Pick {
		for _, i := range rng.Perm(len(dates)) {
			at, f := of(dates[i]), time.Duration(dates[i].Nanosecond())
			if f >= 10*time.Millisecond && f < 900*time.Millisecond && !slices.ContainsFunc(dates, at.Equal) {
				return statement.Pick{At: at, Why: why + " the " + string(key) + " of a row"}
			}
		}
		return statement.Pick{At: row.Truncate(time.Second), Why: "the whole second of a row"}
	}
	return choose(
			"within a tenth of a second after", func(at time.Time) time.Time { return at.Truncate(step).Add(step) }),
		choose("a thousandth of a second before", func(at time.Time) time.Time {
			return at.Truncate(time.Millisecond).Add(-time.Millisecond)
		})
}

// crowded reports an instant with other dates in its second: a bound there mixes up which side rows on it belong to,
// and how fine bounds are, which are two rules.
func crowded(rows []statement.Quote, key statement.Key, at time.Time) bool {
	return slices.ContainsFunc(rows, func(q statement.Quote) bool {
		m := q.Moment(key)
		return m.Usable() && !m.Time.Equal(at) && m.Time.Truncate(time.Second).Equal(at.Truncate(time.Second))
	})
}

// solitary reports an instant without a date in the hours before it: a gateway that reads an end written with -03:00 as
// UTC selects the same rows.
func solitary(rows []statement.Quote, key statement.Key, at time.Time) bool {
	return !dated(rows, key, at.Add(-3*time.Hour), at)
}

// lonely reports an instant without a date between it and the same time of the day that another place has then: a
// gateway that confuses the two days selects the same rows.
func lonely(rows []statement.Quote, key statement.Key, at time.Time) bool {
	there, from := at.In(anotherDay(at)), at.UTC()
	return !dated(rows, key, from, time.Date(there.Year(), there.Month(), there.Day(),
		from.Hour(), from.Minute(), from.Second(), from.Nanosecond(), time.UTC))
}

// elsewhere reports an instant with a date between it and what the clocks of that place show: a gateway that ignores
// the offset selects other rows.
func elsewhere(rows []statement.Quote, key statement.Key, at time.Time) bool {
	_, offset := at.In(anotherDay(at)).Zone()
	return dated(rows, key, at, at.Add(time.Duration(offset)*time.Second))
}

// dated reports whether a row has a date between two instants, whichever is the earlier.
func dated(rows []statement.Quote, key statement.Key, from, until time.Time) bool {
	if until.Before(from) {
		from, until = until, from
	}
	return slices.ContainsFunc(rows, func(q statement.Quote) bool {
		m := q.Moment(key)
		return m.Usable() && !m.Time.Before(from) && m.Time.Before(until)
	})
}

// anotherDay is the offset of a place where the day is another than in UTC.
func anotherDay(at time.Time) *time.Location {
	if at.UTC().Hour() < 11 {
		return time.FixedZone("-11:00", -11*60*60)
	}
	return time.FixedZone("+13:00", 13*60*60)
}

// datesInside lists the dates of rows that lie inside the window, without its first and last where more remain.
func (s *Suite) datesInside(rows []statement.Quote, key statement.Key) []time.Time {
	w := s.extent()
	var dates []time.Time
	for _, q := range rows {
		if m := q.Moment(key); m.Usable() && !m.Time.Before(w.Start) && m.Time.Before(w.End) {
			dates = append(dates, m.Time)
		}
	}
	slices.SortFunc(dates, time.Time.Compare)
	dates = slices.CompactFunc(dates, time.Time.Equal)
	if len(dates) > 2 {
		dates = dates[1 : len(dates)-1]
	}
	return dates
}

// next is the first instant that shows another date.
func next(at time.Time, unit time.Duration) time.Time { return shift(at, unit, 1) }

// shift is the date that is shown some units later.
func shift(at time.Time, unit time.Duration, units int) time.Time {
	if unit == statement.Day {
		return at.AddDate(0, 0, units)
	}
	return at.Add(time.Duration(units) * unit)
}
