package model

import (
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
)

// Hypothesis is one way in which a deployment may deviate from the document.
type Hypothesis struct {
	Rule *rules.Rule       // the rule that it breaks
	Name string            // completes "the deployment ..."
	Edit func(*ExportPlan) // changes the documented plan accordingly

	when func(*ExportPlan) bool // exports that it changes; nil: all
	also []string               // IDs of further rules that it breaks
	// optional: not every window has the quotes that show it, or not every deployment accepts the
	// exports. The rule counts as verified without it.
	optional bool
	fallback Fallback
	minUnit  time.Duration // shows only where files show dates finer than this; 0: always
}

// When limits a hypothesis to the exports that holds accepts, and returns it.
func (h *Hypothesis) When(holds func(*ExportPlan) bool) *Hypothesis { h.when = holds; return h }

// AsOptional marks a hypothesis that needs quotes which not every window has, or an export that
// not every deployment accepts.
func (h *Hypothesis) AsOptional() *Hypothesis { h.optional = true; return h }

// WithMinUnit marks a hypothesis that shows only in files whose dates are finer than unit.
func (h *Hypothesis) WithMinUnit(unit time.Duration) *Hypothesis { h.minUnit = unit; return h }

// AsFallback marks a hypothesis that can explain any lost or added rows. It is tried after the
// others.
func (h *Hypothesis) AsFallback(how Fallback) *Hypothesis { h.fallback = how; return h }

// AlsoBreaks sets the IDs of further rules that a hypothesis breaks.
func (h *Hypothesis) AlsoBreaks(others ...string) *Hypothesis { h.also = others; return h }

// A Fallback tells how specific a hypothesis is. Explain tries the more specific ones first.
type Fallback int

// The fallbacks, in the order in which Explain tries them.
const (
	FallbackNone     Fallback = iota
	FallbackAlways            // in all exports alike, or not at all
	FallbackRounded           // the file rounds its dates, which breaks no rule
	FallbackZone              // the file's dates may be read in the wrong zone instead
	FallbackSomeRows          // some rows, in exports of a kind
	FallbackAnyOrder          // any order of the rows
	FallbackAnyRows           // any rows; in no combination, as it would explain by chance
)

// BrokenRules returns the IDs of the rules that it breaks, its own first.
func (h *Hypothesis) BrokenRules() []string { return append([]string{h.Rule.ID}, h.also...) }

// IsZoneMistake reports whether it mistakes a time zone. The zone that the file's dates are read
// in may be wrong instead.
func (h *Hypothesis) IsZoneMistake() bool { return h.fallback == FallbackZone }

// IsRounding reports whether the file rounds its dates. A row whose date seems to be on a bound
// may then be on either side of it.
func (h *Hypothesis) IsRounding() bool { return h.fallback == FallbackRounded }

// ConditionalHypothesis is a hypothesis that holds only under some settings.
type ConditionalHypothesis struct {
	*Hypothesis
	Condition []record.FactorValue
}

// AppliesTo reports whether an export has all settings of the condition.
func (s ConditionalHypothesis) AppliesTo(e *SeenExport) bool { return s.appliesToPlan(&e.plain) }

func (s ConditionalHypothesis) appliesToPlan(p *ExportPlan) bool {
	return !slices.ContainsFunc(s.Condition,
		func(want record.FactorValue) bool { return !slices.Contains(p.settings, want) })
}

// A Reading is how a deployment reads exports. The empty reading is the documented one.
type Reading []ConditionalHypothesis

// apply returns the documented plan changed as the reading says. Which hypotheses apply depends on
// what the export asks for, not on the other hypotheses.
func (r Reading) apply(documented ExportPlan) ExportPlan {
	changed := documented
	for _, s := range r {
		if s.appliesToPlan(&documented) && (s.when == nil || s.when(&documented)) {
			s.Edit(&changed)
		}
	}
	return changed
}
