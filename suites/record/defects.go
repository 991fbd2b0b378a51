package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/rules"
)

// Defect is one thing that is wrong with the deployment, with the rules that show it. Rules share a defect where a fault
// that is known to break just these explains them, where one cause was proven to, or where many requests that had to be
// refused got one and the same wrong answer; any other rule that failed is a defect of its own.
type Defect struct {
	Headline string   `json:"headline"`
	Level    string   `json:"level"`    // of the weightiest rule: must, or should
	Security bool     `json:"security"` // of any rule
	Rules    []string `json:"rules"`    // that failed, the weightiest first
	Warnings int      `json:"-"`        // of Rules: those that only warn, at the end
	Unjudged []string `json:"unjudged,omitempty"`
}

// Violated reports whether the defect is more than a warning.
func (d Defect) Violated() bool { return d.Level != string(rules.Should) || d.Security }

// Counted says how many rules show the defect, and how many it keeps from being judged, where it is more than one rule.
func (d Defect) Counted() string {
	var counts []string
	if n := len(d.Rules); n > 1 && n > d.Warnings {
		counts = append(counts, printable.Quantity(n-d.Warnings, "rule")+" violated")
	}
	if n := d.Warnings; n > 0 && len(d.Rules) > 1 {
		counts = append(counts, printable.Quantity(n, "warning"))
	}
	if n := len(d.Unjudged); n > 0 {
		counts = append(counts, fmt.Sprintf("%s could not be judged", printable.Quantity(n, "rule")))
	}
	return strings.Join(counts, ", ")
}

// String is the headline, with how many rules show the defect, and how many it keeps from being judged.
func (d Defect) String() string {
	if counts := d.Counted(); counts != "" {
		return d.Headline + " (" + counts + ")"
	}
	return d.Headline
}

// Defects sorts failed rules by what is wrong: those of security rules first, then violations, then warnings.
func Defects(list []Rule) []Defect {
	failed := weighed(list)
	named := map[string]string{} // the headline of each rule that shares a defect with others
	for _, name := range []func(all, failed []Rule) map[string]string{byDictionary, byCause, byAnswer} {
		rest := slices.DeleteFunc(slices.Clone(failed), func(r Rule) bool { return named[r.ID] != "" })
		for id, headline := range name(list, rest) {
			named[id] = headline
		}
	}
	var found []Defect
	for _, r := range failed {
		headline := cmp.Or(named[r.ID], Headline(r))
		i := slices.IndexFunc(found, func(d Defect) bool { return d.Headline == headline })
		if i < 0 {
			i = len(found)
			found = append(found, Defect{Headline: headline, Level: r.Level})
		}
		d := &found[i]
		d.Rules, d.Security = append(d.Rules, r.ID), d.Security || r.Security
		if !r.Binding() {
			d.Warnings++
		}
		if d.Level == string(rules.Should) {
			d.Level = r.Level
		}
	}
	unjudged(list, found)
	return found
}

// weighed are the failed rules: security rules first, must before should.
func weighed(list []Rule) []Rule {
	failed := slices.DeleteFunc(slices.Clone(list), func(r Rule) bool { return r.Verdict != Fail })
	slices.SortStableFunc(failed, func(a, b Rule) int {
		return cmp.Or(-compare(a.Security, b.Security), -compare(a.Binding(), b.Binding()))
	})
	return failed
}

// compare puts false before true.
func compare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// Headline is the sentence that says what is wrong with a rule that failed: that of its decisive check.
func Headline(r Rule) string {
	if c, failed := Decisive(r); failed {
		return oneLine(cmp.Or(strings.TrimSpace(c.Message), strings.TrimSpace(c.Actual), c.Name), 240)
	}
	return r.Reason
}

// failures are the checks of a rule that failed.
func failures(r Rule) []Check {
	return slices.DeleteFunc(slices.Clone(r.Checks), func(c Check) bool { return c.Verdict != Fail })
}

// byCause names rules of which everything that failed has one cause, where several share it.
func byCause(_, failed []Rule) map[string]string {
	of := map[string][]Rule{}
	for _, r := range failed {
		checks := failures(r)
		one := slices.IndexFunc(checks, func(c Check) bool { return c.Cause != checks[0].Cause }) < 0
		if len(checks) > 0 && one && checks[0].Cause != "" {
			of[checks[0].Cause] = append(of[checks[0].Cause], r)
		}
	}
	named := map[string]string{}
	for cause, all := range of {
		for _, r := range all {
			if len(all) > 1 {
				named[r.ID] = theDeployment + cause + OnlyWith(condition(all))
			}
		}
	}
	return named
}

// condition is what everything takes that failed of some rules.
func condition(broken []Rule) (common []Setting) {
	for i, r := range broken {
		c, _ := Decisive(r)
		if i == 0 {
			common = slices.Clone(c.Condition)
		}
		common = slices.DeleteFunc(common, func(s Setting) bool { return !slices.Contains(c.Condition, s) })
	}
	return common
}

// unjudged adds the rules that could not be judged because of a defect: each of their checks has its cause, or was
// blocked by a rule that failed for it, or that it kept from being judged itself.
func unjudged(list []Rule, found []Defect) {
	of, causes := map[string]int{}, map[string]int{} // defects by rule, and by cause
	for i, d := range found {
		for _, r := range list {
			if slices.Contains(d.Rules, r.ID) {
				of[r.ID] = i
				for _, c := range failures(r) {
					causes[c.Cause] = i
				}
			}
		}
	}
	delete(causes, "")
	explains := func(r Rule) int {
		defect := -1
		for _, c := range r.Checks {
			if c.Verdict != r.Verdict {
				continue
			}
			one, known := causes[c.Cause]
			for id, i := range of {
				if !known && slices.ContainsFunc(c.BlockedBy, func(p string) bool { return rules.Match(p, id) }) {
					one, known = i, true
				}
			}
			if !known || defect >= 0 && one != defect {
				return -1
			}
			defect = one
		}
		return defect
	}
	for more := true; more; {
		more = false
		for _, r := range list {
			if _, known := of[r.ID]; known || r.Verdict != Inconclusive && r.Verdict != NotVerified {
				continue
			}
			if i := explains(r); i >= 0 {
				of[r.ID], more = i, true
			}
		}
	}
	for _, r := range list {
		if i, known := of[r.ID]; known && r.Verdict != Fail {
			found[i].Unjudged = append(found[i].Unjudged, r.ID)
		}
	}
}
