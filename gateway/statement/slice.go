package statement

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sort"
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
	created []int64 // rising
	marks   []bool  // of the rows of created
	settled []int64 // rising
	units   map[Key]time.Duration
}

// Slice chooses a part of the window that holds a few hundred quotes: one with dates that several rows share, with both
// dates, with marked rows and others, as far as the file has such a part. ok is false where none is small enough.
func (d *Digest) Slice(rng *rand.Rand, w deployment.Window, created, settled time.Duration) (part deployment.Window,
	ok bool,
) {
	s := slicer{units: map[Key]time.Duration{CreatedAt: created, SettledDate: settled}}
	lo, hi := w.Start.UnixNano(), w.End.UnixNano()
	order := make([]uint32, 0, len(d.created))
	for i, at := range d.created {
		if at != nowhere && at >= lo && at < hi {
			order = append(order, uint32(i))
		}
	}
	slices.SortFunc(order, func(a, b uint32) int { return cmp.Compare(d.created[a], d.created[b]) })
	s.created, s.marks = make([]int64, len(order)), make([]bool, len(order))
	for i, row := range order {
		s.created[i], s.marks[i] = d.created[row], d.marks[row]
	}
	for _, at := range d.settled {
		if at != nowhere && at >= lo && at < hi {
			s.settled = append(s.settled, at)
		}
	}
	slices.Sort(s.settled)
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
	lo, hi := between(s.created, from, until)
	created := s.created[lo:hi]
	if len(created) > mostSlice || distinctDates(created) < 8 {
		return 0
	}
	score := 1
	add := func(points int, shows bool) {
		if shows {
			score += points
		}
	}
	lo2, hi2 := between(s.settled, from, until)
	settled := s.settled[lo2:hi2]
	marked := 0
	for _, m := range s.marks[lo:hi] {
		if m {
			marked++
		}
	}
	add(4, len(settled) <= mostSlice && distinctDates(settled) >= 8)
	add(2, distinctDates(created) < len(created))
	add(1, distinctDates(settled) < len(settled))
	add(2, marked > 1 && marked < len(created)-1)
	add(1, s.units[CreatedAt] >= time.Second ||
		slices.ContainsFunc(created, func(at int64) bool { return at%int64(time.Second) != 0 }))
	return score
}

func between(rising []int64, from, until int64) (lo, hi int) {
	at := func(t int64) int { return sort.Search(len(rising), func(i int) bool { return rising[i] >= t }) }
	return at(from), at(until)
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
