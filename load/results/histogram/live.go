package histogram

import (
	"sync/atomic"
	"time"
)

// Live is counted into by any number of goroutines at once while another drains it. The zero value is ready.
type Live struct {
	pages   [pages]atomic.Pointer[livePage]
	clamped atomic.Int64
}

type livePage [pageSize]atomic.Uint32

// Record counts a duration. It allocates a page of 4 KiB the first time that a range of durations is seen.
func (l *Live) Record(d time.Duration) {
	ns, outside := clamp(d)
	if outside {
		l.clamped.Add(1)
	}
	page, slot := place(ns)
	p := l.pages[page].Load()
	if p == nil {
		p = l.open(page)
	}
	p[slot].Add(1)
}

func (l *Live) open(page int) *livePage {
	fresh := new(livePage)
	if l.pages[page].CompareAndSwap(nil, fresh) {
		return fresh
	}
	return l.pages[page].Load()
}

// Drain moves every count into h. A count that arrives meanwhile is moved now or by the next Drain, never lost and
// never moved twice.
func (l *Live) Drain(h *Histogram) {
	for i := range l.pages {
		p := l.pages[i].Load()
		if p == nil {
			continue
		}
		for slot := range p {
			if p[slot].Load() == 0 {
				continue
			}
			h.add(i, slot, int64(p[slot].Swap(0)))
		}
	}
	if l.clamped.Load() != 0 {
		h.clamped += l.clamped.Swap(0)
	}
}
