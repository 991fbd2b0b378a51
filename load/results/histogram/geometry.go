// Package histogram counts durations in HdrHistogram's buckets: from 1 µs to 10 minutes, exact to three digits, in
// nanoseconds. Live is written by many goroutines without locks and drained by one; Histogram is what it is drained
// into, merged exactly, and encoded as HdrHistogram V2, which every HdrHistogram library reads.
package histogram

import (
	"math/bits"
	"time"
)

// The range of what is counted. A duration outside is counted at the nearest end and in Clamped.
const (
	Lowest  = time.Microsecond
	Highest = 10 * time.Minute
	Digits  = 3
)

// Buckets are numbered as HdrHistogram numbers them for (1000, 6e11, 3): units of 512 ns, 2048 of them in the first
// bucket and 1024 in each that follows, every one twice as coarse as the one before. A page is 1024 counts.
const (
	unitBits = 9
	halfBits = 10
	pageSize = 1 << halfBits
	pages    = 22
	topMask  = int64(2*pageSize-1) << unitBits
)

// place gives page and slot of a duration within the range.
func place(d int64) (page, slot int) {
	bucket := 64 - bits.LeadingZeros64(uint64(d|topMask)) - unitBits - halfBits - 1
	sub := int(d >> (bucket + unitBits))
	index := (bucket+1)<<halfBits + sub - pageSize
	return index >> halfBits, index & (pageSize - 1)
}

// bounds gives the durations that share a slot: from the lowest to the highest, both included.
func bounds(page, slot int) (low, high int64) {
	bucket, sub := page-1, int64(slot+pageSize)
	if bucket < 0 {
		bucket, sub = 0, int64(slot)
	}
	shift := bucket + unitBits
	return sub << shift, (sub+1)<<shift - 1
}

// clamp brings a duration into the range.
func clamp(d time.Duration) (within int64, clamped bool) {
	switch {
	case d < 0:
		return 0, true
	case d > Highest:
		return int64(Highest), true
	}
	return int64(d), false
}
