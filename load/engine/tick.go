package engine

import "time"

// tick is the least time between two wakings of the scheduler. On an idle machine each costs more than sending a
// request does, so above 1,000 requests a second those that fall due within a millisecond are sent together: up to that
// late, never early, and reported as lag.
const tick = time.Millisecond

// afterTick is when to wake for something due at the moment at.
func afterTick(at, now, woken time.Duration) time.Duration {
	if now >= at {
		return now
	}
	return max(at, woken+tick)
}
