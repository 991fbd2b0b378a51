package record

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/outcome"
)

// Defect is one defect of the deployment, with the rules that show it. Several rules share a
// defect if a known fault breaks exactly these, if they have one proven cause, if most modes of
// replay protection fail alike, if all fields of a kind fail alike, if dates are off by the same
// number of days now and then, if a field or header is not required in any form, or if nearly all
// requests that must be refused got the same wrong answer. Every other failed rule is a separate
// defect.
type Defect struct {
	Headline string   `json:"headline"`
	Level    string   `json:"level"`    // of the gravest rule: must or should
	Security bool     `json:"security"` // any of its rules is a security rule
	Rules    []string `json:"rules"`    // failed rules, the most direct first
}

// Violated reports whether the defect is more than a warning.
func (d Defect) Violated() bool { return d.Level != string(rules.Should) || d.Security }

// Defects groups the failed rules by defect: security rules first, then violations, then warnings.
func Defects(list []RuleResult) []Defect {
	found := []Defect{}
	failed := slices.DeleteFunc(slices.Clone(list),
		func(r RuleResult) bool { return r.Verdict != VerdictFail })
	slices.SortStableFunc(failed,
		func(a, b RuleResult) int { return cmp.Compare(failureWeight(a), failureWeight(b)) })
	shared := defectGrouping{list, failed, map[string]string{}}
	shared.nameKnownFaults()
	shared.nameFailuresOfModes()
	shared.nameSimilarFailures()
	shared.nameFieldsAlike()
	shared.nameDatesAlike()
	shared.nameUnrequired()
	for _, r := range failed {
		headline := cmp.Or(shared.headlines[r.ID], Headline(r))
		i := slices.IndexFunc(found, func(d Defect) bool { return d.Headline == headline })
		if i < 0 {
			i, found = len(found), append(found, Defect{Headline: headline, Level: r.Level})
		}
		d := &found[i]
		d.Rules, d.Security = append(d.Rules, r.ID), d.Security || r.Security
		if d.Level == string(rules.Should) {
			d.Level = r.Level
		}
	}
	for _, d := range found {
		slices.SortStableFunc(d.Rules, func(a, b string) int {
			return cmp.Compare(ruleDirectness(failed, a), ruleDirectness(failed, b))
		})
	}
	return found
}

// failureWeight returns the rank of a failed rule, the gravest lowest: rules that protect, those on
// authentication first, as the others rest on it; then the rest by level. A server error exposes
// nothing, so it counts by the level of its rule.
func failureWeight(r RuleResult) int {
	switch {
	case r.Security && slices.Equal(FailedOutcomes(r), []outcome.Outcome{outcome.ServerError}):
		r.Security = false
	case r.Security && ruleTopic(r)[0] == "auth":
		return -2
	}
	return r.SortWeight()
}

// ruleDirectness returns the rank of a rule within its defect: must rules before should rules, and
// among these the ones that need fewer requests to repeat.
func ruleDirectness(failed []RuleResult, id string) int {
	r := failed[slices.IndexFunc(failed, func(r RuleResult) bool { return r.ID == id })]
	c, _ := DecisiveCheck(r)
	level := slices.Index([]string{string(rules.Must), string(rules.Should)}, r.Level)
	return 100*level + len(c.Repeat)
}

// Headline returns the sentence that says what is wrong about a failed rule: that of its decisive
// check.
func Headline(r RuleResult) string {
	if c, judged := DecisiveCheck(r); judged && c.Verdict == VerdictFail {
		return oneLine(cmp.Or(strings.TrimSpace(c.Message), strings.TrimSpace(c.Actual), c.Name), 240)
	}
	return r.Reason
}

// defectGrouping finds the headlines of defects that break several rules.
type defectGrouping struct {
	all, failed []RuleResult
	headlines   map[string]string // by rule ID
}

func (s defectGrouping) hasHeadline(rule string) bool {
	_, named := s.headlines[rule]
	return named
}

// setHeadline sets the headline of a group. Its condition is what the conditions of all rules have
// in common.
func (s defectGrouping) setHeadline(group []RuleResult, f Finding) {
	for i, r := range group {
		c, _ := DecisiveCheck(r)
		if i == 0 {
			f.Condition = slices.Clone(c.Condition)
		}
		f.Condition = slices.DeleteFunc(f.Condition,
			func(s FactorValue) bool { return !slices.Contains(c.Condition, s) })
	}
	for _, r := range group {
		s.headlines[r.ID] = f.Sentence()
	}
}

// shareHeadline gives a group the headline of one of its rules.
func (s defectGrouping) shareHeadline(group []RuleResult, of RuleResult) {
	for _, r := range group {
		s.headlines[r.ID] = Headline(of)
	}
}

