package model

import (
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
)

// Hypothesis is what a deployment does instead of what the document says.
type Hypothesis struct {
	Rule *rules.Rule       // that says otherwise
	Name string            // in words that follow "the deployment"
	Edit func(*ExportPlan) // carries an export out so

	when func(*ExportPlan) bool // the exports in which the deployment does so; nil: all
	also []string               // rules that it breaks besides its own
	// Not every window has the quotes that show it, and not every deployment accepts the exports: the
	// rule counts as verified without.
	optional bool
	fallback Fallback
	minUnit  time.Duration // files have to show a smaller one for it to show
}

// When limits a hypothesis to some exports.
func (h *Hypothesis) When(holds func(*ExportPlan) bool) *Hypothesis { h.when = holds; return h }

// AsOptional marks a hypothesis that takes quotes which not every window has, or an export that not
// every deployment accepts.
func (h *Hypothesis) AsOptional() *Hypothesis { h.optional = true; return h }

// WithMinUnit marks a hypothesis that shows only in files whose dates are finer than a unit.
func (h *Hypothesis) WithMinUnit(unit time.Duration) *Hypothesis { h.minUnit = unit; return h }

// AsFallback marks a hypothesis that explains whatever rows are lost or added: others go before it.
func (h *Hypothesis) AsFallback(how Fallback) *Hypothesis { h.fallback = how; return h }

// AlsoBreaks adds rules that a hypothesis breaks.
func (h *Hypothesis) AlsoBreaks(others ...string) *Hypothesis { h.also = others; return h }

// Fallback is how much a hypothesis explains that is the same in each export, and so when it is
// tried.
type Fallback int

// The fallbacks, in the order in which they are tried.
const (
	FallbackNone     Fallback = iota
	FallbackRounded           // it is how the file shows dates, which breaks no rule
	FallbackZone              // the dates of the file may be read wrong instead
	FallbackSomeRows          // of exports of a kind
	FallbackAnyRows
)

// BrokenRules are those that it breaks, its own first.
func (h *Hypothesis) BrokenRules() []string { return append([]string{h.Rule.ID}, h.also...) }

// IsZoneMistake reports a mistaken time zone, which may be the one that the file's dates are read
// in.
func (h *Hypothesis) IsZoneMistake() bool { return h.fallback == FallbackZone }

// IsRounding reports dates that the file shows rounded: rows whose date seems to be on a bound may
// be on either side of it.
func (h *Hypothesis) IsRounding() bool { return h.fallback == FallbackRounded }

// applyTo carries a query out as the hypothesis has it.
func (h *Hypothesis) applyTo(p *ExportPlan) {
	if h.when == nil || h.when(p) {
		h.Edit(p)
	}
}

// ConditionalHypothesis is a hypothesis under the condition of some settings.
type ConditionalHypothesis struct {
	*Hypothesis
	Condition []record.FactorValue
}

// AppliesTo reports whether an export has all of the settings.
func (s ConditionalHypothesis) AppliesTo(e *SeenExport) bool { return s.appliesToPlan(&e.plain) }

func (s ConditionalHypothesis) appliesToPlan(p *ExportPlan) bool {
	return !slices.ContainsFunc(s.Condition,
		func(want record.FactorValue) bool { return !slices.Contains(p.settings, want) })
}

// Reading is how a deployment reads exports; the empty one is the documented one.
type Reading []ConditionalHypothesis

// apply carries a query out as the reading has it.
func (r Reading) apply(documented ExportPlan) ExportPlan {
	for _, s := range r {
		if s.appliesToPlan(&documented) {
			s.applyTo(&documented)
		}
	}
	return documented
}
