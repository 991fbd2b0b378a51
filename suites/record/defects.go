package record

import (
	"cmp"
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
func Defects(list []Rule) (found []Defect) {
	n := naming{all: list, named: map[string]string{}}
	for _, r := range list {
		if r.Verdict == Fail {
			n.failed = append(n.failed, r)
		}
	}
	slices.SortStableFunc(n.failed, func(a, b Rule) int { return cmp.Compare(a.Weight(), b.Weight()) })
	n.byDictionary()
	n.byCause()
	n.byAnswer()
	for _, r := range n.failed {
		headline := cmp.Or(n.named[r.ID], Headline(r))
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

// naming gives rules that share a defect its headline.
type naming struct {
	all, failed []Rule
	named       map[string]string
}

// rest are the failed rules that have no headline yet.
func (n naming) rest() []Rule {
	return slices.DeleteFunc(slices.Clone(n.failed), func(r Rule) bool { return n.named[r.ID] != "" })
}

func (n naming) name(group []Rule, headline string) {
	for _, r := range group {
		n.named[r.ID] = headline
	}
}

// Headline is the sentence that says what is wrong with a rule that failed: that of its decisive check.
func Headline(r Rule) string {
	if c, failed := Decisive(r); failed {
		return oneLine(cmp.Or(strings.TrimSpace(c.Message), strings.TrimSpace(c.Actual), c.Name), 240)
	}
	return r.Reason
}

// byCause names rules of which everything that failed has one cause, where several share it.
func (n naming) byCause() {
	of := map[string][]Rule{}
	for _, r := range n.rest() {
		if c, _ := Decisive(r); c.Cause != "" && !slices.ContainsFunc(failures(r), func(o Check) bool { return o.Cause != c.Cause }) {
			of[c.Cause] = append(of[c.Cause], r)
		}
	}
	for cause, group := range of {
		if len(group) > 1 {
			n.name(group, theDeployment+cause+OnlyWith(condition(group)))
		}
	}
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
	for again := true; again; {
		again = false
		for _, r := range list {
			known := func(d Defect) bool { return slices.Contains(d.Unjudged, r.ID) }
			if r.Verdict != Inconclusive && r.Verdict != NotVerified || slices.ContainsFunc(found, known) {
				continue
			}
			open := slices.DeleteFunc(slices.Clone(r.Checks), func(c Check) bool { return c.Verdict != r.Verdict })
			if len(open) == 0 {
				continue
			}
			by := explains(open[0])
			if by >= 0 && !slices.ContainsFunc(open, func(c Check) bool { return explains(c) != by }) {
				found[by].Unjudged, again = append(found[by].Unjudged, r.ID), true
			}
		}
	}
}
