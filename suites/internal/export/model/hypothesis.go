package model

import (
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// Rule is a rule about rows, with the ways in which deployments break it.
type Rule struct {
	ID         string
	Level      rules.Level
	Security   bool
	Statement  string
	Needs      []string
	Hypotheses []Hypothesis
}

// Hypothesis is what a deployment does instead of what the document says.
type Hypothesis struct {
	Name string // in words that follow "the deployment"
	// The case of the rule that a run judges it by, alone or among others: its text, and where it
	// stands.
	Case  string
	Place spec.CodeLocation
	edit  func(p *exportPlan)
	also  []string // rules that it breaks besides its own
	// Not every window has the quotes that show it, and not every deployment accepts the exports: the
	// rule counts as verified without.
	optional bool
	fallback fallbackRank
	minUnit  time.Duration // files have to show a smaller one for it to show

	rule     string
	security bool // of the rule
}

// AsOptional marks a hypothesis that takes quotes which not every window has, or an export that not
// every deployment accepts.
func (h Hypothesis) AsOptional() Hypothesis { h.optional = true; return h }

// WithMinUnit marks a hypothesis that shows only in files whose dates are finer than a unit.
func (h Hypothesis) WithMinUnit(unit time.Duration) Hypothesis { h.minUnit = unit; return h }

// AsFallback marks a hypothesis that explains whatever rows are lost or added: others go before it.
func (h Hypothesis) AsFallback(how fallbackRank) Hypothesis { h.fallback = how; return h }

// AlsoBreaks adds rules that a hypothesis breaks.
func (h Hypothesis) AlsoBreaks(others ...string) Hypothesis { h.also = others; return h }

// Cases are the hypotheses by case, in the order in which they are declared. One that breaks no
// rule is for the first.
func (r *Rule) Cases() (cases [][]*Hypothesis) {
	for i := range r.Hypotheses {
		h := &r.Hypotheses[i]
		at := slices.IndexFunc(cases,
			func(c []*Hypothesis) bool { return c[0].Case == h.Case || h.IsRounding() })
		if at < 0 {
			at, cases = len(cases), append(cases, nil)
		}
		cases[at] = append(cases[at], h)
	}
	return cases
}

// fallbackRank is how much a hypothesis explains that is the same in each export, and so when it is
// tried.
type fallbackRank int

const (
	fallbackNone     fallbackRank = iota
	fallbackRounded               // it is how the file shows dates, which breaks no rule
	fallbackZone                  // the dates of the file may be read wrong instead
	fallbackSomeRows              // of exports of a kind
	fallbackAnyRows
)

// BrokenRules are those that it breaks, its own first.
func (h *Hypothesis) BrokenRules() []string { return append([]string{h.rule}, h.also...) }

// Breaks reports whether wrong exports show that it breaks a rule: what a filter makes of a text
// that names no client breaks the rule about clients only where another client's rows are given.
func (h *Hypothesis) Breaks(rule string, wrong []*Contradiction) bool {
	return slices.Contains(h.BrokenRules(), rule) && (h.rule != rulePrefix || rule != ruleClient ||
		slices.ContainsFunc(wrong,
			func(c *Contradiction) bool { return c.Export.Filter.Kind == FilterWholeID }))
}

// IsZoneMistake reports a mistaken time zone, which may be the one that the file's dates are read
// in.
func (h *Hypothesis) IsZoneMistake() bool { return h.fallback == fallbackZone }

// IsRounding reports dates that the file shows rounded: rows whose date seems to be on a bound may
// be on either side of it.
func (h *Hypothesis) IsRounding() bool { return h.fallback == fallbackRounded }

// ConditionalHypothesis is a hypothesis under the condition of some settings.
type ConditionalHypothesis struct {
	*Hypothesis
	Condition []record.FactorValue
}

// AppliesTo reports whether an export has all of the settings.
func (s ConditionalHypothesis) AppliesTo(e *SeenExport) bool { return s.appliesToPlan(&e.plain) }

func (s ConditionalHypothesis) appliesToPlan(p *exportPlan) bool {
	return !slices.ContainsFunc(s.Condition,
		func(want record.FactorValue) bool { return !slices.Contains(p.settings, want) })
}

// Reading is how a deployment reads exports; the empty one is the documented one.
type Reading []ConditionalHypothesis

// apply carries a query out as the reading has it.
func (r Reading) apply(documented exportPlan) exportPlan {
	for _, s := range r {
		if s.appliesToPlan(&documented) {
			s.edit(&documented)
		}
	}
	return documented
}
