package statement

import (
	"cmp"
	"regexp"
	"strconv"
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

// The shapes of dates. Behind a day there may be a time, with or without seconds, their fraction, and an offset.
const clockShape = `(\d\d:\d\d)(?:(:\d\d)(?:[.,](\d{1,9}))?)?(?: ?(?i:(Z|UTC)|([+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)))?`

var (
	isoShape     = regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)(?:[Tt ]` + clockShape + `)?$`)
	slashedShape = regexp.MustCompile(`^(\d\d)/(\d\d)/(\d{4})(?:(?:,| às)? ` + clockShape + `)?$`)
)

// parseISO reads YYYY-MM-DD, alone or followed by T or a space and a time that may carry an offset, and both without
// what parts the numbers: YYYYMMDDThhmmss.
func parseISO(s string) (civil, bool) {
	if len(s) >= len("20060102T150405") && s[8] == 'T' {
		s = s[:4] + "-" + s[4:6] + "-" + s[6:11] + ":" + s[11:13] + ":" + s[13:]
	}
	m := isoShape.FindStringSubmatch(s)
	if m == nil {
		return civil{}, false
	}
	return dated(m[1]+"-"+m[2]+"-"+m[3], m[4:])
}

// parseSlashed reads DD/MM/YYYY, alone or followed by a space, a comma and a space, or "às", and a time.
func parseSlashed(s string) (civil, bool) {
	m := slashedShape.FindStringSubmatch(s)
	if m == nil {
		return civil{}, false
	}
	return dated(m[3]+"-"+m[2]+"-"+m[1], m[4:])
}

// dated makes a date of a day and of what clockShape found. ok means that a calendar has that day and a day that time.
func dated(day string, clock []string) (c civil, ok bool) {
	minutes, seconds, fraction, utc, offset := clock[0], clock[1], clock[2], clock[3], clock[4]
	if minutes == "" {
		wall, err := time.Parse(time.DateOnly, day)
		return civil{wall: wall, precision: Day}, err == nil
	}
	wall, err := time.Parse(time.DateTime, day+" "+minutes+cmp.Or(seconds, ":00")+strings.TrimSuffix("."+fraction, "."))
	c = civil{wall: wall, precision: time.Minute, hasOffset: utc+offset != ""}
	if seconds != "" {
		c.precision = time.Second
	}
	for range fraction {
		c.precision /= 10
	}
	if offset != "" && err == nil {
		var zone time.Time
		zone, err = time.Parse("-0700", (strings.ReplaceAll(offset, ":", "") + "00")[:5])
		_, c.offset = zone.Zone()
	}
	return c, err == nil
}

// parseEpoch reads a count of seconds (10 digits) or milliseconds (13 digits) since 1970, and fractions of it.
func parseEpoch(s string, digits int) (civil, bool) {
	whole, fraction, more := strings.Cut(strings.Replace(s, ",", ".", 1), ".")
	n, err := strconv.ParseUint(whole, 10, 63)
	unit := time.Second
	at := time.Unix(int64(n), 0)
	if digits == 13 {
		at, unit = time.UnixMilli(int64(n)), time.Millisecond
	}
	for range fraction {
		unit /= 10
	}
	part, bad := strconv.ParseUint("0"+fraction, 10, 62)
	ok := err == nil && bad == nil && len(whole) == digits && unit > 0 && more == (fraction != "")
	return civil{wall: at.Add(time.Duration(part) * unit).UTC(), precision: unit, hasOffset: true}, ok
}