// nameFailuresOfModes groups rules that fail alike in most modes of replay protection. Where a
// repeat passes now and then, as where processes share no memory, every rule on what is to be
// blocked may fail by chance.
func (s defectGrouping) nameFailuresOfModes() {
	const most, unsteady = 3, "now and then"
	passesNowAndThen := slices.ContainsFunc(s.failed, func(r RuleResult) bool {
		return strings.HasPrefix(r.ID, "replay.") && strings.HasSuffix(r.ID, ".same") && FailsPartly(r)
	})
	alike := map[string][]RuleResult{}
	modes := map[string]map[string]bool{}
	for _, r := range s.failed {
		rest, isReplay := strings.CutPrefix(r.ID, "replay.")
		if c, _ := DecisiveCheck(r); s.hasHeadline(r.ID) || !isReplay || c.Cause != "" {
			continue
		}
		mode, cell, _ := strings.Cut(rest, ".")
		ends := FailedOutcomes(r)
		key := fmt.Sprint(cell, ends)
		switch {
		case mode == "race":
			mode, key = cell, unsteady
		case passesNowAndThen && slices.Equal(ends, []outcome.Outcome{outcome.NotBlocked}):
			key = unsteady
		}
		alike[key] = append(alike[key], r)
		if modes[key] == nil {
			modes[key] = map[string]bool{}
		}
		modes[key][mode] = true
	}
	for key, group := range alike {
		if len(modes[key]) >= most {
			lead := slices.IndexFunc(group,
				func(r RuleResult) bool { return strings.HasSuffix(r.ID, ".same") })
			s.shareHeadline(group, group[max(lead, 0)])
		}
	}
}

// failureSimilarity is what similar failed checks have in common: a proven cause or, without one,
// the wrong answer to requests that must be refused.
type failureSimilarity struct {
	cause, operation string
	end              outcome.Outcome
	status           int
	condition        string
}

// nameSimilarFailures groups rules whose failed checks are all similar. Wrong answers alone group
// rules only if nearly all rules of a topic fail with the same one, or with a server error.
func (s defectGrouping) nameSimilarFailures() {
	const many, times = 5, 3 // minimum of failed rules, and of failed rules per passed rule
	of := map[failureSimilarity][]RuleResult{}
	for _, r := range s.failed {
		like := func(c CheckResult) failureSimilarity {
			if c.Cause != "" {
				return failureSimilarity{cause: c.Cause}
			}
			return failureSimilarity{"", ruleTopic(r)[0], c.Outcome, c.Status, conditionClause(c.Condition)}
		}
		first, _ := DecisiveCheck(r)
		differs := func(c CheckResult) bool {
			return like(c) != like(first) || c.Cause == "" && c.ExpectedOutcome != outcome.Refused
		}
		if !s.hasHeadline(r.ID) && !slices.ContainsFunc(failedChecks(r), differs) {
			of[like(first)] = append(of[like(first)], r)
		}
	}
	for like, group := range of {
		passed := 0
		for _, r := range s.all {
			if r.Verdict == VerdictPass && slices.ContainsFunc(group,
				func(g RuleResult) bool { return slices.Equal(ruleTopic(g), ruleTopic(r)) }) {
				passed++
			}
		}
		if s.hidesRefusals(like) { // what else passes was refused elsewhere
			passed = 0
		}
		c, _ := DecisiveCheck(group[0])
		otherTopic := func(r RuleResult) bool { return !slices.Equal(ruleTopic(r), ruleTopic(group[0])) }
		switch {
		case like.cause != "" && len(group) > 1:
			s.setHeadline(group, Finding{Cause: like.cause})
		case like.cause != "":
		case len(group) < max(many, times*passed):
			if like.end == outcome.ServerError {
				s.nameServerErrors(group)
			}
		case !slices.ContainsFunc(group, otherTopic): // its first failure says more than "invalid"
			s.shareHeadline(group, group[0])
		default:
			subject := map[string]string{
				"create": "an invalid creation", "export": "an invalid export",
			}[like.operation]
			s.setHeadline(group, Finding{
				Subject: cmp.Or(subject, "a request without valid authentication"), Outcome: c.Outcome,
				Got: c.Got, Want: c.Want,
			})
		}
	}
}

// hidesRefusals reports whether requests are rather refused behind a status of success: the answer
// holds an error or is a page, or invalid creations get another status than valid ones.
func (s defectGrouping) hidesRefusals(like failureSimilarity) bool {
	return like.end == outcome.ErrorInside || like.end == outcome.Page ||
		like.operation == "create" && like.end == outcome.Accepted &&
			like.status != http.StatusCreated && slices.ContainsFunc(s.all, func(r RuleResult) bool {
			return r.ID == "create.success.status" && r.Verdict == VerdictPass
		})
}

// nameServerErrors gives the rules of each topic the headline of its first: one topic that ends in
// the same server error has one crash. So have many topics, such as where the body is read.
func (s defectGrouping) nameServerErrors(group []RuleResult) {
	const many = 5
	first := map[string]RuleResult{} // by topic
	for _, r := range group {
		topic := strings.Join(ruleTopic(r), ".")
		if _, known := first[topic]; !known {
			first[topic] = r
		}
		s.shareHeadline([]RuleResult{r}, first[topic])
	}
	if len(first) < many {
		return
	}
	for _, r := range group {
		s.headlines[r.ID] = fmt.Sprintf("%s, %d rules alike", Headline(group[0]), len(group))
	}
}

// ruleTopic returns the operation and the topic in the ID of a rule.
func ruleTopic(r RuleResult) []string { return strings.SplitN(r.ID+"..", ".", 3)[:2] }
