package statement

import (
	"strings"
	"time"
)

// Day is the precision of a date without a time.
const Day = 24 * time.Hour

// Moment is a date cell. Its Time means something unless it is Empty or Misfit; only a Usable moment is one instant
// without doubt.
type Moment struct {
	Time      time.Time
	Text      string        // the cell as written
	Precision time.Duration // smallest unit shown: 24h for a date alone, 1m, 1s, 100ms, ... 1ns
	Zoned     bool          // it carries an offset, or the zone of its column is known; otherwise Time reads it as UTC
	Empty     bool          // no date: blank, or a word such as null
	Ambiguous bool          // a local time that its zone has twice or not at all
	Misfit    bool          // the cell does not fit the format of its column
	Again     time.Time     // the other instant of a local time that its zone has twice; zero for any other

	format int // of its column
}

// Usable reports whether the moment is exactly one instant.
func (m Moment) Usable() bool { return !m.Empty && !m.Misfit && !m.Ambiguous && m.Zoned }

// Instants are those that the moment may mean: one, two of a local time that its zone has twice, or none that are
// known.
func (m Moment) Instants() []time.Time {
	switch {
	case m.Usable():
		return []time.Time{m.Time}
	case m.Empty, m.Misfit, !m.Zoned, m.Again.IsZero():
		return nil
	}
	return []time.Time{m.Time, m.Again}
}

// civil is a date as written, before a zone makes it an instant.
type civil struct {
	wall      time.Time // as if it were UTC
	precision time.Duration
	offset    int // seconds east of UTC
	hasOffset bool
}

// at makes the date an instant; zone may be nil.
func (c civil) at(text string, zone *time.Location) Moment {
	m := Moment{Text: text, Precision: c.precision, Zoned: c.hasOffset || zone != nil, Time: c.wall}
	switch {
	case c.offset != 0:
		m.Time = c.wall.Add(-time.Duration(c.offset) * time.Second).In(time.FixedZone("", c.offset))
	case !c.hasOffset && zone != nil:
		w := c.wall
		m.Time = time.Date(w.Year(), w.Month(), w.Day(), w.Hour(), w.Minute(), w.Second(), w.Nanosecond(), zone)
		m.Again = c.again(m.Time)
		m.Ambiguous = !c.reads(m.Time) || !m.Again.IsZero()
	}
	return m
}

// again gives the other instant that reads the same, zero where there is none: an instant under the offset before or
// after the current one.
func (c civil) again(t time.Time) time.Time {
	_, offset := t.Zone()
	start, end := t.ZoneBounds()
	for _, beside := range []time.Time{start.Add(-time.Second), end} {
		_, another := beside.Zone()
		other := t.Add(time.Duration(offset-another) * time.Second)
		if another != offset && c.reads(t) && c.reads(other) {
			return other
		}
	}
	return time.Time{}
}

// reads reports whether an instant shows this date where it is.
func (c civil) reads(t time.Time) bool {
	_, offset := t.Zone()
	return t.Add(time.Duration(offset) * time.Second).Equal(c.wall)
}

// parseISO reads YYYY-MM-DD, alone or followed by T or a space and a time that may carry an offset, and both without
// what parts the numbers: YYYYMMDDThhmmss.
func parseISO(s string) (civil, bool) {
	if len(s) >= len("20060102T150405") && s[8] == 'T' {
		s = s[:4] + "-" + s[4:6] + "-" + s[6:11] + ":" + s[11:13] + ":" + s[13:]
	}
	p := scanner{rest: s}
	year := p.digits(4)
	p.byte('-')
	month := p.digits(2)
	p.byte('-')
	return p.time(year, month, p.digits(2), "Tt ")
}

// parseSlashed reads DD/MM/YYYY, alone or followed by a space, a comma and a space, or "às", and a time.
func parseSlashed(s string) (civil, bool) {
	p := scanner{rest: s}
	day := p.digits(2)
	p.byte('/')
	month := p.digits(2)
	p.byte('/')
	year := p.digits(4)
	for _, word := range []string{",", " às"} {
		if rest, found := strings.CutPrefix(p.rest, word); found && strings.HasPrefix(rest, " ") {
			p.rest = rest
		}
	}
	return p.time(year, month, day, " ")
}

// parseEpoch reads a count of seconds (10 digits) or milliseconds (13 digits) since 1970, and fractions of it.
func parseEpoch(s string, digits int) (civil, bool) {
	p := scanner{rest: s}
	n, unit := int64(p.digits(digits)), time.Second
	at := time.Unix(n, 0)
	if digits == 13 {
		at, unit = time.UnixMilli(n), time.Millisecond
	}
	if p.any(".,") {
		var fraction time.Duration
		fraction, unit = p.fraction(unit)
		at = at.Add(fraction)
	}
	return civil{wall: at.UTC(), precision: unit, hasOffset: true}, !p.bad && p.rest == ""
}

