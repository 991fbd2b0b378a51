package statement

import "time"

// FormatInstant writes an instant as RFC 3339 with the fraction digits that precision asks for, and
// more where the instant itself has more, so that it stays exact. A nil loc, or one whose offset
// RFC 3339 cannot write, means UTC.
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
