package plan

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/extensions/globals"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"
)

// tree guards Ginkgo's tree of specs, of which a process has one.
var tree sync.Mutex

// silent satisfies Ginkgo's need for something that can fail: verdicts come from the checks' own results.
type silent struct{}

func (silent) Fail() {}

// Order says how the specs of a run are shuffled.
type Order struct {
	Random bool
	Seed   int64
}

// lookAgain is how long to wait before looking which checks can be judged now.
const lookAgain = 150 * time.Millisecond

// Execute judges every check of the plan in this process, as Ginkgo specs without Ginkgo's console. onResult is called
// after each check. Checks are judged as soon as all they await is there, whatever the order they were declared in, so
// that a violation is told when it is found. When Ginkgo is interrupted, the checks whose observations had ended are
// judged all the same: nothing that was seen is lost. Launch must have been called.
//
// Ginkgo goes on swallowing interrupts after its run, so handlers of os.Interrupt and SIGTERM are reset at the end: who
// had some registers them again.
func (p *Plan) Execute(order Order, onResult func(*Check)) {
	defer signal.Reset(os.Interrupt, syscall.SIGTERM)
	for !p.lazy {
		ready, pending := p.ready()
		if pending == 0 || p.base.Err() != nil {
			break
		}
		if len(ready) > 0 {
			p.pass(ready, order, onResult)
		}
		select {
		case <-time.After(lookAgain):
		case <-p.base.Done():
		}
	}
	p.pass(p.unjudged(), order, onResult)
	p.pass(p.seenUnjudged(), order, onResult)
}

// pass judges some checks in a run of Ginkgo's. A process has one tree of specs, so passes take turns.
func (p *Plan) pass(checks []*Check, order Order, onResult func(*Check)) {
	if len(checks) == 0 {
		return
	}
	tree.Lock()
	defer tree.Unlock()
	stdout := formatter.ColorableStdOut
	formatter.ColorableStdOut = io.Discard
	defer func() { formatter.ColorableStdOut = stdout }()
	globals.Reset()
	defer globals.Reset()
	gomega.RegisterFailHandler(p.Fail)
	p.register(checks, onResult)

	suite := types.NewDefaultSuiteConfig()
	suite.RandomizeAllSpecs = order.Random
	suite.RandomSeed = order.Seed
	suite.Timeout = 24 * time.Hour // each request has its own limit
	suite.GracePeriod = time.Second
	quiet := types.NewDefaultReporterConfig()
	quiet.Succinct = true
	quiet.NoColor = true
	ginkgo.RunSpecs(silent{}, "gateassay", suite, quiet)
}

// unjudged lists the checks without a result.
func (p *Plan) unjudged() []*Check {
	return slices.DeleteFunc(slices.Clone(p.checks), func(c *Check) bool { return c.result != nil })
}

// ready lists the unjudged checks that need not wait any more, and counts those that must.
func (p *Plan) ready() (ready []*Check, pending int) {
	for _, c := range p.unjudged() {
		waits := p.lacks(c) == nil && slices.ContainsFunc(c.Deps, func(d Awaited) bool { return !d.node().finished() })
		if waits {
			pending++
		} else {
			ready = append(ready, c)
		}
	}
	return ready, pending
}

// seenUnjudged lists checks without a result although all they await was seen: after an interrupt they can be judged.
func (p *Plan) seenUnjudged() []*Check {
	return slices.DeleteFunc(p.unjudged(), func(c *Check) bool {
		return p.lacks(c) == nil && (len(c.Deps) == 0 || slices.ContainsFunc(c.Deps, func(d Awaited) bool {
			n := d.node()
			return !n.finished() || errors.Is(n.err, Interrupted)
		}))
	})
}

// JudgeAll launches and judges everything: for tests and for callers that need no progress.
func (p *Plan) JudgeAll(ctx context.Context) {
	p.Launch(ctx, false)
	p.Execute(Order{}, nil)
	p.Wait()
}
