package export

import (
	"errors"
	"slices"
	"sync"
	"time"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/export/model"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// declareOwnRowsRule: what a file holds is up to its own export, and to none of those before and
// beside it. That needs no model of the statement: where files share their rows, none can be made.
func (s *Suite) declareOwnRowsRule() {
	s.Rule(ruleOwnRows, Must, SectionExport,
		"A file holds what its own export asked for, whatever others ask for before and meanwhile.",
		spec.NeedsKeys("fixtures.window"), func() {
			s.UseObservations(s.lab.ControlExport)
			after := spec.ObserveAsCase(s.Plan, "an export of nothing, after others", s.exportAfterOthers,
				spec.PhaseLate)
			s.It("holds no row of exports before it",
				func(ctx spec.Context) { ctx.Expect(after.Await(ctx)).To(HoldExpectedRows()) })
			s.beside = spec.ObserveAsCase(s.Plan, "an export of one client, while all are exported",
				s.exportBesideOthers, spec.PhaseLast)
			s.It("holds what it asks for, whatever a simultaneous export asks for", func(ctx spec.Context) {
				ctx.Expect(s.beside.Await(ctx)).To(HoldExpectedRows())
			})
			s.carried = s.observeCarryOver()
			s.It("takes nothing from an export before it", func(ctx spec.Context) {
				ctx.Expect(s.carried.Await(ctx)).To(HoldExpectedRows())
			})
			s.sharedBody = s.observeSharedBody()
			s.It("holds no row of an export of the same body", func(ctx spec.Context) {
				ctx.Expect(s.sharedBody.Await(ctx)).To(HoldExpectedRows())
			})
			s.UseObservations(s.plain.window)
			sameDay := spec.ObserveAsCase(s.Plan, "an export that starts later on the day of another",
				s.exportOfSameDay, spec.PhaseLate)
			s.It("holds no row of an export whose bounds are of the same days", func(ctx spec.Context) {
				ctx.Expect(sameDay.Await(ctx)).To(HoldExpectedRows())
			})
		})
}

// exportOfSameDay exports what was exported before from the end of the day on which that starts.
// Where the rows of that day are there all the same, an export of another end tells whether the
// start is what is wrong.
func (s *Suite) exportOfSameDay(l spec.Context) ExportRows {
	const day = 24 * time.Hour
	found := ExportRows{
		Export:           "an export that starts later on the day of another",
		Expectation:      "the rows of its own range",
		ExtraDescription: "of the earlier export",
		Cause:            "gives the file of an earlier export whose bounds are of the same days",
	}
	whole, extent := s.plain.window.Await(l), *s.t.Deployment.Fixtures.Window
	l.StopOnError(whole.unusableReason())
	first := extent.Start.UTC().Truncate(day)
	extent.Start = first.Add(day - time.Second)
	if !slices.ContainsFunc(whole.rows, func(q statement.Quote) bool {
		at := q.DateFor(statement.ColumnCreatedAt)
		return at.IsOneInstant() && at.Time.Before(extent.Start)
	}) {
		return found // no quote of that day tells the two apart
	}
	later := s.windowQuery(model.Query{}, &extent)
	later.label = found.Export
	sh := s.takeExport(l, later)
	l.StopOnError(sh.unusableReason())
	if found.RowCount = len(sh.rows); found.RowCount < len(whole.rows) {
		return found
	}
	extent.End = extent.End.Add(day)
	other := s.windowQuery(model.Query{}, &extent)
	other.label = "an export of the same start and another end"
	right := s.takeExport(l, other)
	l.StopOnError(right.unusableReason())
	for _, q := range sh.rows {
		if !slices.ContainsFunc(right.rows,
			func(o statement.Quote) bool { return o.Identity == q.Identity }) {
			found.Extra = append(found.Extra, q)
		}
	}
	found.Evidence = spec.Evidence{
		Repeat:  append(whole.repeatRequests(), sh.repeatRequests()...),
		Control: right.answer,
	}
	return found
}

// exportAfterOthers exports a range that ends where it starts. Rows in its file are those of others
// where it grows from one time to the next; where it does not, the bounds are what is wrong.
func (s *Suite) exportAfterOthers(l spec.Context) ExportRows {
	start := statement.FormatInstant(s.t.Deployment.Fixtures.Window.Start, 0, nil)
	nothing := s.requestOf(model.Query{Start: start, End: start})
	nothing.label = "an export of nothing, after others"
	found := ExportRows{
		Export:           nothing.label,
		Expectation:      "no row",
		ExtraDescription: "of earlier exports",
		Cause:            "adds the rows of earlier exports",
	}
	before := s.takeExport(l, nothing)
	if before.isDenied() {
		l.NotVerifiedf("", "a range that ends where it starts is refused")
	}
	if l.StopOnError(before.unusableReason()); len(before.rows) == 0 {
		return found
	}
	all := s.takeExport(l, s.windowQuery(model.Query{}, s.t.Deployment.Fixtures.Window))
	now := s.takeExport(l, nothing)
	if l.StopOnError(now.unusableReason()); now.table.QuoteCount() <= before.table.QuoteCount() {
		l.NotVerifiedf("", "a range that ends where it starts holds rows, see %s", "export.range.empty")
	}
	found.RowCount, found.Extra = now.table.QuoteCount(), now.rows
	found.Evidence = spec.Evidence{Repeat: append(all.repeatRequests(), now.repeatRequests()...)}
	return found
}

// exportBesideOthers exports one client's quotes and, at the same time, everybody's. In a second of
// its own the same export holds what it asks for, or the filter is what is wrong.
func (s *Suite) exportBesideOthers(l spec.Context) ExportRows {
	id := s.t.Deployment.Fixtures.ClientID
	if id == "" {
		l.NotVerifiedf("fixtures.client_id", "")
	}
	ask := func(label string, filter model.Filter) exportQuery {
		q := s.windowQuery(model.Query{Filter: filter}, s.t.Deployment.Fixtures.Window)
		q.label = label
		return q
	}
	one := ask("an export of one client, while all are exported",
		model.Filter{Kind: model.FilterWholeID, Text: id})
	all := ask("an export of all clients, while one is exported", model.Filter{})
	var x, y *client.Exchange
	var both sync.WaitGroup
	both.Go(func() { x = s.sendExport(l, one) })
	both.Go(func() { y = s.sendExport(l, all) })
	both.Wait()
	l.StopOnError(errors.Join(s.lab.TransientError(l, x), s.lab.TransientError(l, y)))
	alone := func(q exportQuery) *completedExport {
		target.SleepContext(l, time.Second)
		sh := s.takeExport(l, q)
		l.StopOnError(sh.unusableReason())
		return sh
	}
	ofOthers := func(sh *completedExport) []statement.Quote {
		return slices.DeleteFunc(slices.Clone(sh.rows),
			func(q statement.Quote) bool { return q.Client == "" || q.Client == id })
	}
	first, second := s.fetchAndRead(l, one, x), s.fetchAndRead(l, all, y)
	if first.fileID != "" && first.fileID == second.fileID {
		l.Inconclusivef("two exports got the same file ID, so files cannot be distinguished; see %s",
			"export.response.distinct_ids")
	}
	if first.broken == nil && (second.broken != nil || len(ofOthers(first)) == 0) {
		first, second = second, first // the one that is wrong, if any is
	}
	found := ExportRows{
		Export:      first.query.label,
		Expectation: "what it asks for",
		RowCount:    len(first.rows),
		Cause:       "gives an export the rows that another one asks for at the same time",
	}
	switch {
	case first.broken != nil: // two files were written into one
		found.Missing, found.RowCount = alone(first.query).rows, 0
	case first.answer == x:
		l.StopOnError(errors.Join(first.unusableReason(), second.unusableReason()))
		found.Extra, found.ExtraDescription = ofOthers(first), "of other clients"
		if len(ofOthers(alone(one))) > 0 {
			l.NotVerifiedf("", "by itself the export holds rows of other clients, too, see %s",
				"export.filter.client_id")
		}
	default:
		l.StopOnError(errors.Join(first.unusableReason(), second.unusableReason()))
		if len(ofOthers(first)) == 0 {
			found.Missing = ofOthers(alone(all))
		}
	}
	if file := first.fetched.Request; file != nil {
		found.Evidence.Subject = first.answer
		found.Evidence.Repeat = []spec.RepeatRequest{
			{Exchange: first.answer, WithNext: true},
			{Exchange: second.answer},
			{Exchange: file, FetchFile: true},
		}
	}
	return found
}
