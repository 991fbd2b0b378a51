package spec

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/suites/record"
)

// CaseResult is the result of a case.
type CaseResult struct {
	record.CheckResult
	Evidence Evidence // of a failure

	plan     *Plan
	testCase *Case
	awaited  []*observationNode
	matcher  gomega.OmegaMatcher // of the current assertion
	actual   any                 // the value that the matcher judges

	inGinkgo    bool // a Ginkgo spec judges the case
	ended       bool // by endCase
	cleanups    []func()
	interrupted bool // the run was interrupted: the result is dropped
}

// FailureMessage returns the text of a finding: its sentence, what was expected and what came.
func FailureMessage(f record.Finding) string {
	return f.Sentence() + "\nexpected: " + f.Expected + "\nactual: " + f.Actual
}

// failAssertion handles a failed assertion and does not return. If the matcher is a
// FindingMatcher, its finding is recorded. A failure that may be due to an undocumented name ends
// the case without a verdict. An excused failure is recorded and skips Ginkgo's spec.
func (c *CaseResult) failAssertion(message string, callerSkip ...int) {
	skip := 1
	if len(callerSkip) > 0 {
		skip += callerSkip[0]
	}
	if err := c.undocumentedNameReason(); err != nil {
		c.stopWithoutVerdict(err)
	}
	c.Verdict, c.Message = record.VerdictFail, c.plan.options.Redact(message)
	if m, says := c.matcher.(FindingMatcher); says {
		c.Finding, c.Evidence = m.Finding(c.actual)
		c.Evidence.addToFinding(&c.Finding)
		c.Finding = c.MapTexts(c.plan.options.Redact)
		c.Message = c.Sentence()
	}
	why := ""
	if c.plan.options.ExcuseFailure != nil {
		why = c.plan.options.ExcuseFailure(c.testCase.Rule.Rule)
	}
	c.endCase(why, c.plan.options.Redact(message), skip)
}

// undocumentedNameReason returns why the failure may be due to a name that the document does not
// show; nil: it is not.
func (c *CaseResult) undocumentedNameReason() error {
	for _, shown := range c.testCase.nameEvidence {
		if err := shown.actAndWait(c.plan.baseContext); err != nil {
			return err
		}
	}
	return nil
}

// stopWithoutVerdict ends the case as not verified or inconclusive, and does not return.
func (c *CaseResult) stopWithoutVerdict(err error) {
	verdict := record.VerdictInconclusive
	if r, is := errors.AsType[*Reason](err); is {
		c.MissingKey, c.KeyIsGiven = r.Key, r.Key != "" && r.Text != ""
		if !r.Inconclusive {
			verdict = record.VerdictNotVerified
		}
	}
	c.interrupted = errors.Is(err, ErrInterrupted)
	c.Verdict, c.Message = verdict, c.plan.options.Redact(err.Error())
	c.endCase(strings.ReplaceAll(string(verdict), "_", " "), c.Message, 3)
}

// caseEnd is the panic value that ends a case outside Ginkgo, or an act of ObserveAsCase. reason
// is set for acts only.
type caseEnd struct{ reason error }

// endCase ends the case early and does not return. Inside Ginkgo, the spec is skipped if skipped
// is not empty, and fails otherwise.
func (c *CaseResult) endCase(skipped, message string, skip int) {
	c.ended = true
	switch {
	case !c.inGinkgo:
		panic(caseEnd{})
	case skipped != "":
		ginkgo.Skip(skipped+": "+message, skip+1)
	default:
		k, assertion := c.testCase, types.NewCodeLocation(skip+1)
		if !k.Rule.ofImporter || assertion.FileName != k.Location.FileName {
			k.failWhereDeclared(c.plan, message)
		}
		ginkgo.Fail(message, skip+1)
	}
}

// globalExpectFailure is the message of a failed gomega.Expect in a case outside Ginkgo.
type globalExpectFailure string

