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

// DateCell is a cell of a date column. Time is only valid if the cell is neither Empty nor
// Unreadable. It is unambiguous only if IsOneInstant.
type DateCell struct {
	Time      time.Time
	Text      string        // the cell as written
	Precision time.Duration // smallest unit shown: 24h for a date alone, 1m, 1s, 100ms, ... 1ns
	// the cell has an offset or its column a zone; otherwise Time is in UTC
	Zoned      bool
	Empty      bool // no date: blank, or a word such as null
	Ambiguous  bool // a local time that occurs twice in its zone, or never
	Unreadable bool // it does not fit the format of its column
	// the second instant of a local time that occurs twice; otherwise zero
	AmbiguousTime time.Time

	format int // of its column
}

// IsOneInstant reports whether the cell denotes exactly one instant.
func (m DateCell) IsOneInstant() bool {
	return !m.Empty && !m.Unreadable && !m.Ambiguous && m.Zoned
}

// Instants returns the instants that the cell may denote: one, two for a local time that occurs
// twice, or none.
func (m DateCell) Instants() []time.Time {
	switch {
	case m.IsOneInstant():
		return []time.Time{m.Time}
	case m.Empty, m.Unreadable, !m.Zoned, m.AmbiguousTime.IsZero():
		return nil
	}
	return []time.Time{m.Time, m.AmbiguousTime}
}

// writtenDate is a date as written, before a zone turns it into an instant.
type writtenDate struct {
	wall      time.Time // as if it were UTC
	precision time.Duration
	offset    int // seconds east of UTC
	hasOffset bool
}

// inZone returns the cell of a date written as text; zone may be nil.
func (c writtenDate) inZone(text string, zone *time.Location) DateCell {
	m := DateCell{Text: text, Precision: c.precision, Zoned: c.hasOffset || zone != nil, Time: c.wall}
	switch {
	case c.offset != 0:
		m.Time = c.wall.Add(-time.Duration(c.offset) * time.Second).In(time.FixedZone("", c.offset))
	case !c.hasOffset && zone != nil:
		w := c.wall
		m.Time = time.Date(w.Year(), w.Month(), w.Day(), w.Hour(), w.Minute(), w.Second(), w.Nanosecond(),
			zone)
		m.AmbiguousTime = c.otherReading(m.Time)
		m.Ambiguous = !c.matchesInstant(m.Time) || !m.AmbiguousTime.IsZero()
	}
	return m
}

// otherReading returns the other instant with the same local time, or zero. It tries the
// offsets before and after the current one.
func (c writtenDate) otherReading(t time.Time) time.Time {
	_, offset := t.Zone()
	start, end := t.ZoneBounds()
	for _, beside := range []time.Time{start.Add(-time.Second), end} {
		_, another := beside.Zone()
		other := t.Add(time.Duration(offset-another) * time.Second)
		if another != offset && c.matchesInstant(t) && c.matchesInstant(other) {
			return other
		}
	}
	return time.Time{}
}

// matchesInstant reports whether an instant reads as this date in its own zone.
func (c writtenDate) matchesInstant(t time.Time) bool {
	_, offset := t.Zone()
	return t.Add(time.Duration(offset) * time.Second).Equal(c.wall)
}

// clockPattern matches the time after a day: with or without seconds, a fraction and an offset.
const clockPattern = `(\d\d:\d\d)(?:(:\d\d)(?:[.,](\d{1,9}))?)?` +
	`(?: ?(?i:(Z|UTC)|([+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)))?`

var (
	isoPattern     = regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)(?:[Tt ]` + clockPattern + `)?$`)
	slashedPattern = regexp.MustCompile(`^(\d\d)/(\d\d)/(\d{4})(?:(?:,| às)? ` + clockPattern + `)?$`)
)

// parseISO parses YYYY-MM-DD, alone or followed by T or a space and a time, which may have an
// offset. It also parses YYYYMMDDThhmmss.
func parseISO(s string) (writtenDate, bool) {
	if len(s) >= len("20060102T150405") && s[8] == 'T' {
		s = s[:4] + "-" + s[4:6] + "-" + s[6:11] + ":" + s[11:13] + ":" + s[13:]
	}
	m := isoPattern.FindStringSubmatch(s)
	if m == nil {
		return writtenDate{}, false
	}
	return parseDayAndClock(m[1]+"-"+m[2]+"-"+m[3], m[4:])
}

// parseSlashed parses DD/MM/YYYY, alone or followed by a time. A space, a comma and a space, or
// "às" separates them.
func parseSlashed(s string) (writtenDate, bool) {
	m := slashedPattern.FindStringSubmatch(s)
	if m == nil {
		return writtenDate{}, false
	}
	return parseDayAndClock(m[3]+"-"+m[2]+"-"+m[1], m[4:])
}

// parseDayAndClock returns the date of a day and the groups of clockPattern. ok is false if
// there is no such day or time.
func parseDayAndClock(day string, clock []string) (c writtenDate, ok bool) {
	minutes, seconds, fraction, utc, offset := clock[0], clock[1], clock[2], clock[3], clock[4]
	if minutes == "" {
		wall, err := time.Parse(time.DateOnly, day)
		return writtenDate{wall: wall, precision: Day}, err == nil
	}
	wall, err := time.Parse(time.DateTime,
		day+" "+minutes+cmp.Or(seconds, ":00")+strings.TrimSuffix("."+fraction, "."))
	c = writtenDate{wall: wall, precision: time.Minute, hasOffset: utc+offset != ""}
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

// parseEpoch parses seconds (10 digits) or milliseconds (13 digits) since 1970, with an
// optional fraction.
func parseEpoch(s string, digits int) (writtenDate, bool) {
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
	return writtenDate{
		wall:      at.Add(time.Duration(part) * unit).UTC(),
		precision: unit,
		hasOffset: true,
	}, ok
}
