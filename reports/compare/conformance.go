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
	Changes      []Change      `json:"changes"`  // the worst first
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
	Message   string         `json:"message,omitempty"` // what the second run found, or found no longer
	Expected  string         `json:"expected,omitempty"`
	Actual    string         `json:"actual,omitempty"`
	Defect    string         `json:"defect,omitempty"` // the headline of what several rules show, or show no longer
}

func (r *Result) conformance(before, after recorded.Run) {
	a, b := before.Conformance, after.Conformance
	c := &Conformance{
		Before: a.Counts, After: b.Counts, Changes: []Change{}, Violated: []string{}, Warned: []string{},
		Observations: Drifts(a.Observations, b.Observations),
	}
	r.Conformance = c
	old, now := byID(a), byID(b)
	were, are := defects(a), defects(b)
	for _, rule := range b.Rules {
		was, known := old[rule.ID]
		change := stepped(was, rule)
		if change.Defect = are[rule.ID]; change.Judged == Improvement && were[rule.ID] != "" {
			change.Defect = "no longer: " + were[rule.ID]
		}
		if known {
			c.Compared++
		}
		switch {
		case change.Before != change.After:
			c.Changes = append(c.Changes, change)
		case change.After == record.Fail:
			c.Violated = append(c.Violated, rule.ID)
		case change.After == record.Warned:
			c.Warned = append(c.Warned, rule.ID)
		}
	}
	for _, rule := range a.Rules {
		if _, known := now[rule.ID]; !known {
			c.Changes = append(c.Changes, stepped(rule, record.Rule{}))
		}
	}
	slices.SortStableFunc(c.Changes, func(x, y Change) int {
		return cmp.Or(cmp.Compare(slices.Index(worst, x.Judged), slices.Index(worst, y.Judged)),
			cmp.Compare(gravity(x), gravity(y)), cmp.Compare(x.ID, y.ID))
	})
	c.explain(old, now)
	note := func(applies bool, format string, args ...any) {
		if applies {
			r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
		}
	}
	note(a.Run.Partial, "the first run was interrupted: rules that it did not reach are not verified")
	note(b.Run.Partial, "the second run was interrupted: rules that it did not reach are not verified")
	n, w := len(c.Violated), len(c.Warned)
	note(n > 0, "%s violated in both runs: %s", digest.Quantity(n, "rule"), few(c.Violated, ", "))
	note(w > 0, "%s in both runs: %s", digest.Quantity(w, "warning"), few(c.Warned, ", "))
	x, y := a.Run.Version, b.Run.Version
	note(x != y && x != "" && y != "", "gateassay %s made the first run and %s the second: what they judge and "+
		"observe may differ for that alone", printable.Clean(x), printable.Clean(y))
	r.Notes = append(r.Notes, otherDeployment(r.Before, r.After)...)
	r.Verdict, r.Reason = c.conclude()
}

func byID(run record.Run) map[string]record.Rule {
	found := map[string]record.Rule{}
	for _, r := range run.Rules {
		found[r.ID] = r
	}
	return found
}

// defects gives the headline of a defect for each of the rules that it breaks, where these are several.
func defects(run record.Run) map[string]string {
	found := map[string]string{}
	for _, d := range run.Defects {
		for _, id := range d.Rules {
			if len(d.Rules) > 1 {
				found[id] = d.Headline
			}
		}
	}
	return found
}

// explain says of each drift what is observed, and why one of the runs did not observe it. A rule that a run did not
// select is new or gone and no drift.
func (c *Conformance) explain(old, now map[string]record.Rule) {
	c.Observations = slices.DeleteFunc(c.Observations, func(d Drift) bool {
		_, before := old[d.ID]
		_, after := now[d.ID]
		return d.After == "" && before && !after || d.Before == "" && after && !before
	})
	for i := range c.Observations {
		d := &c.Observations[i]
		was, is := old[d.ID], now[d.ID]
		d.Statement = cmp.Or(is.Statement, was.Statement)
		for which, saw := range []string{d.Before, d.After} {
			rule := []record.Rule{was, is}[which]
			if why := cmp.Or(rule.Reason, string(rule.Verdict)); saw == "" {
				d.Reason = strings.TrimSuffix("not observed in the "+ordinals[which]+" run: "+why, ": ")
			}
		}
	}
}

