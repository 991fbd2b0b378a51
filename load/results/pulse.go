package results

import (
	"sync"
	"time"
)

// pulse is what lets others tell a shard that waits from one that was killed.
type pulse struct {
	once          sync.Once
	stop, stopped chan struct{}
}

// beat writes a line each second until it is ended. Only records of shards have such lines.
func (r *Recorder) beat() *pulse {
	if r.o.Info.Shards < 2 {
		return nil
	}
	p := &pulse{stop: make(chan struct{}), stopped: make(chan struct{})}
	go func() {
		defer close(p.stopped)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-p.stop:
				return
			case <-tick.C:
				r.mu.Lock()
				r.append(line{Type: lineAlive})
				r.mu.Unlock()
				_ = r.file.Sync() // a shared folder may keep what is not synced from others
			}
		}
	}()
	return p
}

// end waits for the last line, and may be called again.
func (p *pulse) end() {
	if p == nil {
		return
	}
	p.once.Do(func() { close(p.stop) })
	<-p.stopped
}
