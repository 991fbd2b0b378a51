package export

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/spec"
)

// cut is an instant to cut the window at, or the reason why the window's rows give none.
type cut struct {
	at      time.Time
	why     string
	missing string
}

func (c cut) need() error {
	if c.missing == "" {
		return nil
	}
	return spec.Unmet("fixtures.window", "%s", c.missing)
}

// choices are the instants that the window's rows offer.
type choices struct {
	own        cut // the date of a row, with sub-second digits where there are any
	shared     cut // the date of several rows, else of another row
	justAfter  cut // one shown unit after a date with sub-second digits, in the same second, or after one of whole units
	after      cut // one shown unit after a row's date
	between    cut // no row's date, between two that are
	tenth      cut // a tenth of a second after a row's date, as one digit writes it
	thousandth cut // a thousandth before a row's date
	straddling cut // a date with a row whose two dates lie on different sides of it
}

// choose picks instants out of rows; purpose tells the choices of several rules apart.
func (s *suite) choose(purpose string, rows []statement.Quote, key statement.Key, unit time.Duration) choices {
	rng := s.t.Chance("export " + purpose)
	b := statement.Choose(rng, rows, key, *s.t.Deployment.Fixtures.Window)
	for tries := 0; tries < 32 && b.SubSecond != nil && crowded(rows, key, b.SubSecond.At); tries++ {
		b.SubSecond = statement.Choose(rng, rows, key, *s.t.Deployment.Fixtures.Window).SubSecond
	}
	for tries := 0; tries < 32 && b.JustAfter != nil && lonely(rows, key, b.JustAfter.At); tries++ {
		b.JustAfter = statement.Choose(rng, rows, key, *s.t.Deployment.Fixtures.Window).JustAfter
	}
	of := func(name string, picks ...*statement.Pick) cut {
		for _, p := range picks {
			if p != nil {
				return cut{at: p.At, why: p.Why}
			}
		}
		return cut{missing: b.Missing[name]}
	}
	c := choices{
		own:        of("sub_second", b.SubSecond, b.Shared),
		shared:     of("shared", b.Shared, b.SubSecond),
		justAfter:  of("just_after", b.JustAfter),
		between:    of("between", b.Between),
		straddling: of("straddling", b.Straddling),
	}
	c.tenth, c.thousandth = c.justAfter, c.justAfter
	dates := s.datesInside(rows, key)
	if c.after = c.justAfter; len(dates) == 0 {
		return c
	}
	plain := func(rng *rand.Rand) cut {
		return cut{at: dates[rng.IntN(len(dates))], why: string(key) + " of a row"}
	}
	if c.own.missing != "" {
		c.own = plain(rng)
	}
	if c.shared.missing != "" {
		c.shared = plain(rng)
	}
	if c.after.missing != "" {
		c.after = cut{at: next(plain(rng).at, unit), why: "just after the " + string(key) + " of a row"}
	}
	c.fractions(rng, dates, key, unit)
	return c
}

// fractions chooses instants that are others when the digits of a fraction are taken for a count of milliseconds. Where the
// file shows no such digits, any instant does that is known to lie after a row.
func (c *choices) fractions(rng *rand.Rand, dates []time.Time, key statement.Key, unit time.Duration) {
	if unit >= time.Second {
		return
	}
	whole := cut{at: c.own.at.Truncate(time.Second), why: "the whole second of a row"}
	pick := func(why string, of func(at time.Time) time.Time) cut {
		for _, i := range rng.Perm(len(dates)) {
			at := of(dates[i])
			if f := dates[i].Nanosecond(); f >= int(10*time.Millisecond) && f < int(900*time.Millisecond) && !slices.ContainsFunc(dates, at.Equal) {
				return cut{at: at, why: why + " the " + string(key) + " of a row"}
			}
		}
		return whole
	}
	const tenth = 100 * time.Millisecond
	c.tenth = pick("within a tenth of a second after", func(at time.Time) time.Time { return at.Truncate(tenth).Add(tenth) })
	c.thousandth = pick("a thousandth of a second before", func(at time.Time) time.Time {
		return at.Truncate(time.Millisecond).Add(-time.Millisecond)
	})
}

// crowded tells an instant with other dates in its second: a bound there mixes up which side rows on it belong to, and
// how fine bounds are, which are two rules.
func crowded(rows []statement.Quote, key statement.Key, at time.Time) bool {
	return slices.ContainsFunc(rows, func(q statement.Quote) bool {
		m := q.Moment(key)
		return m.Usable() && !m.Time.Equal(at) && m.Time.Truncate(time.Second).Equal(at.Truncate(time.Second))
	})
}

// lonely tells an instant without a date between it and the same time of the day that another place has then: a gateway
// that confuses the two days selects the same rows.
func lonely(rows []statement.Quote, key statement.Key, at time.Time) bool {
	there, here := at.In(anotherDay(at)), at.UTC()
	from, until := here, time.Date(there.Year(), there.Month(), there.Day(), here.Hour(), here.Minute(), here.Second(), here.Nanosecond(), time.UTC)
	if until.Before(from) {
		from, until = until, from
	}
	return !slices.ContainsFunc(rows, func(q statement.Quote) bool {
		m := q.Moment(key)
		return m.Usable() && !m.Time.Before(from) && m.Time.Before(until)
	})
}

// datesInside lists the dates of rows that lie inside the window, without its first and last where more remain.
func (s *suite) datesInside(rows []statement.Quote, key statement.Key) []time.Time {
	w := s.t.Deployment.Fixtures.Window
	var dates []time.Time
	for _, q := range rows {
		if m := q.Moment(key); m.Usable() && !m.Time.Before(w.Start) && m.Time.Before(w.End) {
			dates = append(dates, m.Time)
		}
	}
	slices.SortFunc(dates, func(a, b time.Time) int { return cmp.Compare(a.UnixNano(), b.UnixNano()) })
	dates = slices.CompactFunc(dates, time.Time.Equal)
	if len(dates) > 2 {
		dates = dates[1 : len(dates)-1]
	}
	return dates
}

// before is the date that is shown a unit earlier.
func before(at time.Time, unit time.Duration) time.Time {
	if unit == statement.Day {
		return at.AddDate(0, 0, -1)
	}
	return at.Add(-unit)
}

// next is the first instant that shows another date.
func next(at time.Time, unit time.Duration) time.Time {
	if unit == statement.Day {
		return at.AddDate(0, 0, 1)
	}
	return at.Add(unit)
}
