package spec

import (
	"context"
	"fmt"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/suites/record"
)

// Context is what a case judges with: a context for what it awaits, Gomega's assertions, which end the case where they
// fail, and what else a case may come to.
type Context struct {
	context.Context
	gomega.Gomega
	c *Check
}

type checkKey struct{}

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
