package suites

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/doctor"
)

const (
	// unconnected is how many attempts to connect have to fail: a deployment may be restarting.
	unconnected = 3
	// hopeless is how many requests in a row have to fail on the side of the deployment, once all controls gave up.
	hopeless = 4

	// A deployment is given up when this many requests in a row, over at least this time, got no answer at all: every
	// further one would only wait for its timeout.
	silentRequests = 40
	silentFor      = 10 * time.Second
	// So it is when it leaves one request in many without an answer: a run that waits for each of them finds no end.
	lostRequests = 40
	lostShare    = 20 // one in so many
	lostFor      = 80 * time.Second
)

// pulse notices a deployment that cannot be tested, or stopped answering in the middle of a run.
type pulse struct {
	giveUp context.CancelCauseFunc
	cutOff context.CancelFunc // called when nothing can be connected to; nil: nobody asks

	mu          sync.Mutex
	last        map[client.Operation]*client.Exchange
	unconnected int       // attempts to connect that failed, in a row
	broken      int       // requests that got no answer or a server error, in a row; one that does not pass counts twice
	silent      int       // requests that got no answer, in a row
	since       time.Time // the first of these
	sent        int
	lost        int       // of those, without an answer in time
	begun       time.Time // the first of them
	dead        error     // why the run was given up; nil: it was not
}

// heard takes note of an exchange.
func (p *pulse) heard(x *client.Exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last[x.Operation] = x
	if p.sent++; p.sent == 1 {
		p.begun = x.StartedAt
	}
	switch p.broken++; {
	case x.Err == nil && x.Status < 500:
		p.broken = 0
	case !x.Transient():
		p.broken++ // the controls do not try again: it is no trouble that passes
	}
	if p.unconnected++; !doctor.Unconnected(x) {
		p.unconnected = 0
	} else if p.unconnected == unconnected && p.cutOff != nil {
		p.cutOff()
	}
	switch {
	case x.Err == nil:
		p.silent = 0
		return
	case x.Err.Kind == client.Canceled:
		return
	case x.Err.Kind == client.TimedOut:
		p.lost++
	}
	if p.silent++; p.silent == 1 {
		p.since = x.StartedAt
	}
	switch {
	case p.lost >= lostRequests && p.lost*lostShare >= p.sent && time.Since(p.begun) >= lostFor:
		p.end(fmt.Errorf("the deployment left %d of %d requests without an answer, and the run would take too long: "+
			"what was found until then counts", p.lost, p.sent))
	case p.silent >= silentRequests && time.Since(p.since) >= silentFor:
		p.end(fmt.Errorf("the deployment stopped answering: %d requests in a row got none, the last: %w", p.silent, x.Err))
	}
}

// end gives the run up, unless it was given up before. The lock is held.
func (p *pulse) end(why error) {
	if p.dead == nil {
		p.dead = why
		p.giveUp(why)
	}
}

// stop gives the run up for a reason; nil: there is none.
func (p *pulse) stop(why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if why != nil {
		p.end(why)
	}
}

// verdict is the reason why the run was given up; nil: it was not.
func (p *pulse) verdict() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dead
}

// answer is the last one of an operation; nil: there was none.
func (p *pulse) answer(op client.Operation) *client.Exchange {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last[op]
}

// ill reports whether nothing can be connected to, and whether whatever is sent fails.
func (p *pulse) ill() (dead, broken bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.unconnected >= unconnected, p.broken >= hopeless
}
