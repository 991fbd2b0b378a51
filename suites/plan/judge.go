package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/gateassay/gateassay/reports/record"
)

// Register adds the plan's checks to Ginkgo's tree, a container for each suite and a spec for each check. onResult is
// called after each spec with the check, whose Result is set.
func (p *Plan) Register(onResult func(*Check)) { p.register(p.unjudged(), onResult) }

func (p *Plan) register(checks []*Check, onResult func(*Check)) {
	byText := map[string]*Check{}
	// What rests on the last observations of a run is judged last, so that everything else is judged as it comes in.
	type group struct {
		last  bool
		suite string
	}
	var groups []group
	grouped := map[group][]*Check{}
	for _, c := range checks {
		byText[c.Text()] = c
		g := group{slices.ContainsFunc(c.Deps, func(d Awaited) bool { return d.node().turn > ordinary }), c.Suite}
		if grouped[g] == nil {
			groups = append(groups, g)
		}
		grouped[g] = append(grouped[g], c)
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		switch {
		case a.last == b.last:
			return 0
		case a.last:
			return 1
		}
		return -1
	})
	report := func(spec ginkgo.SpecReport) {
		c := byText[spec.LeafNodeText]
		if c == nil || c.result == nil {
			return
		}
		p.conclude(c, spec)
		if onResult != nil && c.result != nil {
			onResult(c)
		}
	}
	for _, g := range groups {
		about := []any{ginkgo.Label(g.suite)}
		if g.last {
			about = append(about, ginkgo.Serial) // under ginkgo -p: after all that runs in parallel
		}
		about = append(about, func() {
			// Inside the container: a preview of the tree would lose it at the top.
			ginkgo.ReportAfterEach(report)
			for _, c := range grouped[g] {
				ginkgo.It(c.Text(), ginkgo.Label(c.Rule.ID, string(c.Rule.Level)), c.place, func(ctx ginkgo.SpecContext) {
					p.current = c
					c.result = &record.Check{Rule: c.Rule.ID, Name: c.Name}
					if err := p.lacks(c); err != nil {
						p.giveUp(err)
					}
					c.body(ctx)
				})
			}
		})
		ginkgo.Describe(g.suite, about...)
	}
}

// conclude turns Ginkgo's report of a spec into the check's result.
func (p *Plan) conclude(c *Check, report types.SpecReport) {
	r := c.result
	switch report.State {
	case types.SpecStatePassed:
		if r.Verdict == "" {
			r.Verdict = record.Pass
		}
	case types.SpecStateSkipped:
		if r.Verdict == "" { // a Skip that did not come from here
			r.Verdict, r.Message = record.NotVerified, report.Failure.Message
		}
	case types.SpecStateFailed:
		r.Verdict = record.Fail
		r.Message = report.Failure.Message
		r.Location = record.Place(report.Failure.Location.String())
	case types.SpecStateInterrupted, types.SpecStateAborted:
		c.result = nil // never judged; what it rests on may still be judged
		return
	default:
		p.fault(fmt.Sprintf("check %q ended as %s: %s %s", c.Text(), report.State, report.Failure.Message, report.Failure.ForwardedPanic))
		r.Verdict = record.Inconclusive
		r.Message = "the harness failed here: " + report.Failure.Message + " " + report.Failure.ForwardedPanic
	}
	if r.Verdict == record.Inconclusive && r.Message == Interrupted.Error() {
		c.result = nil
		return
	}
	if r.Verdict == record.Fail {
		r.Message, r.Expected, r.Actual = splitMessage(r.Message)
	}
	seqs, service := c.exchanges()
	r.Exchanges = seqs
	if r.Exchanges == nil {
		r.Exchanges = []int{}
	}
	r.DurationMS = service.Milliseconds()
}

// Failure messages of the domain's matchers carry these marks at the beginning of a line.
const (
	markExpected = "expected: "
	markActual   = "actual: "
)

// Message renders a failure so that reports can show what was expected beside what was found.
func Message(headline, expected, actual string) string {
	return headline + "\n" + markExpected + expected + "\n" + markActual + actual
}

