package judge

import "sync"

// pairs judges requests that are sent twice in a row, so that both may be under way at once:
// whichever is accepted, the other must not be.
type pairs struct {
	mu   sync.Mutex
	open map[int64]Class // of the request answered first, by the pair's first request
}

// mostOpen bounds the memory; a deployment that answers nothing leaves pairs open.
const mostOpen = 1 << 16

// Pair judges one request of a pair, whose first is request first of the run, again in the light of
// the other, once both were answered. v is its verdict by itself, status its answer's.
func (j *Judge) Pair(first int64, v Verdict, status int, expect Expect, mode int) Verdict {
	p := &j.pairs
	p.mu.Lock()
	defer p.mu.Unlock()
	other, both := p.open[first]
	if both {
		delete(p.open, first)
	} else if len(p.open) < mostOpen {
		p.open[first] = v.Class
	}
	switch {
	case !both || expect == Block: // the one is judged by itself
	case other == Accepted && v.Class == Accepted:
		return Verdict{Class: MissedBlock, Rule: j.race(mode)}
	case other == Blocked && v.Class == Blocked && j.blockStatus != 0 && status != j.blockStatus:
		return Verdict{Class: ClientError}
	case other == Blocked && v.Class == Blocked:
		return Verdict{Class: FalseBlock, Rule: j.first(mode)}
	}
	return v
}
