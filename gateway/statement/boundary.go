package statement

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// Boundaries are the bounds that range rules test with, chosen from rows. Each one lies inside the window and has
// rows on both sides there.
type Boundaries struct {
	SubSecond  Pick // a row's date with sub-second digits
	JustAfter  Pick // one shown unit after a row's date: lost by a gateway that cuts bounds to the unit above it
	Shared     Pick // a date that several rows have
	Straddling Pick // a date with Row's two dates on different sides of it
	Between    Pick // an instant between two neighbouring dates that no row has
}

// Pick is one bound and the row it was chosen for; for Between that is the row before it.
type Pick struct {
	At      time.Time
	Row     Quote
	Why     string
	Missing string // why the data cannot show it; empty: it can
}

// Choices returns a function that picks bounds for the date that key names, at each call. Only dates that are one
// instant without doubt count. The same rows in any order with the same state of rng give the same bounds; other states
// give others where there is a choice.
func Choices(rng *rand.Rand, quotes []Quote, key Key, window deployment.Window) func() Boundaries {
	c, reason := newChooser(rng, quotes, key, window)
	if reason != "" {
		none := Pick{Missing: reason}
		return func() Boundaries { return Boundaries{none, none, none, none, none} }
	}
	return func() Boundaries {
		return Boundaries{c.subSecond(), c.justAfter(), c.shared(), c.straddling(), c.between()}
	}
}

// Choose picks bounds once.
func Choose(rng *rand.Rand, quotes []Quote, key Key, window deployment.Window) Boundaries {
	return Choices(rng, quotes, key, window)()
}

// chooser holds the rows of the window sorted by date, grouped where they share one.
type chooser struct {
	rng       *rand.Rand
	key       Key
	precision time.Duration
	groups    []group
}

// group is all rows of one date; its rows are in a stable order.
type group struct {
	at   time.Time
	rows []Quote
}

func newChooser(rng *rand.Rand, quotes []Quote, key Key, window deployment.Window) (*chooser, string) {
	if rng == nil {
		rng = rand.New(rand.NewPCG(0, 0))
	}
	c := &chooser{rng: rng, key: key, precision: precisionOf(quotes, key)}
	var rows []Quote
	unzoned, doubtful := 0, 0
	for _, q := range quotes {
		switch m := q.Moment(key); {
		case m.Empty:
		case m.Misfit, m.Ambiguous, m.Precision == Day &&
			c.precision < Day: // a whole day among times is not an instant
			doubtful++
		case !m.Zoned:
			unzoned++
		case !m.Time.Before(window.Start) && m.Time.Before(window.End):
			rows = append(rows, q)
		}
	}
	slices.SortStableFunc(rows, func(a, b Quote) int {
		return cmp.Or(a.moment(key).Time.Compare(b.moment(key).Time), cmp.Compare(a.Identity, b.Identity))
	})
	for from, i := 0, 1; i <= len(rows); i++ {
		at := rows[from].moment(key).Time
		if i == len(rows) || !rows[i].moment(key).Time.Equal(at) {
			c.groups = append(c.groups, group{at: at, rows: rows[from:i:i]})
			from = i
		}
	}
	switch {
	case len(c.groups) >= 2:
		return c, ""
	case unzoned > 0:
		return nil, fmt.Sprintf("the dates in %s carry no offset; set export.csv.time_zone in the deployment file", key)
	case doubtful > 0 && len(c.groups) == 0:
		return nil, fmt.Sprintf("every date in %s could mean more than one instant", key)
	case len(c.groups) == 0:
		return nil, fmt.Sprintf("no row has its %s inside the window", key)
	}
	return nil, fmt.Sprintf("all rows of the window have the same %s", key)
}

// inner gives the groups that have rows before and after them. The slice is the caller's.
func (c *chooser) inner() []group { return slices.Clone(c.groups[1 : len(c.groups)-1]) }

func missing(format string, args ...any) Pick { return Pick{Missing: fmt.Sprintf(format, args...)} }

func one[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }

func (c *chooser) subSecond() Pick {
	fits := slices.DeleteFunc(c.inner(), func(g group) bool { return g.at.Nanosecond() == 0 })
	if len(fits) == 0 {
		return missing("no %s between the first and the last has sub-second digits", c.key)
	}
	g := one(c.rng, fits)
	return Pick{At: g.at, Row: one(c.rng, g.rows), Why: fmt.Sprintf("%s of a row, with sub-second digits", c.key)}
}