// parseMail reads a date as mail and HTTP write it: Mon, 31 Mar 2025 15:04:05 -0300. A zone by name is UTC or none that
// is known, and there may be none.
func parseMail(s string) (civil, bool) {
	if day, rest, found := strings.Cut(s, ", "); found && len(day) == len("Mon") {
		s = rest
	}
	for _, utc := range []string{" GMT", " UTC", " UT"} {
		if front, found := strings.CutSuffix(s, utc); found {
			s = front + " +0000"
			break
		}
	}
	layout, precision := "2 Jan 2006 15:04:05 -0700", time.Second
	if strings.Count(s, ":") == 1 {
		layout, precision = "2 Jan 2006 15:04 -0700", time.Minute
	}
	t, err := time.Parse(layout, s)
	if err != nil {
		layout, _ = strings.CutSuffix(layout, " -0700")
		t, err = time.Parse(layout, s)
		return civil{wall: t, precision: precision}, err == nil && t.Nanosecond() == 0
	}
	_, offset := t.Zone()
	wall := t.Add(time.Duration(offset) * time.Second).UTC()
	return civil{wall, precision, offset, true}, err == nil && t.Nanosecond() == 0
}

// scanner consumes a date from the left; bad stays set once something does not fit.
type scanner struct {
	rest string
	bad  bool
}

func (p *scanner) digits(n int) int {
	if p.bad || len(p.rest) < n {
		p.bad = true
		return 0
	}
	value := 0
	for i := range n {
		d := p.rest[i]
		if d < '0' || d > '9' {
			p.bad = true
			return 0
		}
		value = value*10 + int(d-'0')
	}
	p.rest = p.rest[n:]
	return value
}

func (p *scanner) byte(b byte) {
	if p.bad || p.rest == "" || p.rest[0] != b {
		p.bad = true
		return
	}
	p.rest = p.rest[1:]
}

// any consumes one byte of the set if it is next.
func (p *scanner) any(set string) bool {
	for i := range len(set) {
		if !p.bad && p.rest != "" && p.rest[0] == set[i] {
			p.rest = p.rest[1:]
			return true
		}
	}
	return false
}

// time reads what follows a day, to the end: nothing, or one of some separators, a time and perhaps a zone. ok means
// that a calendar has that day and that time.
func (p *scanner) time(year, month, day int, separators string) (c civil, ok bool) {
	c.precision = Day
	var clock time.Duration
	if p.rest != "" {
		p.bad = p.bad || !p.any(separators)
		clock, c.precision = p.clock()
		p.zone(&c)
	}
	c.wall = time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Add(clock)
	return c, !p.bad && p.rest == "" && onCalendar(year, month, day)
}

// onCalendar reports whether there is such a day. The first 28 of each month are looked at no further: a file has many.
func onCalendar(year, month, day int) bool {
	if day <= 28 || month < 1 || month > 12 {
		return day >= 1 && month >= 1 && month <= 12
	}
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Day() == day // 30 February is in March
}

// clock reads HH:MM[:SS[.fraction]].
func (p *scanner) clock() (clock, precision time.Duration) {
	hour := p.digits(2)
	p.byte(':')
	minute := p.digits(2)
	p.bad = p.bad || hour > 23 || minute > 59
	clock, precision = time.Duration(hour)*time.Hour+time.Duration(minute)*time.Minute, time.Minute
	if !p.any(":") {
		return clock, precision
	}
	second := p.digits(2)
	p.bad = p.bad || second > 59
	clock, precision = clock+time.Duration(second)*time.Second, time.Second
	if !p.any(".,") {
		return clock, precision
	}
	fraction, precision := p.fraction(precision)
	return clock + fraction, precision
}

// fraction reads the digits behind the point of a number of units, down to nanoseconds.
func (p *scanner) fraction(unit time.Duration) (value, precision time.Duration) {
	n, precision := 0, unit
	for n < len(p.rest) && p.rest[n] >= '0' && p.rest[n] <= '9' {
		n++
		precision /= 10
	}
	p.bad = p.bad || n < 1 || precision == 0
	return time.Duration(p.digits(n)) * precision, precision
}

// zone reads Z, UTC, ±hh, ±hhmm or ±hh:mm, after a space or not; none of them is fine too.
func (p *scanner) zone(c *civil) {
	if p.bad || p.rest == "" {
		return
	}
	p.any(" ")
	if p.rest == "Z" || p.rest == "z" || strings.EqualFold(p.rest, "UTC") {
		p.rest, c.hasOffset = "", true
		return
	}
	sign := 1
	switch {
	case p.any("-"):
		sign = -1
	case p.any("+"):
	default:
		p.bad = true
		return
	}
	hours, minutes := p.digits(2), 0
	if p.rest != "" {
		p.any(":")
		minutes = p.digits(2)
	}
	if hours > 23 || minutes > 59 {
		p.bad = true
	}
	c.offset, c.hasOffset = sign*(hours*3600+minutes*60), true
}
