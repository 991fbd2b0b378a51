package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
)

// Conformance is how two conformance runs differ.
type Conformance struct {
	Before       record.Counts `json:"before"`
	After        record.Counts `json:"after"`
	Changed      []Change      `json:"changed"`  // rules of both runs whose verdict differs, the worst first
	New          []Change      `json:"new"`      // rules of the second run only
	Gone         []Change      `json:"gone"`     // rules of the first run only
	Violated     []string      `json:"violated"` // rules that both runs found violated
	Warned       []string      `json:"warned"`   // should rules that failed in both runs
	Compared     int           `json:"compared"` // rules of both runs
	Observations []Drift       `json:"observations"`
}

// Change is a rule whose verdict differs.
type Change struct {
	ID        string         `json:"id"`
	Level     string         `json:"level"`
	Security  bool           `json:"security"`
	Statement string         `json:"statement"`
	Before    record.Verdict `json:"before,omitempty"` // as it is shown; empty: the run did not select the rule
	After     record.Verdict `json:"after,omitempty"`
	Judged    Verdict        `json:"judged"`            // what the change is
	Message   string         `json:"message,omitempty"` // what the second run found
	Expected  string         `json:"expected,omitempty"`
	Actual    string         `json:"actual,omitempty"`
}

func (r *Result) conformance(before, after recorded.Run) {
	a, b := before.Conformance, after.Conformance
	c := &Conformance{
		Before: a.Counts, After: b.Counts, Changed: []Change{}, New: []Change{},
		Gone: []Change{}, Violated: []string{}, Warned: []string{},
		Observations: Drifts(a.Observations, b.Observations),
	}
	old := map[string]record.Rule{}
	for _, r := range a.Rules {
		old[r.ID] = r
	}
	kept := map[string]bool{}
	for _, r := range b.Rules {
		was, known := old[r.ID]
		kept[r.ID] = true
		switch change := changed(was, r); {
		case !known:
			change.Before = ""
			if change.Judged = Changed; change.After == record.Fail {
				change.Judged = Inconclusive
			}
			c.New = append(c.New, change)
		case change.Before != change.After:
			c.Changed = append(c.Changed, change)
		case change.After == record.Fail:
			c.Violated = append(c.Violated, r.ID)
		case change.After == record.Warned:
			c.Warned = append(c.Warned, r.ID)
		}
		if known {
			c.Compared++
		}
	}
	for _, r := range a.Rules {
		if kept[r.ID] {
			continue
		}
		gone := Change{
			ID: r.ID, Level: r.Level, Security: r.Security, Statement: r.Statement,
			Before: r.Shown(), Judged: Changed,
		}
		if r.Level != string(rules.Observe) && (r.Verdict == record.Pass || r.Verdict == record.Waived) {
			gone.Judged = Inconclusive
		}
		c.Gone = append(c.Gone, gone)
	}
	for _, list := range [][]Change{c.Changed, c.New, c.Gone} {
		slices.SortStableFunc(list, func(x, y Change) int {
			return cmp.Or(cmp.Compare(weight(x.Judged), weight(y.Judged)), cmp.Compare(gravity(x), gravity(y)),
				cmp.Compare(x.ID, y.ID))
		})
	}
	c.explain(a, b)
	r.Conformance = c
	for _, s := range []struct {
		which string
		run   record.Run
	}{{"first", a}, {"second", b}} {
		if s.run.Run.Partial {
			r.Notes = append(r.Notes,
				"the "+s.which+" run was interrupted: rules that it did not reach are not verified")
		}
	}
	if n := len(c.Violated); n > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%s violated in both runs: %s",
			digest.Quantity(n, "rule"), first(c.Violated)))
	}
	if n := len(c.Warned); n > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%s in both runs: %s", digest.Quantity(n, "warning"), first(c.Warned)))
	}
	if len(c.New)+len(c.Gone) > 0 && slices.ContainsFunc(c.Observations,
		func(d Drift) bool { return len(d.Changes) > 0 }) {
		r.Notes = append(r.Notes,
			"the runs did not select the same rules: an observation of many requests can have drifted for that alone")
	}
	if x, y := a.Run.Version, b.Run.Version; x != y && x != "" && y != "" {
		r.Notes = append(r.Notes, fmt.Sprintf("gateassay %s made the first run and %s the second: what they judge "+
			"and observe may differ for that alone", printable.Clean(x), printable.Clean(y)))
	}
	r.Notes = append(r.Notes, otherDeployment(r.Before, r.After)...)
	r.Verdict, r.Reason = c.conclude()
}

// explain says of each drift what is observed, and why one of the runs did not observe it. A rule that a run did not
// select is new or gone and no drift.
func (c *Conformance) explain(a, b record.Run) {
	rules := [2]map[string]record.Rule{{}, {}}
	for i, run := range []record.Run{a, b} {
		for _, r := range run.Rules {
			rules[i][r.ID] = r
		}
	}
	c.Observations = slices.DeleteFunc(c.Observations, func(d Drift) bool {
		_, before := rules[0][d.ID]
		_, after := rules[1][d.ID]
		return d.After == "" && before && !after || d.Before == "" && after && !before
	})
	for i := range c.Observations {
		d := &c.Observations[i]
		d.Statement = cmp.Or(rules[1][d.ID].Statement, rules[0][d.ID].Statement)
		switch {
		case d.Before == "":
			d.Reason = unseen("first", rules[0][d.ID])
		case d.After == "":
			d.Reason = unseen("second", rules[1][d.ID])
		}
	}
}