// few are the first of a list, with how many follow.
func few(list []string, separator string) string {
	if len(list) == 4 { // as short as three and one more
		return strings.Join(list, separator)
	}
	return digest.First(list, 3, separator)
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

// stepped is the step from one verdict of a rule to another; a rule without an ID was not selected.
func stepped(was, is record.Rule) Change {
	rule := is
	if is.ID == "" {
		rule = was
	}
	c := Change{
		ID: rule.ID, Level: rule.Level, Security: rule.Security, Statement: rule.Statement,
		Before: was.Shown(), After: is.Shown(), Judged: Changed,
	}
	held := rule.Level != string(rules.Observe) && (was.Verdict == record.Pass || was.Verdict == record.Waived)
	switch {
	case was.ID == "" && c.After != record.Fail: // new
	case was.ID == "":
		c.Judged = Inconclusive
	case c.After == record.Fail, c.After == record.Warned && held:
		c.Judged = Regression
	case held && (is.ID == "" || is.Verdict == record.NotVerified || is.Verdict == record.Inconclusive):
		c.Judged = Inconclusive // it may hold or not
	case is.Verdict == record.Pass:
		c.Judged = Improvement
	}
	if checks := digest.Deciding(was); is.Verdict == record.Pass && was.Verdict == record.Fail && len(checks) > 0 {
		c.Message = "no longer: " + checks[0].Message
	}
	if is.Verdict != record.Pass {
		c.Message = is.Reason
		if checks := digest.Deciding(is); len(checks) > 0 && checks[0].Message != "" {
			seen, _, _ := strings.Cut(checks[0].Actual, "\n") // what follows is detail
			c.Message, c.Expected, c.Actual = checks[0].Message, cmp.Or(checks[0].Want, checks[0].Expected), cmp.Or(checks[0].Got, seen)
		}
	}
	return c
}

// bundle is rules that took one step for one reason: that one defect breaks, or that an interrupted run did not reach.
type bundle = digest.Bucket[Change, Change]

func bundles(list []Change) []bundle {
	return digest.By(list, func(c Change) Change {
		if c.Defect != "" {
			return Change{Message: c.Defect, Judged: c.Judged, Before: c.Before, After: c.After}
		}
		c.ID, c.Statement = "", ""
		return c
	})
}

func ids(list []Change) (ids []string) {
	for _, c := range list {
		ids = append(ids, c.ID)
	}
	return ids
}

// named are what is wrong: where there is one thing only, with what was found, as a list below the verdict has all of them.
func named(list []Change) (names []string) {
	all := bundles(list)
	for _, b := range all {
		message := printable.Clip(b.Key.Message, 120)
		switch n := len(b.Items); {
		case n > 1:
			names = append(names, fmt.Sprintf("%s (%d rules)", cmp.Or(message, b.Items[0].Level), n))
		case len(all) == 1 && message != "":
			names = append(names, message+" ("+b.Items[0].ID+")")
		default:
			names = append(names, b.Items[0].ID)
		}
	}
	return names
}

func (c *Conformance) conclude() (Verdict, string) {
	verdict, texts := Same, []string{}
	say := func(v Verdict, noun, what string, of func(Change) bool) {
		list := slices.DeleteFunc(c.of(v), func(one Change) bool { return !of(one) })
		if len(list) == 0 || verdict != Same && verdict != v {
			return
		}
		verdict = v
		text := digest.Quantity(len(list), noun) + what
		switch v {
		case Regression:
			text += ": " + few(named(list), "; ")
		case Inconclusive, Improvement:
			text += ": " + few(ids(list), ", ")
		}
		texts = append(texts, text)
	}
	fresh := func(c Change) bool { return c.Before == "" }
	gone := func(c Change) bool { return c.After == "" }
	both := func(c Change) bool { return c.Before != "" && c.After != "" }
	say(Regression, "new violation", "", func(c Change) bool { return c.After == record.Fail })
	say(Regression, "new warning", "", func(c Change) bool { return c.After == record.Warned })
	say(Inconclusive, "rule", " held before and not verified now", both)
	say(Inconclusive, "rule", " held before and not in the second run", gone)
	say(Inconclusive, "rule", " violated that the first run did not select", fresh)
	if verdict == Same && c.After.Judged()+c.After.Observed == 0 {
		return Inconclusive, "the second run judged no rule"
	}
	say(Improvement, "rule", " passed that did not before", both)
	say(Changed, "rule", " changed", both)
	say(Changed, "rule", " new", fresh)
	say(Changed, "rule", " gone", gone)
	if n := len(c.Observations); n > 0 && (verdict == Same || verdict == Changed) {
		verdict, texts = Changed, append(texts, digest.Quantity(n, "observation")+" drifted")
	}
	text := strings.Join(texts, "; ")
	switch verdict {
	case Same:
		text = fmt.Sprintf("each of %s has the same verdict, and nothing that was observed drifted", digest.Quantity(c.Compared, "rule"))
	case Improvement:
		text += "; none is worse"
	case Changed:
		text = "no rule is worse; " + strings.Join(texts, ", ")
	}
	return verdict, text
}
