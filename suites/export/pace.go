package export

import (
	"sync"
	"time"

	"github.com/gateassay/gateassay/suites/spec"
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
	telling       = 3               // files that tell how long a file takes
	leastPatience = 5 * time.Second // with a file that is nowhere, whatever the others took
)

// absent is how long a file that is answered with 404 or 204 may just be early; 0 while too few files have told.
func (p *pace) absent() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.files < telling {
		return 0
	}
	return max(leastPatience, 4*p.longest)
}

// fileless tells why an export of which no quote was expected shows nothing: no file came of it, and whether one has to is
// not documented. nil: that is not the reason.
func (sh *sheet) fileless() error {
	if sh.fault == nil || !sh.fault.NoFile() {
		return nil
	}
	return spec.Unmet("", "no file came of the export (%s), which may be how the deployment answers one without quotes", sh.fault.Error())
}
