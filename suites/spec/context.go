package spec

import (
	"context"
	"fmt"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/suites/record"
)

// Context is what a case judges with: Ginkgo's context for what it awaits, Gomega's assertions, which end the case where
// they fail, and what else a case may come to. By, DeferCleanup, AddReportEntry and Skip are Ginkgo's where it runs the
// case; they do without it where a run judges the case by itself, which Ginkgo's own functions of these names do not.
type Context struct {
	ginkgo.SpecContext
	gomega.Gomega
	c *Check
}

type checkKey struct{}

// caseContext knows the check of its case.
type caseContext struct {
	ginkgo.SpecContext
	c *Check
}

func (x caseContext) Value(key any) any {
	if key == (checkKey{}) {
		return x.c
	}
	return x.SpecContext.Value(key)
}

// plainContext stands in for Ginkgo's where Ginkgo runs nothing.
type plainContext struct {
	context.Context
	title, text string // of the rule and the case
}

func (x plainContext) SpecReport() ginkgo.SpecReport {
	return ginkgo.SpecReport{
		ContainerHierarchyTexts: []string{x.title}, LeafNodeText: x.text, LeafNodeType: types.NodeTypeIt, NumAttempts: 1,
	}
}

func (x plainContext) AttachProgressReporter(func() string) func() { return func() {} }

func (x plainContext) WrappedContext() context.Context { return x.Context }

// With is the context of an act of See with another one in its place.
func (x Context) With(ctx context.Context) Context {
	x.SpecContext = plainContext{Context: ctx}
	return x
}

// By names a step, as ginkgo.By does.
func (x Context) By(text string, callback ...func()) {
	if x.c != nil && x.c.inGinkgo {
		ginkgo.GinkgoHelper()
		ginkgo.By(text, callback...)
		return
	}
	for _, step := range callback {
		step()
	}
}

// DeferCleanup has a function called once the case has ended.
func (x Context) DeferCleanup(cleanup func()) {
	if x.c.inGinkgo {
		ginkgo.DeferCleanup(cleanup)
		return
	}
	x.c.cleanups = append(x.c.cleanups, cleanup)
}

// AddReportEntry adds to what Ginkgo reports of the case; the record of a run has none of it.
func (x Context) AddReportEntry(name string, args ...any) {
	if x.c.inGinkgo {
		ginkgo.AddReportEntry(name, args...)
	}
}

// Skip ends the case without a judgement, for a reason of its own.
func (x Context) Skip(why string) { x.NotVerified("", "%s", why) }

// Expect makes an assertion, as gomega.Expect does.
func (x Context) Expect(actual any, extra ...any) gomega.Assertion {
	return assertion{x.ExpectWithOffset(1, actual, extra...), x.c, actual}
}

// assertion tells a check which matcher judges what.
type assertion struct {
	gomega.Assertion
	c      *Check
	actual any
}

func (a assertion) To(m gomega.OmegaMatcher, description ...any) bool {
	a.c.matcher, a.c.actual = m, a.actual
	defer func() { a.c.matcher = nil }()
	return a.Assertion.To(m, description...)
}

// GiveUp ends the case, or the act of See, with the reason that an error carries, if there is one: what is lacking is not
// verified, all else inconclusive.
func (x Context) GiveUp(err error) {
	switch {
	case err == nil:
	case x.c == nil:
		panic(over{err})
	default:
		x.c.giveUp(err)
	}
}

// NotVerified ends the case: the deployment file (key may be empty) or the data cannot show the rule.
func (x Context) NotVerified(key, why string, args ...any) { x.GiveUp(Unmet(key, why, args...)) }

// Inconclusive ends the case: the deployment gave no usable answer.
func (x Context) Inconclusive(why string, args ...any) { x.GiveUp(Unclear(why, args...)) }

// Saw records what was seen where the document shows nothing: the verdict is observed. Two runs are compared by it.
func (x Context) Saw(values ...record.Value) {
	for i, v := range values {
		seen := make([]string, len(v.Values))
		for j, text := range v.Values {
			seen[j] = x.c.p.redact(text)
		}
		values[i].Name, values[i].Values = x.c.p.redact(v.Name), seen
	}
	x.c.Verdict, x.c.Values, x.c.Message = record.Observed, values, record.InWords(values)
}

// Note is Saw for what is one value, in words.
func (x Context) Note(observed string, args ...any) {
	x.Saw(record.Seen("", fmt.Sprintf(observed, args...)))
}
