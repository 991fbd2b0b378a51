package statement

import (
	"fmt"
	"time"
)

// justAfter looks for a date whose next instant is free, where there is one, and shares with it all that the unit above
// shows: the second of a date with a fraction, the minute of one in whole seconds.
func (c *chooser) justAfter() Pick {
	coarse := Coarser(c.precision)
	name := map[time.Duration]string{
		time.Second: "second", time.Minute: "minute", time.Hour: "hour", Day: "day",
	}[coarse]
	type fit struct {
		at  time.Time
		row []Quote
	}
	var fits, taken []fit
	for i, g := range c.groups[:len(c.groups)-1] {
		next := following(Moment{Time: g.at, Precision: c.precision})
		within := next.Truncate(coarse).Before(next)
		switch {
		case c.precision == Day:
			within = next.Hour() == 0 // a local midnight may not exist
		case c.precision < time.Second:
			within = within && g.at.Nanosecond() != 0
		}
		switch {
		case !within:
		case next.Before(c.groups[i+1].at):
			fits = append(fits, fit{next, g.rows})
		case c.precision >= time.Second: // whole units are often taken, and the row before them shows as much
			taken = append(taken, fit{next, g.rows})
		}
	}
	if len(fits) == 0 {
		fits = taken
	}
	switch {
	case len(fits) > 0:
		f, why := one(c.rng, fits), fmt.Sprintf("the day after the %s of a row", c.key)
		if c.precision < Day {
			why = fmt.Sprintf("%s after the %s of a row, in the same %s", c.precision, c.key, name)
		}
		return Pick{At: f.at, Row: one(c.rng, f.row), Why: why}
	case c.precision < time.Second:
		return missing("no %s between the first and the last has sub-second digits with the next instant free", c.key)
	}
	return missing("no %s before the last has its next instant in the same %s", c.key, name)
}

// Coarser is the unit above the one that dates show: bounds that are cut to it are not as fine as the dates. Above a
// day there is none.
func Coarser(unit time.Duration) time.Duration {
	switch {
	case unit < time.Second:
		return time.Second
	case unit < time.Minute:
		return time.Minute
	case unit < time.Hour:
		return time.Hour
	}
	return Day
}
