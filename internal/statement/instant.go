package statement

import "time"

// FormatInstant formats an instant as RFC 3339. It shows the fraction digits of precision, and
// more if the instant needs them. It uses UTC if loc is nil or has an offset that RFC 3339
// cannot express.
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
