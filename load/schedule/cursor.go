package schedule

import (
	"fmt"
	"time"
)

// Cursor walks the requests of one shard in order, faster than At finds each. It is for one goroutine.
type Cursor struct {
	schedule *Schedule
	next     int64
	stride   int64
	segment  int
}

// Cursor starts at the first request of a shard: shard, shard+shards, shard+2·shards, ... It panics unless
// 0 <= shard < shards.
func (s *Schedule) Cursor(shard, shards int) *Cursor {
	if shard < 0 || shard >= shards {
		panic(fmt.Sprintf("schedule: shard %d of %d", shard, shards))
	}
	return &Cursor{schedule: s, next: int64(shard), stride: int64(shards)}
}

// Next gives the next request and when it is meant to be sent, from the start of the schedule; ok is false after the last.
func (c *Cursor) Next() (k int64, at time.Duration, ok bool) {
	k = c.next
	if k >= c.schedule.requests {
		return k, 0, false
	}
	for c.schedule.segments[c.segment].next <= k {
		c.segment++
	}
	c.next += c.stride
	return k, c.schedule.segments[c.segment].at(k), true
}

// Count is how many of the schedule's K requests a shard owns.
func (s *Schedule) Count(shard, shards int) int64 {
	if int64(shard) >= s.requests {
		return 0
	}
	return (s.requests-int64(shard)-1)/int64(shards) + 1
}

// Pacer paces a vegeta.Attacker by the schedule: it has the methods of vegeta.Pacer. Hit n of shard i of N is request
// i + N·n.
type Pacer struct {
	schedule      *Schedule
	shard, shards int64
}

// Pacer gives the pacer of one shard. It panics unless 0 <= shard < shards.
func (s *Schedule) Pacer(shard, shards int) Pacer {
	s.Cursor(shard, shards)
	return Pacer{s, int64(shard), int64(shards)}
}

// Pace says how long to wait before the next hit after that many, and whether there is none.
func (p Pacer) Pace(elapsed time.Duration, hits uint64) (wait time.Duration, stop bool) {
	if hits >= uint64(p.schedule.requests) {
		return 0, true
	}
	k := p.shard + p.shards*int64(hits)
	if k >= p.schedule.requests {
		return 0, true
	}
	return max(p.schedule.At(k)-elapsed, 0), false
}

// Rate is the shard's part of the rate at a moment, in requests per second.
func (p Pacer) Rate(elapsed time.Duration) float64 {
	return p.schedule.Rate(elapsed) / float64(p.shards)
}

// K is the request that the shard's hit n is.
func (p Pacer) K(n uint64) int64 { return p.shard + p.shards*int64(n) }

func (p Pacer) String() string {
	return fmt.Sprintf("Schedule{%d requests in %s, shard %d of %d}", p.schedule.requests, p.schedule.Duration(), p.shard, p.shards)
}
