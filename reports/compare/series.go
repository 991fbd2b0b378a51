package compare

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/gateassay/gateassay/load/results"
)

const (
	mostPieces = 400  // of a run; longer runs are joined into longer pieces
	buckets    = 4200 // of a piece's distribution, each half a percent wide, from 1 µs to beyond 10 minutes
	width      = 0.005
)

// piece is what happened in one interval of a run, or in a few neighbours.
type piece struct {
	stage     int
	from, to  float64 // seconds
	sent, due int64
	answered  int64
	bad       int64
	times     [2]spread // service, response
}

// spread is a distribution: counts by bucket.
type spread map[int]int64

func bucketOf(d time.Duration) int {
	us := float64(d) / float64(time.Microsecond)
	if us <= 1 {
		return 0
	}
	return min(buckets-1, 1+int(math.Log(us)/width))
}

// bucketMS is the middle of a bucket in milliseconds.
func bucketMS(b int) float64 {
	if b == 0 {
		return 0.001
	}
	return math.Exp((float64(b)-0.5)*width) / 1000
}

func (s spread) add(other spread) {
	for b, n := range other {
		s[b] += n
	}
}

func (s spread) count() (total int64) {
	for _, n := range s {
		total += n
	}
	return total
}

// quantile of a distribution in milliseconds; nil without any.
func (s spread) quantile(p float64) *float64 {
	var sum int64
	total := float64(s.count())
	for _, b := range slices.Sorted(maps.Keys(s)) {
		if sum += s[b]; float64(sum) >= p/100*total {
			ms := bucketMS(b)
			return &ms
		}
	}
	return nil
}

func (p *piece) join(q piece) {
	p.to = q.to
	p.sent, p.due, p.answered, p.bad = p.sent+q.sent, p.due+q.due, p.answered+q.answered, p.bad+q.bad
	for i := range p.times {
		p.times[i].add(q.times[i])
	}
}

// readSeries reads the intervals of a run as far as they are whole.
func readSeries(dir string) ([]piece, error) {
	var all []piece
	var due, sent int64
	err := results.Intervals(dir, func(i *results.Interval) {
		p := piece{
			stage: i.Stage, from: float64(i.From) / 1e9, to: float64(i.To) / 1e9,
			sent: max(0, i.Sent-sent), due: max(0, i.Due-due), answered: i.Answered, bad: i.Bad,
			times: [2]spread{{}, {}},
		}
		sent, due = max(sent, i.Sent), max(due, i.Due)
		for n, d := range []*results.Distribution{i.Service, i.Response} {
			d.Each(func(t time.Duration, count int64) { p.times[n][bucketOf(t)] += count })
		}
		if all = append(all, p); len(all) >= 4*mostPieces { // keeps memory bounded for runs of days
			all = joined(all, 2)
		}
	})
	if err != nil {
		return all, err
	}
	if len(all) > mostPieces {
		all = joined(all, (len(all)+mostPieces-1)/mostPieces)
	}
	// A run's last interval, and one between two joined ones, can be a fraction of the others: its percentiles say
	// little.
	if n := len(all); n > 2 && all[n-1].stage == all[n-2].stage &&
		all[n-1].to-all[n-1].from < (all[n-2].to-all[n-2].from)/2 {
		all[n-2].join(all[n-1])
		all = all[:n-1]
	}
	return all, nil
}

// joined makes pieces of n neighbours of one stage.
func joined(all []piece, n int) []piece {
	var out []piece
	inside := 0
	for _, p := range all {
		if inside > 0 && inside < n && out[len(out)-1].stage == p.stage {
			out[len(out)-1].join(p)
			inside++
			continue
		}
		out = append(out, p)
		inside = 1
	}
	return out
}