func (c *chooser) shared() Pick {
	fits := slices.DeleteFunc(c.inner(), func(g group) bool { return len(g.rows) == 1 })
	if len(fits) == 0 {
		return missing("no %s between the first and the last belongs to several rows", c.key)
	}
	g := one(c.rng, fits)
	return Pick{At: g.at, Row: one(c.rng, g.rows), Why: fmt.Sprintf("%s that %d rows share", c.key, len(g.rows))}
}

// straddling looks for a row and an inner date with earlier < date <= later. The earlier one must end before the date
// even when it stands for all instants that would show the same digits.
func (c *chooser) straddling() Pick {
	inner := c.inner()
	type span struct {
		row      *Quote
		from, to int // inner[from:to] lie between the row's dates
	}
	var spans []span
	for _, g := range c.groups {
		for i := range g.rows {
			q := &g.rows[i]
			early, late := q.CreatedAt, q.SettledDate
			if !early.Usable() || !late.Usable() {
				continue
			}
			if late.Time.Before(early.Time) {
				early, late = late, early
			}
			ends := following(early)
			from := sort.Search(len(inner), func(i int) bool { return !inner[i].at.Before(ends) })
			to := sort.Search(len(inner), func(i int) bool { return inner[i].at.After(late.Time) })
			if from < to {
				spans = append(spans, span{q, from, to})
			}
		}
	}
	if len(spans) == 0 {
		return missing("no row has its two dates on different sides of a date between the first and the last")
	}
	s := one(c.rng, spans)
	side := "was created before it and settled on it or later"
	if s.row.SettledDate.Time.Before(s.row.CreatedAt.Time) {
		side = "was settled before it and created on it or later"
	}
	return Pick{
		At: one(c.rng, inner[s.from:s.to]).at, Row: *s.row,
		Why: fmt.Sprintf("%s of a row; another or the same row %s", c.key, side),
	}
}

// between looks for neighbouring dates with room for an instant that neither can stand for.
func (c *chooser) between() Pick {
	type gap struct {
		row  *Quote
		step func(k int) time.Time
		room int // step(1) to step(room) lie in the gap
	}
	var gaps []gap
	for i, g := range c.groups[:len(c.groups)-1] {
		next, start := c.groups[i+1].at, g.at
		step := func(k int) time.Time { return start.Add(time.Duration(k) * c.precision) }
		if c.precision == Day {
			step = func(k int) time.Time { return start.AddDate(0, 0, k) }
		}
		room := max(0, min(int((next.Sub(start)-1)/c.precision), 1<<30))
		for room > 0 && !step(room).Before(next) { // a day that the zone's clocks make longer or shorter
			room--
		}
		if room > 0 {
			gaps = append(gaps, gap{&g.rows[0], step, room})
		}
	}
	for range 32 { // a local midnight may not exist: try others
		if len(gaps) == 0 {
			break
		}
		g := one(c.rng, gaps)
		if at := g.step(1 + c.rng.IntN(g.room)); c.precision != Day || at.Hour() == 0 {
			why := fmt.Sprintf("an instant that is the %s of no row, between two that are", c.key)
			return Pick{At: at, Row: *g.row, Why: why}
		}
	}
	return missing("no two neighbouring values of %s leave an instant between them", c.key)
}

// following is the first instant that would show another date than m.
func following(m Moment) time.Time {
	if m.Precision == Day {
		return m.Time.AddDate(0, 0, 1)
	}
	return m.Time.Add(m.Precision)
}

// FormatInstant writes an instant as RFC 3339 with the fraction digits that precision asks for, and more where the
// instant itself has more, so that it stays exact. A nil loc, or one whose offset RFC 3339 cannot write, means UTC.
func FormatInstant(t time.Time, precision time.Duration, loc *time.Location) string {
	if loc == nil {
		loc = time.UTC
	}
	t = t.In(loc)
	if _, offset := t.Zone(); offset%60 != 0 {
		t = t.UTC()
	}
	digits := 0
	for unit := time.Second; digits < 9 && unit > 1 &&
		(precision > 0 && unit > precision || t.Nanosecond()%int(unit) != 0); unit /= 10 {
		digits++
	}
	layout := "2006-01-02T15:04:05"
	if digits > 0 {
		layout += "." + "000000000"[:digits]
	}
	return t.Format(layout + "Z07:00")
}
