package record

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/rules"
)

// Defect is one thing that is wrong with the deployment, with the rules that show it. Rules share a defect only where
// it was proven to explain all that was found of each, or where one sentence says it; any other rule that failed is a
// defect of its own.
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

// String is the headline, with how many rules show the defect, and how many it keeps from being judged.
func (d Defect) String() string {
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
	if len(counts) == 0 {
		return d.Headline
	}
	return d.Headline + " (" + strings.Join(counts, ", ") + ")"
}

// Defects sorts failed rules by what is wrong: those of security rules first, then violations, then warnings.
func Defects(list []Rule) []Defect {
	at := map[string]int{}
	var found []Defect
	var own []string // what the first rule of each says of itself
	proven := families(list)
	for _, r := range weighed(list) {
		cause, headline := explanation(r, proven)
		key := cmp.Or(cause, "headline "+headline)
		i, known := at[key]
		if !known {
			i = len(found)
			at[key] = i
			found = append(found, Defect{Headline: headline, Level: r.Level})
			own = append(own, Headline(r))
		}
		found[i].Rules = append(found[i].Rules, r.ID)
		found[i].Security = found[i].Security || r.Security
		if r.Level == string(rules.Should) && !r.Security {
			found[i].Warnings++
		}
		if found[i].Level == string(rules.Should) {
			found[i].Level = r.Level
		}
	}
	for i := range found {
		switch d := &found[i]; {
		case len(d.Rules) == 1: // what one rule says of itself says more
			d.Headline = own[i]
		case strings.HasPrefix(d.Headline, theDeployment) &&
			at["cause "+strings.TrimPrefix(d.Headline, theDeployment)] == i:
			d.Headline += condition(slices.DeleteFunc(slices.Clone(list), func(r Rule) bool {
				return !slices.Contains(d.Rules, r.ID)
			}))
		}
	}
	unjudged(list, at, found)
	return found
}

const theDeployment = "The deployment " // begins the headline of a cause

// weighed are the failed rules: security rules first, must before should.
func weighed(list []Rule) []Rule {
	failed := slices.DeleteFunc(slices.Clone(list), func(r Rule) bool { return r.Verdict != Fail })
	weight := func(r Rule) int {
		w := 0
		if !r.Security {
			w = 2
		}
		if r.Level == string(rules.Should) {
			w++
		}
		return w
	}
	slices.SortStableFunc(failed, func(a, b Rule) int { return cmp.Compare(weight(a), weight(b)) })
	return failed
}

// explanation is the defect that was proven to explain everything that failed of a rule, and its headline.
func explanation(r Rule, proven []family) (key, headline string) {
	for _, f := range proven {
		if f.explains(r) {
			return "family " + f.headline, f.headline
		}
	}
	if cause := commonCause(r.Checks, Fail); cause != "" {
		return "cause " + cause, theDeployment + cause
	}
	return "", Headline(r)
}

// commonCause is the cause that all checks with a verdict share; empty where they do not.
func commonCause(checks []Check, v Verdict) string {
	cause, first := "", true
	for _, c := range checks {
		if c.Verdict != v {
			continue
		}
		if !first && c.Cause != cause {
			return ""
		}
		cause, first = c.Cause, false
	}
	return cause
}

// Headline is the sentence that says what is wrong with a rule that failed: that of its decisive check.
func Headline(r Rule) string {
	if c, failed := Decisive(r); failed {
		return oneLine(cmp.Or(strings.TrimSpace(c.Message), strings.TrimSpace(c.Actual), c.Name), 240)
	}
	return r.Reason
}

var reference = regexp.MustCompile(`\bsee ((?:[a-z0-9_]+(?:\.[a-z0-9_]+)+(?: and |, )?)+)`)

// unjudged adds the rules that could not be judged because of a defect: each of their checks was explained by it, or says
// that it rests on a rule which failed, or which the defect kept from being judged itself.
func unjudged(list []Rule, at map[string]int, found []Defect) {
	of := map[string]int{} // defect by rule
	for i, d := range found {
		for _, id := range d.Rules {
			of[id] = i
		}
	}
	open := slices.DeleteFunc(slices.Clone(list), func(r Rule) bool {
		return r.Verdict != Inconclusive && r.Verdict != NotVerified
	})
	for left := len(open) + 1; len(open) < left; {
		left = len(open)
		open = slices.DeleteFunc(open, func(r Rule) bool {
			i, known := restsOn(r, of, at)
			if known {
				of[r.ID] = i
			}
			return known
		})
	}
	for _, r := range list {
		if i, known := of[r.ID]; known && r.Verdict != Fail {
			found[i].Unjudged = append(found[i].Unjudged, r.ID)
		}
	}
}

// restsOn is the defect that explains every check which could not be judged, or that each names a rule of.
func restsOn(r Rule, of, at map[string]int) (defect int, known bool) {
	defect = -1
	for _, c := range r.Checks {
		if c.Verdict != r.Verdict {
			continue
		}
		one, explained := at["cause "+c.Cause]
		if !explained {
			one = -1
			for _, m := range reference.FindAllStringSubmatch(c.Message, -1) {
				for _, id := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ' ' || r == ',' }) {
					if i, failed := of[id]; failed {
						one = i
					}
				}
			}
		}
		if one < 0 || defect >= 0 && one != defect {
			return 0, false
		}
		defect = one
	}
	return defect, defect >= 0
}
