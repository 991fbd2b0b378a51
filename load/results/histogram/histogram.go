package histogram

import (
	"math"
	"time"
)

// Histogram holds counts for one goroutine. The zero value is ready; pages of 8 KiB are allocated as ranges of
// durations appear. It must not be copied.
type Histogram struct {
	pages   [pages]*[pageSize]int64
	total   int64
	clamped int64
}

// Record counts a duration.
func (h *Histogram) Record(d time.Duration) {
	ns, outside := clamp(d)
	if outside {
		h.clamped++
	}
	page, slot := place(ns)
	h.add(page, slot, 1)
}

func (h *Histogram) add(page, slot int, n int64) {
	p := h.pages[page]
	if p == nil {
		p = new([pageSize]int64)
		h.pages[page] = p
	}
	p[slot] += n
	h.total += n
}

// Add merges another histogram, exactly.
func (h *Histogram) Add(other *Histogram) {
	if other == nil {
		return
	}
	for i, p := range other.pages {
		if p == nil {
			continue
		}
		for slot, n := range p {
			if n != 0 {
				h.add(i, slot, n)
			}
		}
	}
	h.clamped += other.clamped
}

// Take removes one duration that shares a bucket with d; false when there is none.
func (h *Histogram) Take(d time.Duration) bool {
	ns, _ := clamp(d)
	page, slot := place(ns)
	if p := h.pages[page]; p == nil || p[slot] == 0 {
		return false
	}
	h.add(page, slot, -1)
	return true
}

// Reset empties the histogram and keeps its pages.
func (h *Histogram) Reset() {
	for _, p := range h.pages {
		if p != nil {
			clear(p[:])
		}
	}
	h.total, h.clamped = 0, 0
}

// Count is how many durations were counted.
func (h *Histogram) Count() int64 { return h.total }

// Clamped is how many of them were outside the range.
func (h *Histogram) Clamped() int64 { return h.clamped }

// Quantile is the highest duration that shares a bucket with the one that p percent of all are at most; 0 without any.
func (h *Histogram) Quantile(p float64) time.Duration {
	if h.total == 0 || math.IsNaN(p) {
		return 0
	}
	p = min(max(p, 0), 100)
	rank := max(int64(math.Ceil(p/100*float64(h.total)-1e-9*p)), 1)
	var below int64
	for i, page := range h.pages {
		if page == nil {
			continue
		}
		for slot, n := range page {
			if below += n; n != 0 && below >= rank {
				_, high := bounds(i, slot)
				return time.Duration(high)
			}
		}
	}
	return h.Max()
}

// Max is the highest duration that shares a bucket with the longest counted; 0 without any.
func (h *Histogram) Max() time.Duration {
	for i := pages - 1; i >= 0; i-- {
		if h.pages[i] == nil {
			continue
		}
		for slot := pageSize - 1; slot >= 0; slot-- {
			if h.pages[i][slot] != 0 {
				_, high := bounds(i, slot)
				return time.Duration(high)
			}
		}
	}
	return 0
}

// Mean is the average, each duration taken as the middle of its bucket; 0 without any.
func (h *Histogram) Mean() time.Duration {
	if h.total == 0 {
		return 0
	}
	var sum float64
	h.Each(func(low, high time.Duration, n int64) {
		sum += float64(n) * (float64(low) + float64(high+1-low)/2)
	})
	return time.Duration(sum / float64(h.total))
}

// Each calls f for every bucket that counted something, in order; low and high are included.
func (h *Histogram) Each(f func(low, high time.Duration, n int64)) {
	for i, page := range h.pages {
		if page == nil {
			continue
		}
		for slot, n := range page {
			if n != 0 {
				low, high := bounds(i, slot)
				f(time.Duration(low), time.Duration(high), n)
			}
		}
	}
}
