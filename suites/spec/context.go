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

// Context is the argument of a case: Ginkgo's context, and Gomega's assertions, which end the case
// when they fail. By, DeferCleanup, AddReportEntry and Skip also work where no Ginkgo runs, unlike
// Ginkgo's functions of these names.
type Context struct {
	ginkgo.SpecContext
	gomega.Gomega
	check *CaseResult
}

type checkKey struct{}

// caseContext carries the result of its case.
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

// nonGinkgoContext is a SpecContext outside Ginkgo.
type nonGinkgoContext struct {
	context.Context
	title, text string // of the rule and of the case
}

func (x nonGinkgoContext) SpecReport() ginkgo.SpecReport {
	return ginkgo.SpecReport{
		ContainerHierarchyTexts: []string{x.title}, LeafNodeText: x.text, LeafNodeType: types.NodeTypeIt,
		NumAttempts: 1,
	}
}

func (x nonGinkgoContext) AttachProgressReporter(func() string) func() { return func() {} }

func (x nonGinkgoContext) WrappedContext() context.Context { return x.Context }

// WithContext returns x with another context. It is for acts of ObserveAsCase.
func (x Context) WithContext(ctx context.Context) Context {
	x.SpecContext = nonGinkgoContext{Context: ctx}
	return x
}

// By names a step and runs its callbacks, as ginkgo.By does.
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

// DeferCleanup calls cleanup after the case has ended. The last one registered runs first.
func (x Context) DeferCleanup(cleanup func()) {
	if x.check.inGinkgo {
		ginkgo.DeferCleanup(cleanup)
		return
	}
	x.check.cleanups = append(x.check.cleanups, cleanup)
}

// AddReportEntry adds an entry to Ginkgo's report of the case. The record of the run does not have
// it.
func (x Context) AddReportEntry(name string, args ...any) {
	if x.check.inGinkgo {
		ginkgo.AddReportEntry(name, args...)
	}
}

// Skip ends the case as not verified.
func (x Context) Skip(why string) { x.NotVerifiedf("", "%s", why) }

// Expect makes an assertion, as gomega.Expect does.
func (x Context) Expect(actual any, extra ...any) gomega.Assertion {
	return checkedAssertion{x.Gomega.Expect(actual, extra...), x.check, actual}
}

// checkedAssertion tells the result of the case which matcher judges which value. The other methods
// are Gomega's: a matcher that should not hold has no finding.
type checkedAssertion struct {
	gomega.Assertion
	check  *CaseResult
	actual any
}

func (a checkedAssertion) To(m gomega.OmegaMatcher, description ...any) bool {
	return a.judge(m, description...)
}

func (a checkedAssertion) Should(m gomega.OmegaMatcher, description ...any) bool {
	return a.judge(m, description...)
}

func (a checkedAssertion) judge(m gomega.OmegaMatcher, description ...any) bool {
	a.check.matcher, a.check.actual = m, a.actual
	defer func() { a.check.matcher = nil }()
	return a.WithOffset(2).To(m, description...) // the line of the case, not one of these
}

// StopOnError ends the case, or the act of ObserveAsCase, if err is not nil. The case is not
// verified if err is a Reason that something is missing, and inconclusive otherwise.
func (x Context) StopOnError(err error) {
	switch {
	case err == nil:
	case x.check == nil:
		panic(caseEnd{err})
	default:
		x.check.stopWithoutVerdict(err)
	}
}

// NotVerifiedf ends the case as not verified: the deployment file or the data cannot show the
// rule. key names the setting to add; it may be empty.
func (x Context) NotVerifiedf(key, why string, args ...any) {
	x.StopOnError(NotVerifiedf(key, why, args...))
}

// Inconclusivef ends the case as inconclusive: the deployment gave no usable answer.
func (x Context) Inconclusivef(why string, args ...any) {
	x.StopOnError(Inconclusivef(why, args...))
}

// RecordObserved records observed values of something that the document leaves open. The verdict
// is observed. Comparisons of two runs use these values.
func (x Context) RecordObserved(name string, values ...string) {
	x.recordValue(record.ObservedValue{Name: name, Values: values})
}

// RecordObservedf records one observed value without a name.
func (x Context) RecordObservedf(observed string, args ...any) {
	x.RecordObserved("", fmt.Sprintf(observed, args...))
}

// RecordObservedSet records each of the texts once, sorted.
func (x Context) RecordObservedSet(texts []string) {
	for _, text := range slices.Compact(slices.Sorted(slices.Values(texts))) {
		x.RecordObserved("", text)
	}
}

// RecordVarying records a value that differs between any two runs, such as a duration.
func (x Context) RecordVarying(name, value string) {
	x.recordValue(record.ObservedValue{Name: name, Values: []string{value}, Varies: true})
}

func (x Context) recordValue(v record.ObservedValue) {
	c := x.check
	v.Name, v.Values = c.plan.options.Redact(v.Name), slices.Clone(v.Values)
	for i, text := range v.Values {
		v.Values[i] = c.plan.options.Redact(text)
	}
	c.Values = append(c.Values, v)
	c.Verdict, c.Message = record.VerdictObserved, record.FormatValues(c.Values)
}