// unseen says why a run did not observe something.
func unseen(which string, r record.Rule) string {
	if r.ID == "" {
		return "not observed in the " + which + " run"
	}
	return "not observed in the " + which + " run: " + cmp.Or(r.Reason, spoken(r.Verdict))
}

// first are the first of a list, with how many follow.
func first(list []string) string { return firstOf(list, ", ") }

func firstOf(list []string, separator string) string {
	if len(list) == 4 { // as short as three and one more
		return strings.Join(list, separator)
	}
	return digest.First(list, 3, separator)
}

func otherDeployment(a, b Side) []string {
	if a.Deployment == b.Deployment {
		return nil
	}
	return []string{fmt.Sprintf("the deployments differ: %s and %s", printable.Clean(a.Deployment),
		printable.Clean(b.Deployment))}
}

func weight(v Verdict) int {
	return slices.Index([]Verdict{Regression, Inconclusive, Changed, Improvement, Same}, v)
}

// gravity puts security rules first, then violations, then warnings and the rest.
func gravity(c Change) int {
	switch {
	case c.After == record.Fail && c.Security:
		return 0
	case c.After == record.Fail:
		return 1
	}
	return 2
}

// changed judges the step from one verdict to another.
func changed(was, is record.Rule) Change {
	c := Change{
		ID: is.ID, Level: is.Level, Security: is.Security, Statement: is.Statement,
		Before: was.Shown(), After: is.Shown(), Judged: Changed,
	}
	held := func(v record.Verdict) bool { return v == record.Pass || v == record.Waived }
	open := func(v record.Verdict) bool { return v == record.NotVerified || v == record.Inconclusive }
	switch {
	case c.After == record.Fail, c.After == record.Warned && held(was.Verdict):
		c.Judged = Regression
	case is.Level != string(rules.Observe) && held(was.Verdict) && open(is.Verdict):
		c.Judged = Inconclusive // it may hold or not
	case is.Verdict == record.Pass:
		c.Judged = Improvement
	}
	if is.Verdict != record.Pass {
		c.Message = is.Reason
		if checks := digest.Deciding(is); len(checks) > 0 && checks[0].Message != "" {
			seen, _, _ := strings.Cut(checks[0].Actual, "\n") // what follows is detail
			c.Message, c.Expected, c.Actual = checks[0].Message, checks[0].Expected, seen
		}
	}
	return c
}

// named is the rule with what is wrong.
func (c Change) named() string {
	if c.Message == "" {
		return c.ID
	}
	return c.ID + " (" + printable.Clip(c.Message, 120) + ")"
}

func (c *Conformance) conclude() (Verdict, string) {
	of := func(list []Change, v Verdict) (ids []string) {
		for _, change := range list {
			if change.Judged == v {
				ids = append(ids, change.ID)
			}
		}
		return ids
	}
	rules := func(ids []string, what string) string {
		return digest.Quantity(len(ids), "rule") + " " + what + ": " + first(ids)
	}
	better := of(c.Changed, Improvement)
	var violated, warned, worse []string
	for _, change := range c.Changed {
		switch {
		case change.Judged != Regression:
		case change.After == record.Warned:
			warned = append(warned, change.named())
		default:
			violated = append(violated, change.named())
		}
	}
	for _, p := range []struct {
		ids  []string
		what string
	}{{violated, "new violation"}, {warned, "new warning"}} {
		if n := len(p.ids); n > 0 {
			worse = append(worse, digest.Quantity(n, p.what)+": "+first(p.ids))
		}
	}
	var open []string
	for _, p := range []struct {
		ids  []string
		what string
	}{
		{of(c.Changed, Inconclusive), "held before and not verified now"},
		{of(c.Gone, Inconclusive), "held before and not in the second run"},
		{of(c.New, Inconclusive), "violated that the first run did not select"},
	} {
		if len(p.ids) > 0 {
			open = append(open, rules(p.ids, p.what))
		}
	}
	switch {
	case len(worse) > 0:
		return Regression, strings.Join(worse, "; ")
	case len(open) > 0:
		return Inconclusive, strings.Join(open, "; ")
	case c.After.Pass+c.After.Fail+c.After.Warn+c.After.Waived == 0 && c.After.Observed == 0:
		return Inconclusive, "the second run judged no rule"
	case len(better) > 0:
		return Improvement, rules(better, "passed that did not before") + "; none is worse"
	}
	var other []string
	for _, p := range []struct {
		n    int
		what string
	}{{len(c.Changed), "changed"}, {len(c.New), "new"}, {len(c.Gone), "gone"}} {
		if p.n > 0 {
			other = append(other, digest.Quantity(p.n, "rule")+" "+p.what)
		}
	}
	if n := len(c.Observations); n > 0 {
		other = append(other, digest.Quantity(n, "observation")+" drifted")
	}
	if len(other) > 0 {
		return Changed, "no rule is worse; " + strings.Join(other, ", ")
	}
	return Same, fmt.Sprintf("each of %s has the same verdict, and nothing that was observed drifted",
		digest.Quantity(c.Compared, "rule"))
}
