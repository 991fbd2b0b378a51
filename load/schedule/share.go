package schedule

import "time"

// A Share is the part of a schedule that one of several processes sends: shard i of N sends each
// request whose origin k has k mod N = i. The origin of a repeat is the request that it repeats;
// other requests are their own origin. So one process sends both, and can judge them. A Share is
// immutable and safe for concurrent use.
type Share struct {
	schedule      *Schedule
	shard, shards int64
	origin        func(k int64) int64 // nil: each request is its own origin
	before        []int64             // own requests before each block; unused without origin
}

const blockSize = 1 << 12

// NewShare returns the share of a shard. If origin is not nil, it calls origin for all requests,
// which takes time.
func (s *Schedule) NewShare(shard, shards int, origin func(k int64) int64) *Share {
	p := &Share{schedule: s, shard: int64(shard), shards: int64(shards)}
	if shards == 1 || origin == nil {
		return p
	}
	p.origin = origin
	own := int64(0)
	for k := range s.requests + 1 {
		if k%blockSize == 0 {
			p.before = append(p.before, own)
		}
		if k < s.requests && p.owns(k) {
			own++
		}
	}
	return p
}

func (p *Share) owns(k int64) bool {
	if p.origin != nil {
		k = p.origin(k)
	}
	return k%p.shards == p.shard
}

// CountBefore returns the number of own requests among the first n of the schedule.
func (p *Share) CountBefore(n int64) int64 {
	if p.origin == nil {
		return (n - p.shard + p.shards - 1) / p.shards
	}
	own := p.before[n/blockSize]
	for k := n / blockSize * blockSize; k < n; k++ {
		if p.owns(k) {
			own++
		}
	}
	return own
}

// Count returns the number of requests of the share.
func (p *Share) Count() int64 { return p.CountBefore(p.schedule.requests) }

// DueBy returns the number of own requests that should have been sent by a moment.
func (p *Share) DueBy(t time.Duration) int64 { return p.CountBefore(p.schedule.DueBy(t)) }

// A Cursor iterates over the requests of a share in order, faster than DueAt. It is not safe for
// concurrent use.
type Cursor struct {
	share   *Share
	next    int64
	segment int
}

// NewCursor returns a cursor at the first request.
func (p *Share) NewCursor() *Cursor { return &Cursor{share: p} }

// Next returns the next request and its due time, from the start of the schedule. ok is false
// after the last.
func (c *Cursor) Next() (k int64, at time.Duration, ok bool) {
	s := c.share.schedule
	for k = c.next; k < s.requests && !c.share.owns(k); {
		k++
	}
	if c.next = k + 1; k >= s.requests {
		return k, 0, false
	}
	for s.segments[c.segment].next <= k {
		c.segment++
	}
	return k, s.segments[c.segment].dueAt(k), true
}
