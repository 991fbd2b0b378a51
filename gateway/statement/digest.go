package statement

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Digest is what is kept of every quote of a file, however many there are: a fingerprint of its identity and its dates,
// in the order of the file. It shows whether two files hold the same quotes, and in which order.
type Digest struct {
	ids              []uint64
	created, settled []int64 // nanoseconds since 1970, nowhere without an instant; nil: the column cannot be read
	marks            []bool
}

// nowhere stands for a date that is not exactly one instant.
const nowhere = math.MinInt64

func (d *Digest) add(q Quote, marked bool) {
	instant := func(m Moment) int64 {
		if at := m.Time; m.Usable() && at.Year() >= 1700 && at.Year() < 2200 {
			return at.UnixNano()
		}
		return nowhere
	}
	d.ids = append(d.ids, fingerprint(q.Identity))
	d.created, d.settled = append(d.created, instant(q.CreatedAt)), append(d.settled, instant(q.SettledDate))
	d.marks = append(d.marks, marked)
}

// forget drops the dates of a column that cannot be read as a whole.
func (d *Digest) forget(key Key) {
	if key == CreatedAt {
		d.created = nil
	} else {
		d.settled = nil
	}
}

// fingerprint is FNV-1a.
func fingerprint(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}

func (d *Digest) dates(key Key) []int64 {
	switch key {
	case CreatedAt:
		return d.created
	case SettledDate:
		return d.settled
	}
	return nil
}

// Marked counts the quotes that are marked.
func (d *Digest) Marked() (n int) {
	for _, m := range d.marks {
		if m {
			n++
		}
	}
	return n
}

// Count is how many quotes have their date in a range.
func (d *Digest) Count(key Key, from, until time.Time) (n int) {
	for _, at := range d.dates(key) {
		if at != nowhere && at >= from.UnixNano() && at < until.UnixNano() {
			n++
		}
	}
	return n
}

// Disorder names the first row that breaks the rising, or else falling, order of a date; empty when none does.
func (d *Digest) Disorder(key Key, rising bool) string {
	last := int64(nowhere)
	for i, at := range d.dates(key) {
		if at == nowhere {
			continue
		}
		if last != nowhere && (rising && at < last || !rising && at > last) {
			return fmt.Sprintf("row %d of %d, whose %s is %s, comes after one of %s", i+1, len(d.ids), key, instant(at),
				instant(last))
		}
		last = at
	}
	return ""
}

func instant(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339Nano) }

// Without says which quotes of d, of those whose date that key names lies in the window, another file lacks; empty when
// it lacks none. Without a key all of them count.
func (d *Digest) Without(other *Digest, key Key, from, until time.Time) string {
	return d.without(other.ids, key, from, until)
}

// WithoutRows is Without for a file whose quotes are kept.
func (d *Digest) WithoutRows(rows []Quote, key Key, from, until time.Time) string {
	ids := make([]uint64, len(rows))
	for i, q := range rows {
		ids[i] = fingerprint(q.Identity)
	}
	return d.without(ids, key, from, until)
}

// mixture is the same for the same fingerprints in any order, and hardly ever for others.
func mixture(ids []uint64) (m [3]uint64) {
	for _, id := range ids {
		m[0]++
		m[1] += id
		m[2] += id * id
	}
	return m
}

// Strangers says which of some rows are not among the quotes of d.
func (d *Digest) Strangers(rows []Quote) string {
	all := slices.Clone(d.ids)
	slices.Sort(all)
	var strange []Quote
	for _, q := range rows {
		if _, found := slices.BinarySearch(all, fingerprint(q.Identity)); !found {
			strange = append(strange, q)
		}
	}
	if len(strange) == 0 {
		return ""
	}
	return fmt.Sprintf("%s only in an export of a part of it: %s", count(len(strange)), Describe(strange, 3))
}

func (d *Digest) without(ids []uint64, key Key, from, until time.Time) string {
	if mixture(d.ids) == mixture(ids) {
		return "" // the same quotes in any order, which is what large files mostly are
	}
	there := slices.Clone(ids)
	slices.Sort(there)
	dates, lo, hi := d.dates(key), from.UnixNano(), until.UnixNano()
	var lacking []int
	for i, id := range d.ids {
		if key != "" && (dates == nil || dates[i] == nowhere || dates[i] < lo || dates[i] >= hi) {
			continue
		}
		if _, found := slices.BinarySearch(there, id); !found {
			lacking = append(lacking, i)
		}
	}
	switch {
	case len(lacking) == 0:
		return ""
	case d.created == nil || d.created[lacking[0]] == nowhere:
		return count(len(lacking))
	}
	return fmt.Sprintf("%s, the first created %s", count(len(lacking)), instant(d.created[lacking[0]]))
}
