package spec

import "sync"

// underWay counts what goes on. Unlike a sync.WaitGroup it may be counted up again while those who waited are let go:
// an observation of an earlier turn that a later one asks for is launched at any time.
type underWay struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when nothing goes on any more; nil: nobody waits
}

func (u *underWay) begin() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.n++
}

func (u *underWay) end() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.n--; u.n == 0 && u.idle != nil {
		close(u.idle)
		u.idle = nil
	}
}

// wait returns once nothing goes on.
func (u *underWay) wait() {
	u.mu.Lock()
	if u.n == 0 {
		u.mu.Unlock()
		return
	}
	if u.idle == nil {
		u.idle = make(chan struct{})
	}
	idle := u.idle
	u.mu.Unlock()
	<-idle
}
