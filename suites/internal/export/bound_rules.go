package export

import (
	"fmt"
	"strings"
	"time"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// declareNotationRules declares the rules on how a bound may be written. A deployment that
// refuses fractions refuses the first of them, which runs of standard depth send.
func (s *Suite) declareNotationRules() {
	s.Rule("export.range.offset.accepted", Should, SectionExport,
		"A bound that is written with an offset is accepted.", func() {
			s.itAccepts(validProbe("a start written with +05:30", withOffset("date_start", 330*time.Minute)))
			s.itAccepts(validProbe("an end written with -03:00", withOffset("date_end", -180*time.Minute)))
		})
	s.Rule("export.range.notations.accepted", Should, SectionExport,
		"A bound is accepted with a fraction of any length, and with any offset that is in use "+
			"somewhere.",
		func() {
			s.itAccepts(validProbe("a start with a tenth of a second", withFraction(".5")))
			for _, p := range []lab.Probe{
				validProbe("a start with nanoseconds", withFraction(".123456789")),
				validProbe("a start written with +14:00", withOffset("date_start", 14*time.Hour)),
				validProbe("a start written with -12:00", withOffset("date_start", -12*time.Hour)),
				validProbe("an end written with -00:30", withOffset("date_end", -30*time.Minute)),
			} {
				s.itAccepts(p.Sampled(spec.ThoroughOnly()))
			}
		})
}

// withFraction sets the fraction of a second of the start.
func withFraction(digits string) requestEdit {
	return func(r *target.Request) {
		text := fractionPattern.ReplaceAllString(fmt.Sprint(r.Fields["date_start"]), "")
		r.SetField("date_start", strings.TrimSuffix(text, "Z")+digits+"Z")
	}
}

// withOffset writes a bound with an offset from UTC.
func withOffset(field string, ahead time.Duration) requestEdit {
	return func(r *target.Request) {
		if at, err := time.Parse(time.RFC3339Nano, fmt.Sprint(r.Fields[field])); err == nil {
			r.SetField(field,
				at.In(time.FixedZone("", int(ahead.Seconds()))).Format("2006-01-02T15:04:05.999Z07:00"))
		}
	}
}

// declareBoundRules declares the rules on the precision of bounds and the date that they apply
// to.
func (s *Suite) declareBoundRules() {
	s.Rule("export.range.precision", Must, SectionExport,
		"Bounds work to the precision that the file shows.", needsWindow(), func() {
			s.itRefutes("cuts and rounds no bound", s.precisionHypotheses()...)
		})
	s.Rule(ruleOffset, Must, SectionExport,
		"The same instant written with another offset selects the same quotes.", needsWindow(), func() {
			asUTC := func(e *model.Bound) { e.Shift(e.Offset) }
			s.itNever("reads every bound as UTC, whatever its offset", changeBounds(asUTC)).WithMinUnit(day)
			s.itNever("reads a start that stands alone as UTC, whatever its offset", changeStart(asUTC)).
				When(hasOnlyStart).AsOptional()
			s.itNever("reads an end that stands alone as UTC, whatever its offset", changeEnd(asUTC)).
				When(hasOnlyEnd).AsOptional()
			s.itNever("adds offsets instead of subtracting them",
				changeBounds(func(e *model.Bound) { e.Shift(2 * e.Offset) })).WithMinUnit(day)
			s.itNever("reads the end with the offset of the start",
				func(p *exportPlan) { p.End.Shift(p.End.Offset - p.Start.Offset) }).
				When(hasBothBounds).WithMinUnit(time.Hour)
			s.itNever("reads the start with the offset of the end",
				func(p *exportPlan) { p.Start.Shift(p.Start.Offset - p.End.Offset) }).
				When(hasBothBounds).WithMinUnit(time.Hour)
			s.itNever("ignores the minutes of offsets",
				changeBounds(func(e *model.Bound) { e.Shift(e.Offset % time.Hour) })).WithMinUnit(time.Hour)
			s.itNever("reads the minutes of negative offsets as positive", changeBounds(func(e *model.Bound) {
				if e.Offset < 0 {
					e.Shift(2 * (e.Offset % time.Hour))
				}
			})).WithMinUnit(time.Hour).AsOptional()
			s.itNever("ignores that an offset may change the day",
				changeBounds((*model.Bound).TakeDayFromOffset)).WithMinUnit(day)
		})
	s.Rule("export.range.follows_sort", Must, SectionExport,
		"The bounds apply to the date that sort chooses.", needsWindow(), func() {
			toCreated := func(p *exportPlan) { p.By, p.EndBy = model.DateCreated, model.DateCreated }
			s.itNever("sorts and bounds by quote_created_at whatever the sort",
				func(p *exportPlan) { toCreated(p); p.Sort = model.DateCreated }).AlsoBreaks(ruleAsc, ruleDesc)
			s.itNever("applies bounds to quote_created_at whatever the sort", toCreated)
			s.itNever("applies bounds to settled_date whatever the sort",
				func(p *exportPlan) { p.By, p.EndBy = model.DateSettled, model.DateSettled })
			s.itNever("applies bounds to the date that the sort does not choose",
				func(p *exportPlan) { p.By, p.EndBy = p.By.Other(), p.EndBy.Other() })
			s.itNever("applies a bound that stands alone to quote_created_at", toCreated).
				When(func(p *exportPlan) bool { return hasOnlyStart(p) || hasOnlyEnd(p) })
			s.itNever("shows settled_date as quote_created_at and the other way round",
				func(p *exportPlan) { p.Sort, p.By, p.EndBy = p.Sort.Other(), p.By.Other(), p.EndBy.Other() })
			s.itNever("keeps quotes without a settled date despite bounds on that date",
				keepUnsettled).AsOptional()
			s.itNever("uses the creation date of quotes that have no settled date",
				model.KeepUnsettledByCreation).AsOptional()
			s.itNever("keeps quotes without a settled date before an end that stands alone",
				keepUnsettled).When(hasOnlyEnd).AsOptional()
		})
}

// precisionHypotheses returns the ways to read bounds less exactly than given.
func (s *Suite) precisionHypotheses() []*model.Hypothesis {
	all := []*model.Hypothesis{
		s.hypothesis("reads the digits of a fraction as a number of milliseconds",
			changeBounds((*model.Bound).ReadFractionAsCount)).AsOptional(),
		s.hypothesis("drops quotes a millisecond after the start",
			func(p *exportPlan) { p.Loses = isJustAfterStart }).AsOptional(),
		// "2025-01-02 03:04" stands before every "2025-01-02T" in the alphabet
		s.hypothesis("compares bounds with dates as text",
			changeBounds(func(e *model.Bound) { e.Shift(e.Offset + day); e.TruncateTo(day, 0) })).
			WithMinUnit(day).AlsoBreaks(ruleStart, ruleEnd, ruleOffset).AsOptional().
			AsFallback(model.FallbackAlways),
		// "03:04:05Z" comes after every "03:04:05.678Z" in the alphabet
		s.hypothesis("compares whole-second bounds with dates as text",
			changeBounds((*model.Bound).PassWholeSecond)).
			WithMinUnit(time.Second).AlsoBreaks(ruleStart, ruleEnd).AsOptional(),
		s.hypothesis("compares bounds written as 03:04:05Z with dates as text",
			changeBounds((*model.Bound).PassSecondAsWritten)).
			WithMinUnit(time.Second).AlsoBreaks(ruleStart, ruleEnd).AsOptional(),
		s.hypothesis("compares bounds with dates as text without trailing zeros",
			model.CompareTrimmedTexts).
			WithMinUnit(time.Second).AlsoBreaks(ruleStart, ruleEnd).AsOptional(),
		s.hypothesis("compares bounds with dates as text, without regard to their offsets",
			changeBounds(func(e *model.Bound) { e.PassSecondAsWritten(); e.Shift(e.Offset) })).
			WithMinUnit(day).AlsoBreaks(ruleStart, ruleEnd, ruleOffset).AsOptional(),
		// "2025-01-02T03:04:05Z" comes after "2025-01-02" in the alphabet
		s.hypothesis("compares bounds with the days of dates as text",
			changeBounds(func(e *model.Bound) { e.TruncateTo(day, 0); e.Shift(day) })).
			WithMinUnit(day).AlsoBreaks(ruleStart, ruleEnd).AsOptional(),
		s.hypothesis("cuts bounds to whole seconds and compares them with dates as text",
			changeBounds(func(e *model.Bound) { e.TruncateTo(time.Second, 0); e.PassWholeSecond() })).
			WithMinUnit(time.Second).AlsoBreaks(ruleStart, ruleEnd).AsOptional(),
	}
	for _, u := range []struct {
		name        string
		unit, ahead time.Duration // of the zone, from UTC
	}{
		{"milliseconds", time.Millisecond, 0},
		{"seconds", time.Second, 0},
		{"minutes", time.Minute, 0},
		{"hours", time.Hour, 0},
		{"days", day, 0},
		{"days of Brasília", day, -3 * time.Hour},
	} {
		add := func(does string, edit func(*exportPlan)) *model.Hypothesis {
			h := s.hypothesis(does+u.name, edit).WithMinUnit(u.unit)
			if u.unit < time.Second || u.unit > time.Hour {
				h.AsOptional()
			}
			all = append(all, h)
			return h
		}
		cut := func(e *model.Bound) { e.TruncateTo(u.unit, u.ahead) }
		add("cuts bounds to whole ", changeBounds(cut))
		add("cuts the start to whole ", changeStart(cut))
		add("cuts the end to whole ", changeEnd(cut))
		if u.ahead != 0 {
			continue
		}
		add("compares dates and bounds in whole ", func(p *exportPlan) { p.Unit = u.unit })
		add("keeps the rest of the end's ", changeEnd(func(e *model.Bound) { cut(e); e.Shift(u.unit) })).
			AlsoBreaks(ruleEnd)
		add("rounds bounds to whole ",
			changeBounds(func(e *model.Bound) { e.Shift(u.unit / 2); cut(e) })).
			AlsoBreaks(ruleStart, ruleEnd)
		add("rounds bounds up to whole ",
			changeBounds(func(e *model.Bound) { e.Shift(u.unit - 1); cut(e) })).
			AlsoBreaks(ruleStart, ruleEnd)
	}
	return all
}

// isJustAfterStart reports whether a row's date is at most a millisecond after the start.
func isJustAfterStart(p *exportPlan, r *model.ObservedQuote) bool {
	behind := r.Dates[p.By].From - p.Start.At
	return p.Start.IsGiven() && r.Dates[p.By].IsExact() && behind > 0 &&
		behind <= int64(time.Millisecond)
}
