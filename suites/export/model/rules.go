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

func rule(id string, level rules.Level, needs []string, statement string, all ...Hypothesis) Rule {
	return Rule{ID: id, Level: level, Statement: statement, Needs: needs, Hypotheses: all}
}

// secured is a rule that protects data.
func secured(id string, needs []string, statement string, all ...Hypothesis) Rule {
	r := rule(id, rules.Must, needs, statement, all...)
	r.Security = true
	return r
}

// is declares a hypothesis with a case of its own, which stands where is is called.
func is(name string, edit func(p *plan)) Hypothesis {
	return Hypothesis{Name: name, Case: "never " + name, Place: spec.CallerLocation(1), edit: edit}
}

// together gives hypotheses one case, which stands where together is called.
func together(text string, all []Hypothesis) []Hypothesis {
	for i := range all {
		all[i].Case, all[i].Place = text, spec.CallerLocation(1)
	}
	return all
}

const day = 24 * time.Hour

func window(needs ...string) []string {
	return append([]string{"export.file", "fixtures.window"}, needs...)
}

func start(change func(e *edge)) func(*plan) { return func(p *plan) { change(&p.start) } }
func end(change func(e *edge)) func(*plan)   { return func(p *plan) { change(&p.end) } }

func bounds(change func(e *edge)) func(*plan) {
	return func(p *plan) { change(&p.start); change(&p.end) }
}

func later(d time.Duration) func(*edge) { return func(e *edge) { e.move(d) } }

// startsAfter and keepsEnd move a bound behind the rows that files show on it.
func startsAfter(p *plan) { p.start.move(p.units[p.by]) }
func keepsEnd(p *plan)    { p.end.move(p.units[p.endBy]) }

func ignored(e *edge) { e.at = never }

// when limits an edit to some exports.
func when(holds func(p *plan) bool, edit func(*plan)) func(*plan) {
	return func(p *plan) {
		if holds(p) {
			edit(p)
		}
	}
}

func onlyStart(p *plan) bool { return p.start.given() && !p.end.given() }
func onlyEnd(p *plan) bool   { return !p.start.given() && p.end.given() }
func bounded(p *plan) bool   { return p.start.given() && p.end.given() }
func unbounded(p *plan) bool { return !p.start.given() && !p.end.given() }
func equal(p *plan) bool     { return p.start.given() && p.start.at == p.end.at }
func turned(p *plan) bool    { return p.end.given() && p.start.at > p.end.at }
func bySettled(p *plan) bool { return p.sort == Settled }
func byCreated(p *plan) bool { return p.sort == Created }

// by applies both bounds to a date.
func by(key Key) func(*plan) { return func(p *plan) { p.by, p.endBy = key, key } }

func undated(p *plan, r *Row) bool { return r.Dates[Settled].None }

// keepsUndated and losesUndated are about quotes that are not settled.
func keepsUndated(p *plan) {
	p.keeps = func(p *plan, r *Row) bool { return p.sort == Settled && r.Dates[Settled].None }
}

func losesUndated(p *plan) { p.loses = undated }

// swapOrder turns the order around, unless another hypothesis has the rows in none.
func swapOrder(p *plan) {
	if p.order != anyOrder {
		p.order = 1 - p.order
	}
}

func orderRules() []Rule {
	order := func(d direction) func(*plan) { return func(p *plan) { p.order = d } }
	written := func(layout string) func(*plan) { return func(p *plan) { p.written = layout } }
	bare := func(p *plan) bool { return p.asked.bare() }
	unsorted := func(p *plan) bool { return p.asked.Sort == "" }
	unordered := func(p *plan) bool { return p.asked.Order == "" }
	settled := func(p *plan) { p.sort, p.by, p.endBy = Settled, Settled, Settled }
	return []Rule{
		rule("export.order.asc",
			rules.Should,
			window(),
			"asc puts the rows in rising order of the chosen date.",
			is("orders rows descending whatever the order", order(falling)),
			is("swaps ascending and descending", swapOrder).AlsoBreaks(ruleDesc),
			is("orders rows by quote_created_at whatever the sort",
				func(p *plan) { p.sort = Created },
			).AlsoBreaks(ruleDesc),
			is("orders rows by settled_date whatever the sort",
				func(p *plan) { p.sort = Settled },
			).AlsoBreaks(ruleDesc),
			is("orders rows by their IDs",
				func(p *plan) { p.written, p.order = "ID", rising },
			).AlsoBreaks(ruleDesc),
			is("orders rows by their IDs", written("ID")).AlsoBreaks(ruleDesc).Optional(),
			is("orders rows by their dates as text, day first",
				written("02/01/2006 15:04:05.000"),
			).AlsoBreaks(ruleDesc).
				Optional(),
			is("orders rows by the second only",
				written(time.DateTime),
			).Fallback(someRows).
				AlsoBreaks(ruleDesc).
				Optional(),
			is("orders rows by the minute only",
				written("2006-01-02 15:04"),
			).Fallback(someRows).
				AlsoBreaks(ruleDesc).
				Optional(),
			is("orders rows by the day only",
				written(time.DateOnly),
			).Fallback(someRows).
				AlsoBreaks(ruleDesc).
				Optional(),
			is("does not order rows", order(anyOrder)).Fallback(anyRows).AlsoBreaks(ruleDesc),
		),
		rule(ruleDesc, rules.Should, window(), "desc puts the rows in falling order of that date.",
			is("orders rows ascending whatever the order", order(rising))),
		rule("export.default.sort", rules.Must, window(),
			"A sort that is left out defaults to quote_created_at.",
			is("sorts by settled_date when no sort is given", when(unsorted, settled)),
			is("sorts by settled_date for an empty object", when(bare, settled)).Optional(),
		),
		rule("export.default.order", rules.Must, window(), "An order that is left out defaults to desc.",
			is("orders rows ascending when no order is given", when(unordered, order(rising))),
			is("orders rows ascending for an empty object", when(bare, order(rising))).Optional(),
		),
	}
}
