package schedule

import "time"

// Share is the part of a schedule that one of several processes sends: each request whose origin is
// its turn, in a circle. The origin of a request is itself, or, of a repeat, what it repeats: one
// process sends both, and so can judge them. It is immutable and safe for concurrent use.
type Share struct {
	schedule      *Schedule
	shard, shards int64
	origin        func(k int64) int64 // nil: each request is its own
	before        []int64             // own requests before each block, where there are origins
}

const blockSize = 1 << 12

// NewShare lays out what a shard sends, which takes a while for many requests that have an origin.
func (s *Schedule) NewShare(shard, shards int, origin func(k int64) int64) *Share {
	p := &Share{schedule: s, shard: int64(shard), shards: int64(shards), origin: origin}
	if shards > 1 && origin != nil {
		own := int64(0)
		for k := int64(0); k <= s.requests; k++ {
			if k%blockSize == 0 {
				p.before = append(p.before, own)
			}
			if k < s.requests && p.owns(k) {
				own++
			}
		}
	} else {
		p.origin = nil
	}
	return p
}

func (p *Share) owns(k int64) bool {
	if p.origin != nil {
		k = p.origin(k)
	}
	return k%p.shards == p.shard
}

// CountBefore counts the own requests among the first n of the schedule.
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

// Count is how many requests there are.
func (p *Share) Count() int64 { return p.CountBefore(p.schedule.requests) }

// DueBy counts those that should have been sent by a moment.
func (p *Share) DueBy(t time.Duration) int64 { return p.CountBefore(p.schedule.DueBy(t)) }

// Rate returns the target rate at a moment, in requests per second.
func (p *Share) Rate(t time.Duration) float64 { return p.schedule.Rate(t) / float64(p.shards) }

// Cursor walks the requests of a share in order, faster than DueAt finds each. It is for one
// goroutine.
type Cursor struct {
	share   *Share
	next    int64
	segment int
}

// NewCursor starts at the first request.
func (p *Share) NewCursor() *Cursor { return &Cursor{share: p} }

// Next returns the next request and when it is due, from the start of the schedule; ok is false
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
