package record

import (
	"cmp"
	"maps"
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
	causes   []string // of what failed
}

// Violated reports whether the defect is more than a warning.
func (d Defect) Violated() bool { return d.Level != string(rules.Should) || d.Security }

// Counted says how many rules show the defect, and how many it keeps from being judged, where it is more than one rule.
func (d Defect) Counted() string {
	var counts []string
	if violated := len(d.Rules) - d.Warnings; len(d.Rules) > 1 {
		if violated > 0 {
			counts = append(counts, printable.Quantity(violated, "rule")+" violated")
		}
		if d.Warnings > 0 {
			counts = append(counts, printable.Quantity(d.Warnings, "warning"))
		}
	}
	if n := len(d.Unjudged); n > 0 {
		counts = append(counts, printable.Quantity(n, "rule")+" could not be judged")
	}
	return strings.Join(counts, ", ")
}

// Defects sorts failed rules by what is wrong: those of security rules first, then violations, then warnings.
func Defects(list []Rule) []Defect {
	failed := slices.DeleteFunc(slices.Clone(list), func(r Rule) bool { return r.Verdict != Fail })
	slices.SortStableFunc(failed, func(a, b Rule) int { return cmp.Compare(weight(a), weight(b)) })
	named := map[string]string{} // the headline of each rule that shares a defect with others
	for _, name := range []func(all, failed []Rule) map[string]string{byDictionary, byCause, byAnswer} {
		rest := slices.DeleteFunc(slices.Clone(failed), func(r Rule) bool { return named[r.ID] != "" })
		maps.Copy(named, name(list, rest))
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
		for _, c := range failures(r) {
			d.causes = append(d.causes, c.Cause)
		}
	}
	unjudged(list, found)
	return found
}

// weight orders failed rules, the gravest first.
func weight(r Rule) int {
	switch {
	case r.Security:
		return 0
	case r.Binding():
		return 1
	}
	return 2
}

// Headline is the sentence that says what is wrong with a rule that failed: that of its decisive check.
func Headline(r Rule) string {
	if c, failed := Decisive(r); failed {
		return oneLine(cmp.Or(strings.TrimSpace(c.Message), strings.TrimSpace(c.Actual), c.Name), 240)
	}
	return r.Reason
}

// byCause names rules of which everything that failed has one cause, where several share it.
func byCause(_, failed []Rule) map[string]string {
	of := map[string][]Rule{}
	for _, r := range failed {
		if c, _ := Decisive(r); c.Cause != "" && !slices.ContainsFunc(failures(r), func(o Check) bool { return o.Cause != c.Cause }) {
			of[c.Cause] = append(of[c.Cause], r)
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

// unjudged adds the rules that could not be judged because of one defect: each of their checks has its cause, or was
// blocked by a rule that failed for it, or that it kept from being judged itself.
func unjudged(list []Rule, found []Defect) {
	explains := func(c Check) int {
		return slices.IndexFunc(found, func(d Defect) bool {
			blocks := func(id string) bool {
				return slices.ContainsFunc(c.BlockedBy, func(pattern string) bool { return rules.Match(pattern, id) })
			}
			return c.Cause != "" && slices.Contains(d.causes, c.Cause) || slices.ContainsFunc(slices.Concat(d.Rules, d.Unjudged), blocks)
		})
	}
	var open []Rule
	for _, r := range list {
		if r.Verdict == Inconclusive || r.Verdict == NotVerified {
			open = append(open, r)
		}
	}
	for left := -1; left != len(open); {
		left = len(open)
		open = slices.DeleteFunc(open, func(r Rule) bool {
			defects := map[int]bool{}
			for _, c := range r.Checks {
				if c.Verdict == r.Verdict {
					defects[explains(c)] = true
				}
			}
			for i := range defects {
				if len(defects) == 1 && i >= 0 {
					found[i].Unjudged = append(found[i].Unjudged, r.ID)
					return true
				}
			}
			return false
		})
	}
}
