package model

import (
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/spec"
)

const (
	ruleStart, ruleEnd   = "export.range.start_inclusive", "export.range.end_exclusive"
	ruleDesc, ruleOffset = "export.order.desc", "export.range.offset"
)

// Rules lists the rules about rows with the ways in which they are broken, the likeliest of each
// first.
func Rules() []Rule {
	all := append(rangeRules(), orderRules()...)
	all = append(all, selectionRules()...)
	for i := range all {
		for j := range all[i].Hypotheses {
			all[i].Hypotheses[j].rule, all[i].Hypotheses[j].security = all[i].ID, all[i].Security
		}
	}
	return all
}

// Hypotheses lists those of all rules.
func Hypotheses(of []Rule) (all []*Hypothesis) {
	for i := range of {
		for j := range of[i].Hypotheses {
			all = append(all, &of[i].Hypotheses[j])
		}
	}
	return all
}

func newRule(
	id string,
	level rules.Level,
	needs []string,
	statement string,
	all ...Hypothesis,
) Rule {
	return Rule{ID: id, Level: level, Statement: statement, Needs: needs, Hypotheses: all}
}

// newSecurityRule makes a rule that protects data.
func newSecurityRule(id string, needs []string, statement string, all ...Hypothesis) Rule {
	r := newRule(id, rules.Must, needs, statement, all...)
	r.Security = true
	return r
}

// hypothesis declares a hypothesis with a case of its own, which stands where hypothesis is called.
func hypothesis(name string, edit func(p *exportPlan)) Hypothesis {
	return Hypothesis{Name: name, Case: "never " + name, Place: spec.CallerLocation(1), edit: edit}
}

// shareCase gives hypotheses one case, which stands where shareCase is called.
func shareCase(text string, all []Hypothesis) []Hypothesis {
	for i := range all {
		all[i].Case, all[i].Place = text, spec.CallerLocation(1)
	}
	return all
}

const day = 24 * time.Hour

func needsWindow(needs ...string) []string {
	return append([]string{"export.file", "fixtures.window"}, needs...)
}

func changeStart(change func(e *rangeBound)) func(*exportPlan) {
	return func(p *exportPlan) { change(&p.start) }
}

func changeEnd(change func(e *rangeBound)) func(*exportPlan) {
	return func(p *exportPlan) { change(&p.end) }
}

func changeBounds(change func(e *rangeBound)) func(*exportPlan) {
	return func(p *exportPlan) { change(&p.start); change(&p.end) }
}

func shiftBy(d time.Duration) func(*rangeBound) { return func(e *rangeBound) { e.shift(d) } }

// excludeRowsOnStart and includeRowsOnEnd move a bound behind the rows that files show on it.
func excludeRowsOnStart(p *exportPlan) { p.start.shift(p.units[p.by]) }
func includeRowsOnEnd(p *exportPlan)   { p.end.shift(p.units[p.endBy]) }

func ignoreBound(e *rangeBound) { e.at = unknownTime }

// editWhen limits an edit to some exports.
func editWhen(holds func(p *exportPlan) bool, edit func(*exportPlan)) func(*exportPlan) {
	return func(p *exportPlan) {
		if holds(p) {
			edit(p)
		}
	}
}

func hasOnlyStart(p *exportPlan) bool      { return p.start.isGiven() && !p.end.isGiven() }
func hasOnlyEnd(p *exportPlan) bool        { return !p.start.isGiven() && p.end.isGiven() }
func hasBothBounds(p *exportPlan) bool     { return p.start.isGiven() && p.end.isGiven() }
func hasNoBounds(p *exportPlan) bool       { return !p.start.isGiven() && !p.end.isGiven() }
func hasEqualBounds(p *exportPlan) bool    { return p.start.isGiven() && p.start.at == p.end.at }
func hasStartAfterEnd(p *exportPlan) bool  { return p.end.isGiven() && p.start.at > p.end.at }
func isSortedBySettled(p *exportPlan) bool { return p.sort == DateSettled }
func isSortedByCreated(p *exportPlan) bool { return p.sort == DateCreated }

