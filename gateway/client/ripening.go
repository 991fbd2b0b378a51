package client

import (
	"sync"
	"time"
)

const (
	firstPoll     = 50 * time.Millisecond
	slowestPoll   = time.Second
	firstPatience = time.Second // of who waits for what the scouts find out
	mostPatience  = 8 * time.Second
	mostScouts    = 3
)

// ripening is how long files take on a deployment, as far as a run has seen. The first fetches ask often; the others
// wait for what those find out, so that slow files do not multiply the requests of a run.
type ripening struct {
	mu     sync.Mutex
	scouts int
	least  time.Duration // that a file took which was not there at once; 0: not known
	known  chan struct{} // closed once least is known
}

// polling is how one fetch waits between its polls.
type polling struct {
	*ripening
	begun, scout bool
	next         time.Duration
}

func (r *ripening) join() *polling { return &polling{ripening: r} }

// pause is how long to wait before the next poll of a file that was first asked for that long ago, and is in the making
// or got no answer. The pause is to be asked for anew when the channel is closed, where there is one.
func (p *polling) pause(ago time.Duration, making bool) (time.Duration, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if making && !p.begun {
		p.begun = true
		if p.scouts++; p.scouts <= mostScouts {
			p.scout = true
		}
	}
	switch {
	case making && p.least > ago:
		p.next = 0
		return p.least - ago, nil
	case p.least > 0 || p.scout || !making:
		first := max(firstPoll, p.least/8)
		p.next = max(first, min(p.next*3/2, max(first, slowestPoll)))
		return p.next, nil
	}
	p.next = max(firstPatience, min(2*p.next, mostPatience))
	return p.next, p.known
}

// ready notes how long a file took.
func (p *polling) ready(took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.begun {
		return // it was there at once, and may have been long before
	}
	if p.least == 0 {
		close(p.known)
	}
	if p.least == 0 || took < p.least {
		p.least = took
	}
}
