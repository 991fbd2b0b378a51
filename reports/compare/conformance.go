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
	Message   string         `json:"message,omitempty"` // what the second run found, or found no longer
	Expected  string         `json:"expected,omitempty"`
	Actual    string         `json:"actual,omitempty"`
	Defect    string         `json:"defect,omitempty"` // the headline of what several rules show, or show no longer
}

func (r *Result) conformance(before, after recorded.Run) {
	a, b := before.Conformance, after.Conformance
	c := &Conformance{
		Before: a.Counts, After: b.Counts, Changed: []Change{}, New: []Change{}, Gone: []Change{},
		Violated: []string{}, Warned: []string{}, Observations: Drifts(a.Observations, b.Observations),
	}
	r.Conformance = c
	old, kept := byID(a), byID(b)
	were, are := defects(a), defects(b)
	for _, r := range b.Rules {
		was, known := old[r.ID]
		change := changed(was, r)
		if change.Defect = are[r.ID]; change.Judged == Improvement && were[r.ID] != "" {
			change.Defect = "no longer: " + were[r.ID]
		}
		if known {
			c.Compared++
		}
		switch {
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
	}
	for _, r := range a.Rules {
		if _, known := kept[r.ID]; !known {
			gone := stepOf(r, r.Shown(), "")
			if r.Level != string(rules.Observe) && stands(r.Verdict) {
				gone.Judged = Inconclusive
			}
			c.Gone = append(c.Gone, gone)
		}
	}
	for _, list := range [][]Change{c.Changed, c.New, c.Gone} {
		slices.SortStableFunc(list, func(x, y Change) int {
			return cmp.Or(cmp.Compare(weight(x.Judged), weight(y.Judged)), cmp.Compare(gravity(x), gravity(y)),
				cmp.Compare(x.ID, y.ID))
		})
	}
	c.explain(old, kept)
	note := func(applies bool, format string, args ...any) {
		if applies {
			r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
		}
	}
	for i, run := range []record.Run{a, b} {
		note(run.Run.Partial, "the %s run was interrupted: rules that it did not reach are not verified", ordinals[i])
	}
	n, w := len(c.Violated), len(c.Warned)
	note(n > 0, "%s violated in both runs: %s", digest.Quantity(n, "rule"), first(c.Violated))
	note(w > 0, "%s in both runs: %s", digest.Quantity(w, "warning"), first(c.Warned))
	note(len(c.New)+len(c.Gone) > 0 &&
		slices.ContainsFunc(c.Observations, func(d Drift) bool { return len(d.Changes) > 0 }),
		"the runs did not select the same rules: an observation made on many requests may have drifted for that reason alone")
	x, y := a.Run.Version, b.Run.Version
	note(x != y && x != "" && y != "", "gateassay %s made the first run and %s the second: what they judge and "+
		"observe may differ for that alone", printable.Clean(x), printable.Clean(y))
	r.Notes = append(r.Notes, otherDeployment(r.Before, r.After)...)
	r.Verdict, r.Reason = c.conclude()
}

// ordinals are what the two runs are called in a sentence.
var ordinals = [2]string{"first", "second"}

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
		d.Statement = cmp.Or(now[d.ID].Statement, old[d.ID].Statement)
		switch {
		case d.Before == "":
			d.Reason = unseen("first", old[d.ID])
		case d.After == "":
			d.Reason = unseen("second", now[d.ID])
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

func stepOf(r record.Rule, before, after record.Verdict) Change {
	return Change{
		ID: r.ID, Level: r.Level, Security: r.Security, Statement: r.Statement,
		Before: before, After: after, Judged: Changed,
	}
}

func stands(v record.Verdict) bool { return v == record.Pass || v == record.Waived }

func failed(r record.Rule) bool { return r.Shown() == record.Fail || r.Shown() == record.Warned }

// changed judges the step from one verdict to another.
func changed(was, is record.Rule) Change {
	c := stepOf(is, was.Shown(), is.Shown())
	switch {
	case c.After == record.Fail, c.After == record.Warned && stands(was.Verdict):
		c.Judged = Regression
	case is.Level != string(rules.Observe) && stands(was.Verdict) &&
		(is.Verdict == record.NotVerified || is.Verdict == record.Inconclusive):
		c.Judged = Inconclusive // it may hold or not
	case is.Verdict == record.Pass:
		c.Judged = Improvement
	}
	if checks := digest.Deciding(was); is.Verdict == record.Pass && failed(was) && len(checks) > 0 {
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

// named are the defects of several rules and the other rules, and where there is one only what is wrong: of several the
// list below the verdict says that.
func named(list []Change) (names []string) {
	all := bundles(list)
	for _, b := range all {
		switch {
		case len(b.IDs) > 1:
			names = append(names, fmt.Sprintf("%s (%d rules)", printable.Clip(cmp.Or(b.Defect, b.Message, b.level()), 120), len(b.IDs)))
		case len(all) == 1 && b.Message != "":
			names = append(names, printable.Clip(b.Message, 120)+" ("+b.ID+")")
		default:
			names = append(names, b.ID)
		}
	}
	return names
}

func (c *Conformance) conclude() (Verdict, string) {
	var violated, warned []Change
	var worse, open, other []string
	of := func(list []Change, v Verdict) (ids []string) {
		for _, change := range list {
			switch {
			case change.Judged != v:
			case v != Regression:
				ids = append(ids, change.ID)
			case change.After == record.Warned:
				warned = append(warned, change)
			default:
				violated = append(violated, change)
			}
		}
		return ids
	}
	say := func(to *[]string, ids []string, noun, what string) {
		if len(ids) > 0 {
			*to = append(*to, digest.Quantity(len(ids), noun)+what+": "+first(ids))
		}
	}
	worsened := func(list []Change, noun string) {
		if len(list) > 0 {
			worse = append(worse, digest.Quantity(len(list), noun)+": "+firstOf(named(list), "; "))
		}
	}
	of(c.Changed, Regression)
	worsened(violated, "new violation")
	worsened(warned, "new warning")
	say(&open, of(c.Changed, Inconclusive), "rule", " held before and not verified now")
	say(&open, of(c.Gone, Inconclusive), "rule", " held before and not in the second run")
	say(&open, of(c.New, Inconclusive), "rule", " violated that the first run did not select")
	var better []string
	say(&better, of(c.Changed, Improvement), "rule", " passed that did not before")
	switch {
	case len(worse) > 0:
		return Regression, strings.Join(worse, "; ")
	case len(open) > 0:
		return Inconclusive, strings.Join(open, "; ")
	case c.After.Pass+c.After.Fail+c.After.Warn+c.After.Waived == 0 && c.After.Observed == 0:
		return Inconclusive, "the second run judged no rule"
	case len(better) > 0:
		return Improvement, better[0] + "; none is worse"
	}
	for _, p := range []struct {
		n          int
		noun, what string
	}{
		{len(c.Changed), "rule", " changed"},
		{len(c.New), "rule", " new"},
		{len(c.Gone), "rule", " gone"},
		{len(c.Observations), "observation", " drifted"},
	} {
		if p.n > 0 {
			other = append(other, digest.Quantity(p.n, p.noun)+p.what)
		}
	}
	if len(other) > 0 {
		return Changed, "no rule is worse; " + strings.Join(other, ", ")
	}
	return Same, fmt.Sprintf("each of %s has the same verdict, and nothing that was observed drifted",
		digest.Quantity(c.Compared, "rule"))
}