// applyBoundsTo applies both bounds to a date.
func applyBoundsTo(key DateKey) func(*exportPlan) {
	return func(p *exportPlan) { p.by, p.endBy = key, key }
}

func isUnsettled(p *exportPlan, r *ObservedQuote) bool { return r.Dates[DateSettled].None }

// keepUnsettled and loseUnsettled are about quotes that are not settled.
func keepUnsettled(p *exportPlan) {
	p.keeps = func(p *exportPlan, r *ObservedQuote) bool { return p.sort == DateSettled && r.Dates[DateSettled].None }
}

func loseUnsettled(p *exportPlan) { p.loses = isUnsettled }

// swapOrder turns the order around, unless another hypothesis has the rows in none.
func swapOrder(p *exportPlan) {
	if p.order != directionAny {
		p.order = 1 - p.order
	}
}

func orderRules() []Rule {
	order := func(d sortDirection) func(*exportPlan) { return func(p *exportPlan) { p.order = d } }
	written := func(layout string) func(*exportPlan) { return func(p *exportPlan) { p.written = layout } }
	bare := func(p *exportPlan) bool { return p.asked.isEmptyObject() }
	unsorted := func(p *exportPlan) bool { return p.asked.Sort == "" }
	unordered := func(p *exportPlan) bool { return p.asked.Order == "" }
	settled := func(p *exportPlan) { p.sort, p.by, p.endBy = DateSettled, DateSettled, DateSettled }
	return []Rule{
		newRule("export.order.asc",
			rules.Should,
			needsWindow(),
			"asc puts the rows in rising order of the chosen date.",
			hypothesis("orders rows descending whatever the order", order(directionFalling)),
			hypothesis("swaps ascending and descending", swapOrder).AlsoBreaks(ruleDesc),
			hypothesis("orders rows by quote_created_at whatever the sort",
				func(p *exportPlan) { p.sort = DateCreated },
			).AlsoBreaks(ruleDesc),
			hypothesis("orders rows by settled_date whatever the sort",
				func(p *exportPlan) { p.sort = DateSettled },
			).AlsoBreaks(ruleDesc),
			hypothesis("orders rows by their IDs",
				func(p *exportPlan) { p.written, p.order = "ID", directionRising },
			).AlsoBreaks(ruleDesc),
			hypothesis("orders rows by their IDs", written("ID")).AlsoBreaks(ruleDesc).AsOptional(),
			hypothesis("orders rows by their dates as text, day first",
				written("02/01/2006 15:04:05.000"),
			).AlsoBreaks(ruleDesc).
				AsOptional(),
			hypothesis("orders rows by the second only",
				written(time.DateTime),
			).AsFallback(fallbackSomeRows).
				AlsoBreaks(ruleDesc).
				AsOptional(),
			hypothesis("orders rows by the minute only",
				written("2006-01-02 15:04"),
			).AsFallback(fallbackSomeRows).
				AlsoBreaks(ruleDesc).
				AsOptional(),
			hypothesis("orders rows by the day only",
				written(time.DateOnly),
			).AsFallback(fallbackSomeRows).
				AlsoBreaks(ruleDesc).
				AsOptional(),
			hypothesis("does not order rows",
				order(directionAny),
			).AsFallback(fallbackAnyRows).
				AlsoBreaks(ruleDesc),
		),
		newRule(
			ruleDesc,
			rules.Should,
			needsWindow(),
			"desc puts the rows in falling order of that date.",
			hypothesis("orders rows ascending whatever the order", order(directionRising)),
		),
		newRule("export.default.sort", rules.Must, needsWindow(),
			"A sort that is left out defaults to quote_created_at.",
			hypothesis("sorts by settled_date when no sort is given", editWhen(unsorted, settled)),
			hypothesis("sorts by settled_date for an empty object", editWhen(bare, settled)).AsOptional(),
		),
		newRule("export.default.order",
			rules.Must,
			needsWindow(),
			"An order that is left out defaults to desc.",
			hypothesis("orders rows ascending when no order is given",
				editWhen(unordered, order(directionRising)),
			),
			hypothesis("orders rows ascending for an empty object",
				editWhen(bare, order(directionRising)),
			).AsOptional(),
		),
	}
}
