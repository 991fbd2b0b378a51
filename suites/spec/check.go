package spec

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
)

// Check is what a spec of a rule found. It lives in Ginkgo's report of the spec, as its entry, and nowhere else while
// the spec runs: whoever else runs specs in this process is not affected.
type Check struct {
	record.Check

	p       *Plan
	of      *ruleNode
	awaited []*node
	judged  []*node // see Judges; empty: all that was awaited
	found   *record.Finding
	later   bool // see postpones
}

// String is what Ginkgo's own reports show of the entry.
func (c *Check) String() string {
	if c.Need != "" {
		return c.Rule + ", add " + c.Need
	}
	return c.Rule
}

// Found returns the failure message of a matcher, and notes the finding when a spec of a rule runs.
func Found(f record.Finding) string {
	if c := current(); c != nil {
		c.found = &f
	}
	return f.Sentence() + "\nexpected: " + f.Expected + "\nactual: " + f.Actual
}

// current is the check of the spec that is running; nil outside of a rule.
func current() *Check {
	entries := ginkgo.CurrentSpecReport().ReportEntries
	for i := range slices.Backward(entries) {
		if c, ok := entries[i].GetRawValue().(*Check); ok {
			return c
		}
	}
	return nil
}

// enter begins a spec of a rule.
func (p *Plan) enter(d *ruleNode) {
	if p.o.Listen != nil {
		p.begun.Do(p.listen) // Ginkgo's own handler, which would end its run, is set by now
	}
	report := ginkgo.CurrentSpecReport()
	_, name := p.ruleOf(report)
	c := &Check{Check: record.Check{Rule: d.rule.ID, Name: name}, p: p, of: d}
	ginkgo.AddReportEntry("gateassay", c, ginkgo.ReportEntryVisibilityNever)
	if err := p.unmet(d.rule); err != nil {
		c.giveUp(err)
	}
}

// Fail is the handler for failed assertions (gomega.RegisterFailHandler). A failure that rests on names which nothing
// shows to be right ends the spec without a judgement. A failure that is excused is recorded, and the spec is skipped.
// Outside of rules it does what ginkgo.Fail does.
func (p *Plan) Fail(message string, callerSkip ...int) {
	skip := 1
	if len(callerSkip) > 0 {
		skip += callerSkip[0]
	}
	c := current()
	if c == nil {
		ginkgo.Fail(message, skip)
		return
	}
	if p.postpones(c) {
		ginkgo.Skip("judged later", skip)
	}
	if err := p.doubt(c); err != nil {
		c.giveUp(err)
	}
	c.Message = p.redact(message)
	if f := c.found; f != nil && message == Found(*f) {
		attempts, failed := c.Attempts, c.Check.Failed
		c.Finding = f.Redacted(p.redact)
		if c.Message = c.Sentence(); c.Attempts == 0 {
			c.Attempts, c.Check.Failed = attempts, failed
		}
	}
	c.Verdict = record.Fail
	if p.o.Excuse != nil {
		if why := p.o.Excuse(c.of.rule); why != "" {
			ginkgo.Skip(why+": "+p.redact(message), skip)
		}
	}
	ginkgo.Fail(p.redact(message), skip)
}