// judgeCase runs a case and stores its result. Panics of Ginkgo pass through. The result is stored
// after unwinding, because storing takes a lock.
func (p *Plan) judgeCase(ctx ginkgo.SpecContext, k *Case, inGinkgo bool) {
	c := &CaseResult{
		CheckResult: record.CheckResult{
			Rule:       k.Rule.ID,
			CaseNumber: k.Number,
			Name:       k.Text,
			Exchanges:  []int{},
		},
		plan: p, testCase: k, inGinkgo: inGinkgo,
	}
	r, stack := callRecovering(func() {
		defer c.cleanUp()
		if err := p.options.Unmet(k.Rule.Rule); err != nil {
			c.stopWithoutVerdict(err)
		}
		k.judge(
			Context{SpecContext: caseContext{ctx, c}, Gomega: gomega.NewGomega(c.failAssertion), check: c})
	})
	c.interrupted = c.interrupted || ctx.Err() != nil // what it found says nothing
	switch with := r.(type) {
	case nil, caseEnd:
	case globalExpectFailure:
		c.Verdict, c.Message = record.VerdictFail, p.options.Redact(string(with))
	default:
		if inGinkgo && !c.ended && isGinkgoPanic(r) {
			ginkgo.DeferCleanup(func() { p.storeCheck(k, c.fromSpecReport(ginkgo.CurrentSpecReport())) })
			panic(r)
		}
		if !c.ended || !inGinkgo {
			p.addHarnessError("case %q of %s panicked: %v\n%s", k.Text, c.Rule, r, stack)
			c.Verdict = record.VerdictInconclusive
			c.Message = p.options.Redact(fmt.Sprintf("the harness failed here: %v", r))
		}
	}
	p.storeCheck(k, c)
	if r != nil && inGinkgo {
		panic(r)
	}
}

// cleanUp calls the cleanups, the last one first, even where one of them panics.
func (c *CaseResult) cleanUp() {
	for _, cleanup := range c.cleanups {
		defer cleanup()
	}
}

// isGinkgoPanic reports whether ginkgo.Fail, ginkgo.Skip or a global assertion raised the panic,
// which Ginkgo recovers.
func isGinkgoPanic(r any) bool {
	_, is := r.(types.GinkgoError)
	return is
}

// fromSpecReport fills in the result of a case that Ginkgo ended by Fail, Skip or a global
// assertion.
func (c *CaseResult) fromSpecReport(ended ginkgo.SpecReport) *CaseResult {
	c.Verdict, c.Message = record.VerdictFail, c.plan.options.Redact(ended.Failure.Message)
	if ended.State == types.SpecStateSkipped {
		c.Verdict = record.VerdictNotVerified
	}
	return c
}

// callRecovering runs f and returns the value and the stack of its panic; nil: it did not panic.
func callRecovering(f func()) (with any, stack []byte) {
	defer func() {
		if with = recover(); with != nil {
			stack = debug.Stack()
		}
	}()
	f()
	return nil, nil
}

// storeCheck stores the result of a case and passes it to OnCheck, unless the case was
// interrupted.
func (p *Plan) storeCheck(k *Case, c *CaseResult) {
	switch {
	case c.interrupted:
		return
	case c.Verdict == "":
		c.Verdict = record.VerdictPass
	case c.Verdict == record.VerdictFail:
		c.Location = k.portableLocation()
	}
	c.Exchanges = c.exchangeNumbers()
	p.onCheckMu.Lock()
	defer p.onCheckMu.Unlock()
	p.mu.Lock()
	k.result = c
	p.mu.Unlock()
	if p.options.OnCheck != nil {
		p.options.OnCheck(c)
	}
}

// exchangeNumbers lists the exchanges behind a check: those of the observations it awaited, then
// those of their direct dependencies. An observation that sent nothing is replaced by its
// dependencies.
func (c *CaseResult) exchangeNumbers() []int {
	seqs := []int{}
	visited := map[*observationNode]bool{}
	var list func(n *observationNode, awaited bool)
	list = func(n *observationNode, awaited bool) {
		if visited[n] {
			return
		}
		visited[n] = true
		own := n.trace.ExchangeNumbers()
		for _, seq := range own {
			if !slices.Contains(seqs, seq) {
				seqs = append(seqs, seq)
			}
		}
		if awaited || len(own) == 0 {
			for _, used := range n.dependencies {
				list(used, false)
			}
		}
	}
	for _, n := range c.awaited {
		list(n, true)
	}
	return seqs
}
