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

// Check is what a case found.
type Check struct {
	record.Check
	Evidence Evidence // of a failure

	p       *Plan
	of      *Case
	awaited []*node
	matcher gomega.OmegaMatcher // of the assertion under way
	actual  any                 // what it judged

	inGinkgo    bool // a spec of Ginkgo's judges the case
	cleanups    []func()
	interrupted bool // with the run: nothing is kept of it
}

// Found is the failure message of a finding.
func Found(f record.Finding) string {
	return f.Sentence() + "\nexpected: " + f.Expected + "\nactual: " + f.Actual
}

// fail is the handler for failed assertions of a check; of matchers that say what is wrong as values, it takes these. A
// failure that rests on names which nothing shows to be right ends the case without a judgement. One that is excused is
// recorded, and Ginkgo's spec is skipped.
func (c *Check) fail(message string, callerSkip ...int) {
	skip := 1
	if len(callerSkip) > 0 {
		skip += callerSkip[0]
	}
	if err := c.doubt(); err != nil {
		c.giveUp(err)
	}
	c.Verdict, c.Message = record.Fail, c.p.redact(message)
	if m, says := c.matcher.(Finder); says {
		c.Finding, c.Evidence = m.Finding(c.actual)
		c.Evidence.into(&c.Finding)
		c.Finding = c.Redacted(c.p.redact)
		c.Message = c.Sentence()
	}
	why := ""
	if c.p.o.Excuse != nil {
		why = c.p.o.Excuse(c.of.Rule.Rule)
	}
	c.end(why, c.p.redact(message), skip)
}

// doubt returns the reason why a failure may be due to a name that the document does not show.
func (c *Check) doubt() error {
	for _, shown := range slices.Concat(c.of.Rule.evidence, c.of.names) {
		if err := shown.wait(c.p.base); err != nil {
			return err
		}
	}
	return nil
}

func (p *Plan) redact(text string) string {
	if p.o.Redact == nil {
		return text
	}
	return p.o.Redact(text)
}

// giveUp ends the case without a judgement.
func (c *Check) giveUp(err error) {
	verdict := record.Inconclusive
	if r, is := errors.AsType[*Reason](err); is {
		c.Need, c.Given = r.Key, r.Key != "" && r.Why != ""
		if !r.Inconclusive {
			verdict = record.NotVerified
		}
	}
	c.interrupted = errors.Is(err, Interrupted)
	c.Verdict, c.Message = verdict, c.p.redact(err.Error())
	c.end(strings.ReplaceAll(string(verdict), "_", " "), c.Message, 3)
}

// over ends a case that runs by itself, and an act of See, which has a reason.
type over struct{ reason error }

// end ends the case early and does not return. In Ginkgo a case that has a reason to be skipped does not fail.
func (c *Check) end(skipped, message string, skip int) {
	switch {
	case !c.inGinkgo:
		panic(over{})
	case skipped != "":
		ginkgo.Skip(skipped+": "+message, skip+1)
	default: // a helper may hold the assertion, where --focus-file does not find the spec
		ginkgo.Fail(message+"\ndeclared at: "+c.of.Place.String(), skip+1)
	}
}

// globalFailure is the failure of an assertion by gomega.Expect in a case that runs by itself.
type globalFailure string

// judge runs a case. What ends it early is let through to Ginkgo. What it found is kept once it has ended, and not while it
// still unwinds: keeping it waits for others.
func (p *Plan) judge(ctx ginkgo.SpecContext, k *Case, inGinkgo bool) {
	c := &Check{
		Check: record.Check{Rule: k.Rule.ID, Case: k.No, Name: k.Text, Exchanges: []int{}},
		p:     p, of: k, inGinkgo: inGinkgo,
	}
	r, stack := ended(func() {
		if err := p.unmet(k.Rule); err != nil {
			c.giveUp(err)
		}
		k.judge(Context{SpecContext: caseContext{ctx, c}, Gomega: gomega.NewGomega(c.fail), c: c})
	})
	for _, cleanup := range slices.Backward(c.cleanups) {
		cleanup()
	}
	switch with := r.(type) {
	case nil, over:
	case globalFailure:
		c.Verdict, c.Message = record.Fail, p.redact(string(with))
	default:
		if inGinkgo && c.Verdict == "" && isGinkgos(r) {
			ginkgo.DeferCleanup(func() { p.note(k, c.as(ginkgo.CurrentSpecReport())) })
			panic(r)
		}
		if c.Verdict == "" || !inGinkgo {
			p.fault("case %q of %s panicked: %v\n%s", k.Text, c.Rule, r, stack)
			c.Verdict, c.Message = record.Inconclusive, p.redact(fmt.Sprintf("the harness failed here: %v", r))
		}
	}
	p.note(k, c)
	if r != nil && inGinkgo {
		panic(r)
	}
}

// isGinkgos reports a panic of ginkgo.Fail, ginkgo.Skip or a global assertion, which Ginkgo recovers.
func isGinkgos(r any) bool {
	_, is := r.(types.GinkgoError)
	return is
}

// as is what a case found that Ginkgo ended: by its Fail, its Skip, or a global assertion.
func (c *Check) as(ended ginkgo.SpecReport) *Check {
	c.Verdict, c.Message = record.Fail, c.p.redact(ended.Failure.Message)
	if ended.State == types.SpecStateSkipped {
		c.Verdict = record.NotVerified
	}
	return c
}

// ended runs a function to its end, and returns what it panicked with, and where; nil: with nothing.
func ended(f func()) (with any, stack []byte) {
	defer func() {
		if with = recover(); with != nil {
			stack = debug.Stack()
		}
	}()
	f()
	return nil, nil
}

// note keeps what a case found, unless it was interrupted.
func (p *Plan) note(k *Case, c *Check) {
	switch {
	case c.Verdict == "":
		c.Verdict = record.Pass
	case c.interrupted:
		return
	case c.Verdict == record.Fail:
		c.Location = k.location()
	}
	c.Exchanges = c.exchanges()
	p.telling.Lock()
	defer p.telling.Unlock()
	p.mu.Lock()
	k.found = c
	p.mu.Unlock()
	if p.o.OnCheck != nil {
		p.o.OnCheck(c)
	}
}

// exchanges lists the exchanges that the check rests on: those of the observations that it awaited, then those that
// these used themselves, and what one of them that sent nothing used in its turn.
func (c *Check) exchanges() []int {
	seqs := []int{}
	visited := map[*node]bool{}
	var list func(n *node, awaited bool)
	list = func(n *node, awaited bool) {
		if visited[n] {
			return
		}
		visited[n] = true
		own := n.trace.Seqs()
		for _, seq := range own {
			if !slices.Contains(seqs, seq) {
				seqs = append(seqs, seq)
			}
		}
		if awaited || len(own) == 0 {
			for _, used := range n.used {
				list(used, false)
			}
		}
	}
	for _, n := range c.awaited {
		list(n, true)
	}
	return seqs
}
