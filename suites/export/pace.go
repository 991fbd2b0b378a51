package export

import (
	"sync"
	"time"
)

// pace is how long the files of this run took.
type pace struct {
	mu      sync.Mutex
	files   int
	longest time.Duration
}

func (p *pace) saw(took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files++
	p.longest = max(p.longest, took)
}

const (
	enoughFiles   = 3               // to know how long a file takes
	leastPatience = 5 * time.Second // with a file that is nowhere, whatever the others took
)

// absent is how long a file that is answered with 404 or 204 may just be early; 0 while too few files came.
func (p *pace) absent() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.files < enoughFiles {
		return 0
	}
	return max(leastPatience, 4*p.longest)
}
