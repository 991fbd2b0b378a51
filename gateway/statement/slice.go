package statement

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
)

const (
	sliceRows = 300  // a slice that shows everything holds about so many quotes
	tries     = 32   // places that are looked at for each size
	farEdge   = 50   // rows that are passed over for an edge which no row lies on
	mostSlice = 2000 // quotes that a slice may hold
)

// slicer looks for the part of a window that shows the most.
type slicer struct {
	created, settled, marked []int64 // rising; of marked quotes the creation
	units                    map[Key]time.Duration
}

// Slice chooses a part of the window that holds a few hundred quotes: one with dates that several rows share, with both
// dates, with marked rows and others, as far as the file has such a part. ok is false where none is small enough.
func (d *Digest) Slice(rng *rand.Rand, w deployment.Window, created, settled time.Duration) (part deployment.Window,
	ok bool,
) {
	s := slicer{units: map[Key]time.Duration{CreatedAt: created, SettledDate: settled}, marked: slices.Clone(d.marked)}
	for key, dates := range map[Key]*[]int64{CreatedAt: &s.created, SettledDate: &s.settled} {
		*dates = make([]int64, 0, d.Count(key, w.Start, w.End)) // which may be millions
		for e := range d.within(key, w.Start, w.End) {
			*dates = append(*dates, e.date(key))
		}
	}
	for _, dates := range [][]int64{s.created, s.settled, s.marked} {
		slices.Sort(dates)
	}
	best := 0
	for _, size := range []int{sliceRows, 2 * sliceRows, 4 * sliceRows} {
		for range tries {
			if len(s.created) < size+2 {
				continue
			}
			i := 1 + rng.IntN(len(s.created)-size-1)
			from, until := s.edge(i), s.edge(i+size)
			if score := s.score(from, until); score > best {
				best, ok = score, true
				part = deployment.Window{Start: time.Unix(0, from).UTC(), End: time.Unix(0, until).UTC()}
			}
		}
	}
	return part, ok
}

// edge is an instant at or a little behind a row that no row lies on, where there is one: a whole minute if possible,
// or a whole second, so that how exactly bounds work does not show at the edges.
func (s *slicer) edge(i int) int64 {
	for _, unit := range []time.Duration{time.Minute, time.Second, max(s.units[CreatedAt], 1)} {
		for j := i; j < min(i+farEdge, len(s.created)); j++ {
			if at := s.created[j] - s.created[j]%int64(unit); at > s.created[j-1] && at < s.created[j] {
				return at
			}
			if at := s.created[j-1] + int64(unit); unit == s.units[CreatedAt] && at < s.created[j] {
				return at
			}
		}
	}
	return s.created[i]
}

// score is how much a part of the window shows, 0: not enough.
func (s *slicer) score(from, until int64) int {
	created := between(s.created, from, until)
	if len(created) > mostSlice || distinctDates(created) < 8 {
		return 0
	}
	score := 1
	add := func(points int, shows bool) {
		if shows {
			score += points
		}
	}
	settled, marked := between(s.settled, from, until), len(between(s.marked, from, until))
	add(4, len(settled) <= mostSlice && distinctDates(settled) >= 8)
	add(2, distinctDates(created) < len(created))
	add(1, distinctDates(settled) < len(settled))
	add(2, marked > 1 && marked < len(created)-1)
	add(1, s.units[CreatedAt] >= time.Second ||
		slices.ContainsFunc(created, func(at int64) bool { return at%int64(time.Second) != 0 }))
	return score
}

// between are the dates of a range.
func between(rising []int64, from, until int64) []int64 {
	lo, _ := slices.BinarySearch(rising, from)
	hi, _ := slices.BinarySearch(rising, until)
	return rising[lo:hi]
}

func distinctDates(rising []int64) int {
	n := 0
	for i, at := range rising {
		if i == 0 || at != rising[i-1] {
			n++
		}
	}
	return n
}