func splitMessage(m string) (headline, expected, actual string) {
	var head []string
	field := &headline
	for line := range strings.SplitSeq(m, "\n") {
		switch {
		case field == &headline && strings.HasPrefix(line, markExpected):
			field, line = &expected, strings.TrimPrefix(line, markExpected)
		case field == &expected && strings.HasPrefix(line, markActual): // what was found may hold such lines itself
			field, line = &actual, strings.TrimPrefix(line, markActual)
		}
		if field == &headline {
			head = append(head, line)
			continue
		}
		if *field != "" {
			*field += "\n"
		}
		*field += line
	}
	return strings.Join(head, "\n"), expected, actual
}

// Fail is the handler that assertions report to. The failure of a waived rule is recorded, and the spec is skipped.
func (p *Plan) Fail(message string, callerSkip ...int) {
	skip := 1
	if len(callerSkip) > 0 {
		skip += callerSkip[0]
	}
	if c := p.current; c != nil && c.result != nil && p.waived != nil && p.waived(c.Rule.ID) {
		c.result.Verdict, c.result.Message = record.Fail, message
		c.result.Location = record.Place(types.NewCodeLocation(skip).String())
		ginkgo.Skip("waived: "+message, skip)
	}
	ginkgo.Fail(message, skip)
}

// giveUp ends the current check without a judgement.
func (p *Plan) giveUp(err error) {
	var need *NeedError
	switch {
	case errors.As(err, &need):
		p.current.result.Need = need.Key
		p.end(record.NotVerified, need.Error())
	case errors.Is(err, Interrupted):
		p.end(record.Inconclusive, Interrupted.Error())
	default:
		p.end(record.Inconclusive, strings.TrimPrefix(err.Error(), ErrInconclusive.Error()+": "))
	}
}

func (p *Plan) end(v record.Verdict, why string) {
	p.current.result.Verdict, p.current.result.Message = v, why
	ginkgo.Skip(strings.ReplaceAll(string(v), "_", " ")+": "+why, 3)
}

// GiveUp ends the current check with the reason that an error carries: NeedError is not verified, all else inconclusive.
func (p *Plan) GiveUp(err error) { p.giveUp(err) }

// NotVerified ends the current check: the deployment file or the data cannot show the rule.
func (p *Plan) NotVerified(key, why string, args ...any) { p.giveUp(Unmet(key, why, args...)) }

// Inconclusive ends the current check: the deployment gave no usable answer.
func (p *Plan) Inconclusive(why string, args ...any) { p.giveUp(Unclear(why, args...)) }

// Attempts notes that a check judged several answers, and how many of them broke the rule.
func (p *Plan) Attempts(n, failed int) {
	p.current.result.Attempts, p.current.result.Failed = n, failed
}

// Note records what was seen where the document shows nothing. The check's verdict is observed.
func (p *Plan) Note(observed string, args ...any) {
	c := p.current
	c.result.Verdict = record.Observed
	c.result.Message = fmt.Sprintf(observed, args...)
	seqs, _ := c.exchanges()
	p.mu.Lock()
	defer p.mu.Unlock()
	o := p.found[c.Rule.ID]
	o.ID = c.Rule.ID
	if o.Observed != "" {
		o.Observed += "; "
	}
	o.Observed += c.result.Message
	o.Exchanges = append(o.Exchanges, seqs...)
	p.found[c.Rule.ID] = o
}

// Observations returns what was noted, in the order of the checks.
func (p *Plan) Observations() []record.Observation {
	list := []record.Observation{}
	seen := map[string]bool{}
	for _, c := range p.checks {
		if o, ok := p.found[c.Rule.ID]; ok && !seen[c.Rule.ID] {
			seen[c.Rule.ID] = true
			list = append(list, o)
		}
	}
	return list
}

// declared notes observations that a check awaits without naming them among its dependencies: they would have run only
// when awaited, one by one.
func (p *Plan) declared(n *node) {
	for _, d := range p.current.Deps {
		if d.node() == n {
			return
		}
	}
	p.fault(fmt.Sprintf("check %q awaits %q without declaring it", p.current.Text(), n.name))
}
