package model

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
)

// bounder sets bounds.
type bounder struct {
	Space
	u       *Universe
	key     Key
	dates   []int64 // rising
	rng     *rand.Rand
	written string
}

func (b *bounder) bounds(start, end string) (from, until string) {
	n := len(b.dates)
	if n < 2 && start != none {
		start = onWindow
	}
	if n < 2 && end != none {
		end = onWindow
	}
	low, high := b.dates[:n/2], b.dates[n/2:]
	if start == none || end == none {
		low, high = b.dates, b.dates
	}
	var s, e int64
	if start != none {
		s = b.at(start, low, b.Window[0])
		from = b.write(s)
	}
	switch end {
	case none:
		return from, ""
	case onStart, turnedBy:
		low, high = b.dates[:n/2], b.dates[n/2:]
		from = b.write(b.exactly(high))
		if end == onStart || n < 2 {
			return from, from
		}
		return from, b.write(b.exactly(low))
	}
	e = b.at(end, high, b.Window[1])
	if start != none && e <= s {
		e = b.Window[1].UnixNano()
	}
	return from, b.write(e)
}

// exactly is the date of a row, however it is written.
func (b *bounder) exactly(dates []int64) int64 {
	if len(dates) == 0 {
		return b.Window[1].UnixNano()
	}
	at := dates[b.rng.IntN(len(dates))]
	if b.Whole {
		at = floor(at, int64(time.Second))
	}
	return at
}

// at is an instant of a kind, out of some dates.
func (b *bounder) at(kind string, dates []int64, own time.Time) int64 {
	if kind == onWindow || len(dates) == 0 {
		return own.UnixNano()
	}
	unit := int64(max(b.u.Unit[b.key], 1))
	pick := func(holds func(i int) bool) int64 {
		var fit []int64
		for i := range dates {
			if holds(i) {
				fit = append(fit, dates[i])
			}
		}
		if len(fit) == 0 {
			fit = dates
		}
		return fit[b.rng.IntN(len(fit))]
	}
	shared := func(i int) bool { return i > 0 && dates[i-1] == dates[i] || i+1 < len(dates) && dates[i+1] == dates[i] }
	near := func(i int) bool { // another date in its second
		return i+1 < len(dates) && dates[i+1] != dates[i] && dates[i+1]-dates[i] < int64(time.Second) ||
			i > 0 && dates[i-1] != dates[i] && dates[i]-dates[i-1] < int64(time.Second)
	}
	fine := func(i int) bool { return dates[i]%int64(time.Second) != 0 && !near(i) }
	if b.rng.IntN(4) == 0 {
		fine = near
	}
	at := pick(fine)
	switch kind {
	case onShared:
		at = pick(shared)
	case after:
		at += unit
	case onSecond:
		at = floor(at, int64(max(time.Second, b.u.Unit[b.key])))
	case between:
		i, _ := slices.BinarySearch(dates, at+1)
		if i < len(dates) {
			at = floor(at+(dates[i]-at)/2, unit)
		}
	}
	switch b.written {
	case tenths:
		at = floor(at, int64(100*time.Millisecond)) + int64(100*time.Millisecond)
	case micros:
		at -= int64(time.Millisecond)
	}
	if b.Whole {
		at = floor(at, int64(time.Second))
	}
	return at
}

// write writes a bound as the context has it.
func (b *bounder) write(at int64) string {
	t := time.Unix(0, at).UTC()
	switch b.written {
	case half:
		return statement.FormatInstant(t, b.u.Unit[b.key], time.FixedZone(half, 19800))
	case west:
		return statement.FormatInstant(t, b.u.Unit[b.key], time.FixedZone(west, -10800))
	case farAway:
		zone := time.FixedZone("+13:00", 13*3600)
		if t.Hour() < 11 {
			zone = time.FixedZone("-11:00", -11*3600)
		}
		return statement.FormatInstant(t, b.u.Unit[b.key], zone)
	case tenths:
		return statement.FormatInstant(t, 100*time.Millisecond, time.UTC)
	case micros:
		return statement.FormatInstant(t, time.Microsecond, time.UTC)
	}
	unit := time.Duration(0)
	if !b.Whole { // in digits that make the body another one
		unit = []time.Duration{0, time.Millisecond, time.Microsecond}[b.rng.IntN(3)]
	}
	return statement.FormatInstant(t, unit, time.UTC)
}
