package spec

import (
	"context"
	"fmt"
	"slices"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/suites/record"
)

// Context is what a case judges with: Ginkgo's context for what it awaits, Gomega's assertions,
// which end the case where they fail, and what else a case may come to. By, DeferCleanup,
// AddReportEntry and Skip are Ginkgo's where it runs the case; they do without it where a run
// judges the case by itself, which Ginkgo's own functions of these names do not.
type Context struct {
	ginkgo.SpecContext
	gomega.Gomega
	check *CaseResult
}

type checkKey struct{}

// caseContext knows the check of its case.
type caseContext struct {
	ginkgo.SpecContext
	check *CaseResult
}

func (x caseContext) Value(key any) any {
	if key == (checkKey{}) {
		return x.check
	}
	return x.SpecContext.Value(key)
}

// nonGinkgoContext stands in for Ginkgo's where Ginkgo runs nothing.
type nonGinkgoContext struct {
	context.Context
	title, text string // of the rule and the case
}

func (x nonGinkgoContext) SpecReport() ginkgo.SpecReport {
	return ginkgo.SpecReport{
		ContainerHierarchyTexts: []string{x.title}, LeafNodeText: x.text, LeafNodeType: types.NodeTypeIt,
		NumAttempts: 1,
	}
}

func (x nonGinkgoContext) AttachProgressReporter(func() string) func() { return func() {} }

func (x nonGinkgoContext) WrappedContext() context.Context { return x.Context }

// WithContext is the context of an act of ObserveAsCase with another one in its place.
func (x Context) WithContext(ctx context.Context) Context {
	x.SpecContext = nonGinkgoContext{Context: ctx}
	return x
}

// By names a step, as ginkgo.By does.
func (x Context) By(text string, callback ...func()) {
	if x.check != nil && x.check.inGinkgo {
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
	if x.check.inGinkgo {
		ginkgo.DeferCleanup(cleanup)
		return
	}
	x.check.cleanups = append(x.check.cleanups, cleanup)
}

// AddReportEntry adds to what Ginkgo reports of the case; the record of a run has none of it.
func (x Context) AddReportEntry(name string, args ...any) {
	if x.check.inGinkgo {
		ginkgo.AddReportEntry(name, args...)
	}
}

// Skip ends the case without a judgement, for a reason of its own.
func (x Context) Skip(why string) { x.NotVerifiedf("", "%s", why) }

// Expect makes an assertion, as gomega.Expect does.
func (x Context) Expect(actual any, extra ...any) gomega.Assertion {
	return checkedAssertion{x.ExpectWithOffset(1, actual, extra...), x.check, actual}
}

// checkedAssertion tells a check which matcher judges what.
type checkedAssertion struct {
	gomega.Assertion
	check  *CaseResult
	actual any
}

func (a checkedAssertion) To(m gomega.OmegaMatcher, description ...any) bool {
	a.check.matcher, a.check.actual = m, a.actual
	defer func() { a.check.matcher = nil }()
	return a.Assertion.To(m, description...)
}

// StopOnError ends the case, or the act of ObserveAsCase, with the reason that an error carries, if
// there is one: what is lacking is not verified, all else inconclusive.
func (x Context) StopOnError(err error) {
	switch {
	case err == nil:
	case x.check == nil:
		panic(caseEnd{err})
	default:
		x.check.stopWithoutVerdict(err)
	}
}

// NotVerifiedf ends the case: the deployment file (key may be empty) or the data cannot show the
// rule.
func (x Context) NotVerifiedf(key, why string, args ...any) {
	x.StopOnError(NotVerifiedf(key, why, args...))
}

// Inconclusivef ends the case: the deployment gave no usable answer.
func (x Context) Inconclusivef(why string, args ...any) {
	x.StopOnError(Inconclusivef(why, args...))
}

// RecordObserved adds what was seen of something, where the document shows nothing: the verdict is
// observed. Two runs are compared by it.
func (x Context) RecordObserved(name string, values ...string) {
	x.recordValue(record.ObservedValue{Name: name, Values: values})
}

// RecordObservedf is RecordObserved for one value without a name.
func (x Context) RecordObservedf(observed string, args ...any) {
	x.RecordObserved("", fmt.Sprintf(observed, args...))
}

// RecordObservedSet is RecordObserved for texts that come in any order: each once, sorted.
func (x Context) RecordObservedSet(texts []string) {
	for _, text := range slices.Compact(slices.Sorted(slices.Values(texts))) {
		x.RecordObserved("", text)
	}
}

// RecordVarying is RecordObserved for a value that differs between any two runs, as durations do.
func (x Context) RecordVarying(name, value string) {
	x.recordValue(record.ObservedValue{Name: name, Values: []string{value}, Varies: true})
}

func (x Context) recordValue(v record.ObservedValue) {
	c := x.check
	v.Name, v.Values = c.plan.redact(v.Name), slices.Clone(v.Values)
	for i, text := range v.Values {
		v.Values[i] = c.plan.redact(text)
	}
	c.Values = append(c.Values, v)
	c.Verdict, c.Message = record.VerdictObserved, record.FormatValues(c.Values)
}
