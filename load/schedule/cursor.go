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

// Next gives the next request and when it is meant to be sent, from the start of the schedule; ok is false after the
// last.
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
func (s *Schedule) Count(shard, shards int) int64 { return Share(s.requests, shard, shards) }

// Share is how many of the first n requests of a schedule a shard owns.
func Share(n int64, shard, shards int) int64 {
	return (n - int64(shard) + int64(shards) - 1) / int64(shards)
}
