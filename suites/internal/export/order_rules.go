package export

import (
	"time"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/internal/export/model"
)

// declareOrderRules declares the rules on the order of rows and on the defaults of sort and
// order.
func (s *Suite) declareOrderRules() {
	s.Rule(ruleAsc, Should, SectionExport,
		"asc puts the rows in rising order of the chosen date.", needsWindow(), func() {
			s.itNever("orders rows descending whatever the order",
				func(p *exportPlan) { setOrder(p, model.Falling) })
			s.itNever("swaps ascending and descending", swapOrder).AlsoBreaks(ruleDesc)
			s.itNever("orders rows by quote_created_at whatever the sort",
				func(p *exportPlan) { p.Sort = model.DateCreated }).AlsoBreaks(ruleDesc)
			s.itNever("orders rows by settled_date whatever the sort",
				func(p *exportPlan) { p.Sort = model.DateSettled }).AlsoBreaks(ruleDesc)
			s.itRefutes("never orders rows by their IDs",
				s.hypothesis("orders rows by their IDs",
					func(p *exportPlan) { p.OrderLayout, p.Order = "ID", model.Rising }).AlsoBreaks(ruleDesc),
				s.hypothesis("orders rows by their IDs",
					func(p *exportPlan) { p.OrderLayout = "ID" }).AlsoBreaks(ruleDesc).AsOptional())
			s.itNever("orders rows by their dates as text, day first",
				func(p *exportPlan) { p.OrderLayout = "02/01/2006 15:04:05.000" }).
				AlsoBreaks(ruleDesc).AsOptional()
			s.itNever("orders rows by their dates as text without trailing zeros",
				func(p *exportPlan) { p.OrderLayout = time.RFC3339Nano }).AlsoBreaks(ruleDesc).AsOptional()
			for _, order := range []struct{ by, written string }{
				{"second", time.DateTime}, {"minute", "2006-01-02 15:04"}, {"day", time.DateOnly},
			} {
				s.itNever("orders rows by the "+order.by+" only",
					func(p *exportPlan) { p.OrderLayout = order.written }).
					AsFallback(model.FallbackSomeRows).AlsoBreaks(ruleDesc).AsOptional()
			}
			s.itNever("orders some files the other way round",
				func(p *exportPlan) { p.Order = model.EitherOrder }).
				AsFallback(model.FallbackAnyOrder).AlsoBreaks(ruleDesc)
			s.itNever("leaves rows out of order", func(p *exportPlan) { p.Order = model.AnyOrder }).
				AsFallback(model.FallbackAnyOrder).AlsoBreaks(ruleDesc)
		})
	s.Rule(ruleDesc, Should, SectionExport, "desc puts the rows in falling order of that date.",
		needsWindow(), func() {
			s.itNever("orders rows ascending whatever the order", orderAscending)
		})
	s.Rule("export.default.sort", Must, SectionExport,
		"A sort that is left out defaults to quote_created_at.", needsWindow(), func() {
			s.itNever("sorts by settled_date when no sort is given", sortBySettled).When(hasNoSort)
			s.itNever("sorts by settled_date for an empty object", sortBySettled).
				When(isEmptyObject).AsOptional()
		})
	s.Rule(ruleDefaultOrder, Must, SectionExport,
		"An order that is left out defaults to desc.", needsWindow(), func() {
			s.itNever("orders rows ascending when no order is given", orderAscending).
				When(func(p *exportPlan) bool { return p.Asked.Order == "" })
			s.itNever("orders rows ascending for an empty object", orderAscending).
				When(isEmptyObject).AsOptional()
		})
}

// setOrder sets the order, unless another hypothesis allows any.
func setOrder(p *exportPlan, order model.Direction) {
	if p.Order <= model.Falling {
		p.Order = order
	}
}

func swapOrder(p *exportPlan)      { setOrder(p, 1-p.Order) }
func orderAscending(p *exportPlan) { setOrder(p, model.Rising) }

func sortBySettled(p *exportPlan) {
	p.Sort, p.By, p.EndBy = model.DateSettled, model.DateSettled, model.DateSettled
}

func hasNoSort(p *exportPlan) bool     { return p.Asked.Sort == "" }
func isEmptyObject(p *exportPlan) bool { return p.Asked.IsEmptyObject() }
