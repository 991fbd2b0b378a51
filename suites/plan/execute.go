package plan

import (
	"context"
	"io"
	"os"
	"os/signal"
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

// Execute judges every check of the plan in this process, as Ginkgo specs without Ginkgo's console. onResult is called
// after each check. When Ginkgo is interrupted, the checks whose observations had ended are judged in a second pass, so
// nothing that was seen is lost. Launch must have been called.
func (p *Plan) Execute(order Order, onResult func(*Check)) {
	tree.Lock()
	defer tree.Unlock()
	stdout := formatter.ColorableStdOut
	formatter.ColorableStdOut = io.Discard
	defer func() { formatter.ColorableStdOut = stdout }()

	p.pass(order, onResult)
	if rest := p.Unjudged(); len(rest) > 0 {
		all := p.checks
		p.checks = rest
		p.pass(order, onResult)
		p.checks = all
	}
}

func (p *Plan) pass(order Order, onResult func(*Check)) {
	globals.Reset()
	defer globals.Reset()
	gomega.RegisterFailHandler(p.Fail)
	p.Register(onResult)

	suite := types.NewDefaultSuiteConfig()
	suite.RandomizeAllSpecs = order.Random
	suite.RandomSeed = order.Seed
	suite.Timeout = 24 * time.Hour // each request has its own limit
	suite.GracePeriod = time.Second
	quiet := types.NewDefaultReporterConfig()
	quiet.Succinct = true
	quiet.NoColor = true
	ginkgo.RunSpecs(silent{}, "gateassay", suite, quiet)
	// Ginkgo keeps swallowing Ctrl-C after its run; the default action must be back, and with it the caller's handlers.
	signal.Reset(os.Interrupt, syscall.SIGTERM)
}

// JudgeAll launches and judges everything: for tests and for callers that need no progress.
func (p *Plan) JudgeAll(ctx context.Context) {
	p.Launch(ctx, false)
	p.Execute(Order{}, nil)
	p.Wait()
}
