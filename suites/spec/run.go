package spec

import (
	"context"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/onsi/ginkgo/v2/extensions/globals"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
)

// tree guards Ginkgo's tree of specs, of which a process has one.
var tree sync.Mutex

// silent satisfies Ginkgo's need for something that can fail: verdicts come from the checks.
type silent struct{}

func (silent) Fail() {}

// Order says how the specs of a run are shuffled.
type Order struct {
	Random bool
	Seed   int64
}

func (o Order) config() (types.SuiteConfig, types.ReporterConfig) {
	suite := types.NewDefaultSuiteConfig()
	suite.RandomizeAllSpecs, suite.RandomSeed = o.Random, o.Seed
	suite.Timeout = 24 * time.Hour // each request has its own limit
	suite.GracePeriod = time.Second
	quiet := types.NewDefaultReporterConfig()
	quiet.Succinct, quiet.NoColor = true, true
	return suite, quiet
}

// Prepare builds the tree of a plan and previews it, for a caller that runs no specs of its own in this process.
// declare declares the rules.
func (p *Plan) Prepare(order Order, declare func()) error {
	tree.Lock()
	defer tree.Unlock()
	defer p.quiet()()
	p.declare = declare
	p.Register("the gateway", declare)
	return p.Preview(order.config())
}

// quiet gives Ginkgo an empty tree and no console; what it returns puts things back.
func (p *Plan) quiet() func() {
	stdout := formatter.ColorableStdOut
	formatter.ColorableStdOut = io.Discard
	globals.Reset()
	return func() {
		globals.Reset()
		p.listen()
		formatter.ColorableStdOut = stdout
	}
}

// listen drops Ginkgo's handler of interrupts, which would go on swallowing them, and all others with it: who had some
// sets them again. One that comes right then is ignored, as it would end the process without a record.
func (p *Plan) listen() {
	if p.o.Listen == nil {
		signal.Reset(os.Interrupt, syscall.SIGTERM)
		return
	}
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	p.o.Listen()
}

// JudgeAll prepares, launches and judges everything: for tests and for callers that need no progress.
func (p *Plan) JudgeAll(ctx context.Context, declare func()) error {
	if err := p.Prepare(Order{}, declare); err != nil {
		return err
	}
	p.Launch(ctx, false)
	p.Wait() // Ginkgo's tree is held while specs run: plans that are judged side by side need not wait for each other's
	p.Judge(Order{})
	p.Wait()
	return nil
}

// Ready counts the specs that have nothing to wait for any more.
func (p *Plan) Ready() int {
	ready := 0
	for _, s := range p.specs {
		if p.ready(s) {
			ready++
		}
	}
	return ready
}

func (p *Plan) ready(s Spec) bool {
	return p.unmet(s.Rule) != nil || !slices.ContainsFunc(s.of.uses, func(n *node) bool { return !n.finished() })
}

// Restarts counts how often chains of requests were started anew.
func (p *Plan) Restarts() int {
	restarts := 0
	for _, n := range p.all() {
		if n.finished() && n.tries > 1 {
			restarts += n.tries - 1
		}
	}
	return restarts
}

// LongestChain is the time that the slowest observation spent on requests, those it waited for included: no run can be
// shorter. It is to be asked once the run has ended.
func (p *Plan) LongestChain() time.Duration {
	length := map[*node]time.Duration{}
	var of func(n *node) time.Duration
	of = func(n *node) time.Duration {
		if d, known := length[n]; known {
			return d
		}
		length[n] = 0
		var before time.Duration
		for _, used := range n.uses() {
			before = max(before, of(used))
		}
		length[n] = before + n.trace.OnWire()
		return length[n]
	}
	var longest time.Duration
	for _, n := range p.all() {
		longest = max(longest, of(n))
	}
	return longest
}