// doubt returns the reason why a failure may be due to a name that the document does not show.
func (p *Plan) doubt(c *Check) error {
	if p.o.Evidence == nil {
		return nil
	}
	for _, name := range c.of.names {
		if err := p.o.Evidence(name).settle(p.context()); err != nil {
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

func (p *Plan) context() context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.base
}

// giveUp ends the spec without a judgement.
func (c *Check) giveUp(err error) {
	var need *NeedError
	c.Cause, c.BlockedBy = causes(err)
	switch {
	case errors.As(err, &need):
		c.Need = need.Key
		c.end(record.NotVerified, need.Error())
	case errors.Is(err, Interrupted):
		c.end(record.Inconclusive, Interrupted.Error())
	default:
		c.end(record.Inconclusive, Why(err))
	}
}

func (c *Check) end(v record.Verdict, why string) {
	c.Verdict, c.Message = v, c.p.redact(why)
	ginkgo.Skip(strings.ReplaceAll(string(v), "_", " ")+": "+c.Message, 3)
}

// GiveUp ends the spec with the reason that an error carries: a NeedError is not verified, all else inconclusive.
func GiveUp(err error) { running("GiveUp").giveUp(err) }

// NotVerified ends the spec: the deployment file (key may be empty) or the data cannot show the rule.
func NotVerified(key, why string, args ...any) {
	running("NotVerified").giveUp(Unmet(key, why, args...))
}

// Inconclusive ends the spec: the deployment gave no usable answer.
func Inconclusive(why string, args ...any) { running("Inconclusive").giveUp(Unclear(why, args...)) }

// Attempts notes that a spec judged n answers, failed of which broke the rule.
func Attempts(n, failed int) {
	c := running("Attempts")
	c.Check.Attempts, c.Failed = n, failed
}

// Moot ends the spec: it found nothing to look at, and says nothing about its rule, which other specs judge.
func Moot(why string) { running("Moot").end(record.Observed, why) }

// Note records what was seen where the document shows nothing: the spec's verdict is observed.
func Note(observed string, args ...any) {
	c := running("Note")
	c.Verdict = record.Observed
	c.Message = c.p.redact(fmt.Sprintf(observed, args...))
}

func running(what string) *Check {
	c := current()
	if c == nil {
		panic("spec: " + what + " is for specs of a rule, while they run")
	}
	return c
}

// report concludes a spec once Ginkgo is done with it.
func (p *Plan) report(s ginkgo.SpecReport) {
	var c *Check
	for _, e := range s.ReportEntries {
		if found, ok := e.GetRawValue().(*Check); ok {
			c = found
		}
	}
	if c == nil || c.later || p.Result(Spec{Text: s.FullText()}) != nil {
		return // skipped by a filter or never reached, judged later, or before
	}
	switch s.State {
	case types.SpecStatePassed:
		if c.Verdict == "" {
			c.Verdict = record.Pass
		}
	case types.SpecStateSkipped:
		if c.Verdict == "" { // a Skip that did not come from here
			c.Verdict, c.Message = record.NotVerified, p.redact(s.Failure.Message)
		}
	case types.SpecStateFailed:
		if c.Verdict != record.Fail { // ginkgo.Fail, called by the spec itself
			c.Verdict, c.Message = record.Fail, p.redact(s.Failure.Message)
		}
	case types.SpecStateInterrupted, types.SpecStateAborted, types.SpecStateTimedout:
		return // never judged
	default:
		p.fault("spec %q ended as %s: %s %s", s.FullText(), s.State, s.Failure.Message, s.Failure.ForwardedPanic)
		c.Verdict = record.Inconclusive
		c.Message = p.redact("the harness failed here: " + s.Failure.Message + " " + s.Failure.ForwardedPanic)
	}
	if c.Verdict == record.Inconclusive && c.Message == Interrupted.Error() {
		return
	}
	if c.Verdict == record.Fail {
		c.Location = record.Place(s.LeafNodeLocation.String()) // the line of the It, or of the table's Entry
	}
	var service time.Duration
	c.Exchanges, service = c.exchanges()
	c.DurationMS = service.Milliseconds()
	p.mu.Lock()
	p.results[s.FullText()] = c
	p.mu.Unlock()
	if p.o.OnCheck != nil {
		p.o.OnCheck(c)
	}
}

// exchanges lists the exchanges that the check rests on: those of the observations that it awaited, then those that
// these used themselves, and what one of them that sent nothing used in its turn.
func (c *Check) exchanges() (seqs []int, service time.Duration) {
	seqs = []int{}
	visited := map[*node]bool{}
	var list func(n *node, awaited bool)
	list = func(n *node, awaited bool) {
		if visited[n] {
			return
		}
		visited[n] = true
		service += n.trace.Service()
		own := n.trace.Seqs()
		for _, seq := range own {
			if !slices.Contains(seqs, seq) {
				seqs = append(seqs, seq)
			}
		}
		if awaited || len(own) == 0 {
			for _, used := range n.uses() {
				list(used, false)
			}
		}
	}
	for _, n := range c.awaited {
		list(n, true)
	}
	return seqs, service
}

// Own lists the exchanges of the first observation awaited that sent any: what it takes to see the finding again.
func (c *Check) Own() []int {
	for _, n := range c.awaited {
		if seqs := n.trace.Seqs(); len(seqs) > 0 {
			return seqs
		}
	}
	return nil
}

// Judges notes the observations that the running spec is about, where it awaits others to compare them with.
func Judges(all ...AnyObservation) {
	if c := current(); c != nil {
		for _, o := range all {
			c.judged = append(c.judged, o.node())
		}
	}
}

// Judged lists the exchanges that the check is about: those of the observations that it judges and, of one that sent
// nothing itself, of what it rests on. everything: it looks at all that the run sent.
func (c *Check) Judged() (seqs []int, everything bool) {
	nodes, visited := c.judged, map[*node]bool{}
	if len(nodes) == 0 {
		nodes = c.awaited
	}
	for len(nodes) > 0 {
		n := nodes[0]
		nodes = slices.Clone(nodes[1:])
		if visited[n] {
			continue
		}
		visited[n] = true
		own := n.trace.Seqs()
		everything = everything || n.turn == end
		if seqs = append(seqs, own...); len(own) == 0 && n.turn != end {
			nodes = append(nodes, n.uses()...)
		}
	}
	return seqs, everything
}

// About is the rule that the check contributes to.
func (c *Check) About() rules.Rule { return c.of.rule }
