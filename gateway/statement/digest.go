package statement

import (
	"fmt"
	"hash/maphash"
	"iter"
	"math"
	"slices"
	"time"
)

// Digest is what is kept of every quote of a file, however many there are: a fingerprint of its identity and its dates,
// in the order of the file. It shows whether two files hold the same quotes, and in which order.
type Digest struct {
	chunks [][]entry // so that what a long file holds is never copied to make room for more
	whole  mixture
	marked []int64 // creation dates of the quotes that are marked
}

// entry is one quote. Its dates are in nanoseconds since 1970, or nowhere.
type entry struct {
	id               uint64
	created, settled int64
}

const (
	chunkSize = 8192
	// nowhere stands for a date that is not exactly one instant, or whose column cannot be read as a whole.
	nowhere = math.MinInt64
)

// mixture is the same for the same fingerprints in any order, and hardly ever for others.
type mixture struct{ count, sum, squares uint64 }

func (m *mixture) add(id uint64) {
	m.count++
	m.sum += id
	m.squares += id * id
}

// seed makes the fingerprints of all files comparable.
var seed = maphash.MakeSeed()

func fingerprint(identity string) uint64 { return maphash.String(seed, identity) }

func (d *Digest) add(q *Quote, marked bool) {
	instant := func(m *Moment) int64 {
		const most = 8e9 // seconds, some 250 years, of which nanoseconds can be counted
		if at := m.Time.Unix(); m.Usable() && at > -most && at < most {
			return m.Time.UnixNano()
		}
		return nowhere
	}
	e := entry{fingerprint(q.Identity), instant(&q.CreatedAt), instant(&q.SettledDate)}
	if d.whole.count%chunkSize == 0 {
		d.chunks = append(d.chunks, make([]entry, 0, chunkSize))
	}
	last := &d.chunks[len(d.chunks)-1]
	*last = append(*last, e)
	d.whole.add(e.id)
	if marked {
		d.marked = append(d.marked, e.created)
	}
}

// all gives the quotes in the order of the file.
func (d *Digest) all() iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for _, chunk := range d.chunks {
			for i := range chunk {
				if !yield(&chunk[i]) {
					return
				}
			}
		}
	}
}

func (e *entry) date(key Key) int64 {
	if key == CreatedAt {
		return e.created
	}
	return e.settled
}

// forget drops the dates of a column that cannot be read as a whole.
func (d *Digest) forget(key Key) {
	for e := range d.all() {
		if key == CreatedAt {
			e.created = nowhere
		} else {
			e.settled = nowhere
		}
	}
}

// within gives the quotes whose date lies in a range.
func (d *Digest) within(key Key, from, until time.Time) iter.Seq[*entry] {
	lo, hi := from.UnixNano(), until.UnixNano()
	return func(yield func(*entry) bool) {
		for e := range d.all() {
			if at := e.date(key); at != nowhere && at >= lo && at < hi && !yield(e) {
				return
			}
		}
	}
}

// Marked counts the quotes that are marked.
func (d *Digest) Marked() int { return len(d.marked) }

// Count is how many quotes have their date in a range.
func (d *Digest) Count(key Key, from, until time.Time) (n int) {
	for range d.within(key, from, until) {
		n++
	}
	return n
}

// Disorder names the first row that breaks the rising, or else falling, order of a date; empty when none does.
func (d *Digest) Disorder(key Key, rising bool) string {
	last, row := int64(nowhere), 0
	for e := range d.all() {
		row++
		at := e.date(key)
		if at == nowhere {
			continue
		}
		if last != nowhere && (rising && at < last || !rising && at > last) {
			return fmt.Sprintf("row %d of %d, whose %s is %s, comes after one of %s", row, d.whole.count, key,
				instant(at), instant(last))
		}
		last = at
	}
	return ""
}

func instant(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339Nano) }

// Without says which quotes another file lacks; empty when it lacks none.
func (d *Digest) Without(other *Digest) string {
	if d.whole == other.whole {
		return "" // the same quotes in any order, which is what large files mostly are
	}
	return lacking(d.all(), other.all())
}

// Beyond says which quotes of d, of those that were created in the window, the file of that window lacks; empty when it
// lacks none. d is of the same window by settled_date.
func (d *Digest) Beyond(created *Digest, from, until time.Time) string {
	mixed := func(quotes iter.Seq[*entry]) (m mixture) {
		for e := range quotes {
			m.add(e.id)
		}
		return m
	}
	if mixed(d.within(CreatedAt, from, until)) == mixed(created.within(SettledDate, from, until)) {
		return "" // both files hold the same quotes with both dates in the window
	}
	return lacking(d.within(CreatedAt, from, until), created.all())
}

// WithoutRows says which quotes that were created in a range are not among some rows; empty when all are.
func (d *Digest) WithoutRows(rows []Quote, from, until time.Time) string {
	return lacking(d.within(CreatedAt, from, until), func(yield func(*entry) bool) {
		for _, q := range rows {
			if !yield(&entry{id: fingerprint(q.Identity)}) {
				return
			}
		}
	})
}

// Strangers says which of some rows are not among the quotes of d.
func (d *Digest) Strangers(rows []Quote) string {
	unknown := map[uint64]bool{}
	for _, q := range rows {
		unknown[fingerprint(q.Identity)] = true
	}
	for e := range d.all() {
		delete(unknown, e.id)
	}
	strange := slices.DeleteFunc(slices.Clone(rows), func(q Quote) bool { return !unknown[fingerprint(q.Identity)] })
	if len(strange) == 0 {
		return ""
	}
	return fmt.Sprintf("%s only in an export of a part of it: %s", count(len(strange)), Describe(strange, 3))
}

// lacking describes the quotes that are not among others.
func lacking(quotes, others iter.Seq[*entry]) string {
	var there []uint64
	for e := range others {
		there = append(there, e.id)
	}
	slices.Sort(there)
	n, first := 0, entry{}
	for e := range quotes {
		if _, found := slices.BinarySearch(there, e.id); found {
			continue
		}
		if n++; n == 1 {
			first = *e
		}
	}
	switch {
	case n == 0:
		return ""
	case first.created == nowhere:
		return count(n)
	}
	return fmt.Sprintf("%s, the first created %s", count(n), instant(first.created))
}
