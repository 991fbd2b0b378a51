package record

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
)

// Defect is one thing that is wrong with the deployment, with the rules that show it. Rules share a defect where a fault
// that is known to break just these explains them, where one cause was proven to, or where nearly all requests that had to
// be refused got one and the same wrong answer; any other rule that failed is a defect of its own.
type Defect struct {
	Headline string   `json:"headline"`
	Level    string   `json:"level"`    // of the weightiest rule: must, or should
	Security bool     `json:"security"` // of any rule
	Rules    []string `json:"rules"`    // that failed, the most direct first
}

// Violated reports whether the defect is more than a warning.
func (d Defect) Violated() bool { return d.Level != string(rules.Should) || d.Security }

// Defects sorts failed rules by what is wrong: those of security rules first, then violations, then warnings.
func Defects(list []Rule) []Defect {
	found := []Defect{}
	failed := slices.DeleteFunc(slices.Clone(list), func(r Rule) bool { return r.Verdict != Fail })
	slices.SortStableFunc(failed, func(a, b Rule) int { return cmp.Compare(a.Weight(), b.Weight()) })
	shared := sharing{list, failed, map[string]string{}}
	shared.byFault()
	shared.byLikeness()
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
		slices.SortStableFunc(d.Rules, func(a, b string) int { return cmp.Compare(directness(failed, a), directness(failed, b)) })
	}
	return found
}

// directness orders rules of one defect: those that the document states before those that follow from it, and among these
// those whose request needs no other sent ahead.
func directness(failed []Rule, id string) int {
	r := failed[slices.IndexFunc(failed, func(r Rule) bool { return r.ID == id })]
	c, _ := Decisive(r)
	level := slices.Index([]string{string(rules.Must), string(rules.Should)}, r.Level)
	return 100*level + len(c.Repeat)
}

// Headline is the sentence that says what is wrong with a rule that failed: that of its decisive check.
func Headline(r Rule) string {
	if c, judged := Decisive(r); judged && c.Verdict == Fail {
		return oneLine(cmp.Or(strings.TrimSpace(c.Message), strings.TrimSpace(c.Actual), c.Name), 240)
	}
	return r.Reason
}

// sharing finds the headlines of defects that break several rules.
type sharing struct {
	all, failed []Rule
	headlines   map[string]string // by rule
}

func (s sharing) named(rule string) bool { _, named := s.headlines[rule]; return named }

// name gives rules a headline; what all of them take is its condition.
func (s sharing) name(group []Rule, f Finding) {
	for i, r := range group {
		c, _ := Decisive(r)
		if i == 0 {
			f.Condition = slices.Clone(c.Condition)
		}
		f.Condition = slices.DeleteFunc(f.Condition, func(s Setting) bool { return !slices.Contains(c.Condition, s) })
	}
	for _, r := range group {
		s.headlines[r.ID] = f.Sentence()
	}
}

// likeness is what failed checks may have in common: a cause that was proven or, where there is none, the wrong answer to
// requests that had to be refused.
type likeness struct {
	cause, operation string
	outcome          Became
	status           int
	condition        string
}

// byLikeness names rules all of whose failed checks are alike. An answer may have a cause of its own, unless nearly all
// requests of a kind get it.
func (s sharing) byLikeness() {
	const many, times = 5, 3 // rules that fail, and how many for each that passed
	of := map[likeness][]Rule{}
	for _, r := range s.failed {
		like := func(c Check) likeness {
			if c.Cause != "" {
				return likeness{cause: c.Cause}
			}
			return likeness{"", topic(r)[0], c.Outcome, c.Status, OnlyWith(c.Condition)}
		}
		first, _ := Decisive(r)
		differs := func(c Check) bool { return like(c) != like(first) || c.Cause == "" && c.Due != Refused }
		if !s.named(r.ID) && !slices.ContainsFunc(failures(r), differs) {
			of[like(first)] = append(of[like(first)], r)
		}
	}
	for like, group := range of {
		passed := 0
		for _, r := range s.all {
			if r.Verdict == Pass && slices.ContainsFunc(group, func(g Rule) bool { return slices.Equal(topic(g), topic(r)) }) {
				passed++
			}
		}
		c, _ := Decisive(group[0])
		switch {
		case like.cause != "" && len(group) > 1:
			s.name(group, Finding{Cause: like.cause})
		case like.cause == "" && len(group) >= max(many, times*passed):
			subject := map[string]string{"create": "an invalid creation", "export": "an invalid export"}[like.operation]
			s.name(group, Finding{
				Subject: cmp.Or(subject, "a request without valid authentication"), Outcome: c.Outcome, Got: c.Got, Want: c.Want,
			})
		}
	}
}

// topic is the operation and the topic of a rule, as its ID names them.
func topic(r Rule) []string { return strings.SplitN(r.ID+"..", ".", 3)[:2] }
