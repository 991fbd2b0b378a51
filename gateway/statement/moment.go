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
	year, month, day, hour, minute, second, nano int

	precision time.Duration
	offset    int // seconds east of UTC
	hasOffset bool
}

// at makes the date an instant; zone may be nil.
func (c civil) at(text string, zone *time.Location) Moment {
	m := Moment{Text: text, Precision: c.precision, Zoned: true}
	if c.hasOffset {
		location := time.UTC
		if c.offset != 0 {
			location = time.FixedZone("", c.offset)
		}
		m.Time = time.Date(c.year, time.Month(c.month), c.day, c.hour, c.minute, c.second, c.nano, location)
		return m
	}
	if zone == nil {
		m.Zoned = false
		zone = time.UTC
	}
	m.Time = time.Date(c.year, time.Month(c.month), c.day, c.hour, c.minute, c.second, c.nano, zone)
	m.Again = c.again(m.Time)
	m.Ambiguous = !c.reads(m.Time) || !m.Again.IsZero()
	return m
}

// again gives the other instant that reads the same, zero where there is none: an instant under the offset before or
// after the current one.
func (c civil) again(t time.Time) time.Time {
	if !c.reads(t) {
		return time.Time{}
	}
	_, offset := t.Zone()
	start, end := t.ZoneBounds()
	if !start.IsZero() {
		if _, before := start.Add(-time.Second).Zone(); before != offset {
			if other := t.Add(time.Duration(offset-before) * time.Second); c.reads(other) {
				return other
			}
		}
	}
	if !end.IsZero() {
		if _, after := end.Zone(); after != offset {
			if other := t.Add(time.Duration(offset-after) * time.Second); c.reads(other) {
				return other
			}
		}
	}
	return time.Time{}
}

func (c civil) reads(t time.Time) bool {
	return t.Year() == c.year && int(t.Month()) == c.month && t.Day() == c.day &&
		t.Hour() == c.hour && t.Minute() == c.minute && t.Second() == c.second
}

// valid reports whether the numbers name a day and a time that exist in a calendar without zones.
func (c civil) valid() bool {
	if c.month < 1 || c.month > 12 || c.day < 1 || c.hour > 23 || c.minute > 59 || c.second > 59 {
		return false
	}
	return c.day <= 28 || c.day <= time.Date(c.year, time.Month(c.month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// parseISO reads YYYY-MM-DD, alone or followed by T or a space and a time that may carry an offset.
func parseISO(s string) (civil, bool) {
	var c civil
	p := scanner{rest: s}
	c.year = p.digits(4)
	p.byte('-')
	c.month = p.digits(2)
	p.byte('-')
	c.day = p.digits(2)
	p.time(&c, "Tt ")
	return c, !p.bad && c.valid()
}

// parseSlashed reads DD/MM/YYYY, alone or followed by a space, or a comma and a space, and a time.
func parseSlashed(s string) (civil, bool) {
	var c civil
	p := scanner{rest: s}
	c.day = p.digits(2)
	p.byte('/')
	c.month = p.digits(2)
	p.byte('/')
	c.year = p.digits(4)
	if strings.HasPrefix(p.rest, ", ") {
		p.rest = p.rest[1:]
	}
	p.time(&c, " ")
	return c, !p.bad && c.valid()
}

// parseEpoch reads a count of seconds (10 digits) or milliseconds (13 digits) since 1970.
func parseEpoch(s string, digits int) (civil, bool) {
	p := scanner{rest: s}
	n := p.digits(digits)
	if p.bad || p.rest != "" {
		return civil{}, false
	}
	t, precision := time.Unix(int64(n), 0).UTC(), time.Second
	if digits == 13 {
		t, precision = time.UnixMilli(int64(n)).UTC(), time.Millisecond
	}
	return civil{
		year: t.Year(), month: int(t.Month()), day: t.Day(), hour: t.Hour(), minute: t.Minute(),
		second: t.Second(), nano: t.Nanosecond(), precision: precision, hasOffset: true,
	}, true
}

// parseMail reads a date as mail and HTTP write it: Mon, 31 Mar 2025 15:04:05 -0300. A zone by name is UTC or none that
// is known.
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
	if err != nil || t.Nanosecond() != 0 {
		return civil{}, false
	}
	_, offset := t.Zone()
	return civil{
		year: t.Year(), month: int(t.Month()), day: t.Day(), hour: t.Hour(), minute: t.Minute(),
		second: t.Second(), precision: precision, offset: offset, hasOffset: true,
	}, true
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

// time reads what follows a day, to the end: nothing, or one of some separators, a time and perhaps a zone.
func (p *scanner) time(c *civil, separators string) {
	if p.rest == "" {
		c.precision = Day
		return
	}
	p.bad = p.bad || !p.any(separators)
	p.clock(c)
	p.zone(c)
	p.bad = p.bad || p.rest != ""
}

// clock reads HH:MM[:SS[.fraction]].
func (p *scanner) clock(c *civil) {
	c.hour = p.digits(2)
	p.byte(':')
	c.minute = p.digits(2)
	c.precision = time.Minute
	if !p.any(":") {
		return
	}
	c.second = p.digits(2)
	c.precision = time.Second
	if !p.any(".,") {
		return
	}
	n := 0
	for n < len(p.rest) && p.rest[n] >= '0' && p.rest[n] <= '9' {
		n++
	}
	if n < 1 || n > 9 {
		p.bad = true
		return
	}
	c.nano = p.digits(n)
	for range 9 - n {
		c.nano *= 10
	}
	for range n {
		c.precision /= 10
	}
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
