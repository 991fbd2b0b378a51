package export

import (
	"slices"
	"time"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// declareOwnRowsRule declares the rule that a file depends on its own export only, and not on
// earlier or simultaneous ones. It uses no model of the statement: none can be made where files
// share rows.
func (s *Suite) declareOwnRowsRule() {
	s.Rule(ruleOwnRows, Must, SectionExport,
		"A file holds what its own export asked for, whatever other exports asked for before or "+
			"at the same time.",
		spec.NeedsKeys("fixtures.window"), func() {
			s.UseObservations(s.lab.ControlExport, s.plain.window)
			s.itHoldsOwnRows("holds no row of exports before it", "an export of nothing, after others",
				s.exportAfterOthers)
			s.itHoldsOwnRows("holds what it asks for, whatever a simultaneous export asks for",
				"an export of one client, while all are exported", s.exportWhileOthers)
			s.itHoldsOwnRows("takes nothing from an export before it",
				"an export with few parameters, after one with many", s.exportOfFewParameters)
			s.sameBody = s.itHoldsOwnRows("holds no row of an export of the same body",
				"an export with the same body, for another wallet or user", s.exportForAnother)
			s.itHoldsOwnRows("holds no row of an export whose bounds are of the same days",
				"an export that starts later on the day of another", s.exportOfSameDay)
			for _, o := range s.designed {
				s.UseObservations(o)
			}
			s.itHoldsOwnRows("holds no row of an export of the same start that ends on the same day",
				"an export that ends earlier on the day of another", s.exportOfSameEnd,
				spec.SampledBySeed(1, 5)) // it takes three requests, and few are left
		})
}

// itHoldsOwnRows declares a case that an export, named by label, holds its own rows.
func (s *Suite) itHoldsOwnRows(
	text, label string, export func(ctx spec.Context, label string) ExportRows, args ...any,
) *spec.Observation[ExportRows] {
	spec.Helper()
	seen := spec.ObserveAsCase(s.Plan, label,
		func(ctx spec.Context) ExportRows { return export(ctx, label) }, spec.PhaseAfterMain)
	s.ownRows = append(s.ownRows, seen)
	s.It(text, func(ctx spec.Context) { ctx.Expect(seen.Await(ctx)).To(HoldExpectedRows()) }, args...)
	return seen
}

// itSharesNoFile declares a case that a user does not get the file of another user's export of the
// same body. It sends something only if exportForAnother found a file that was shared.
func (s *Suite) itSharesNoFile() {
	spec.Helper()
	const label = "an export with the same body, by another user"
	s.UseObservations(s.sameBody)
	seen := spec.ObserveAsCase(s.Plan, label, func(ctx spec.Context) ExportRows {
		if found := s.sameBody.Await(ctx); found.AreExpected() {
			return found
		}
		return s.exportOfSameBody(ctx, label, model.Query{}, model.Query{User: model.OwnerStranger},
			3*time.Second)
	}, spec.PhaseAfterMain)
	s.It("never gives a user the file of another user's export of the same body",
		func(ctx spec.Context) { ctx.Expect(seen.Await(ctx)).To(HoldExpectedRows()) })
}

// holdExports holds back the other exports of the run, see client.HoldExports.
func (s *Suite) holdExports(ctx spec.Context) (own spec.Context, release func()) {
	held, release, err := s.t.Client.HoldExports(ctx)
	if err != nil {
		ctx.StopOnError(spec.ErrInterrupted)
	}
	return ctx.WithContext(held), release
}

// inconclusiveIfFilesAreShared ends the case where files, or parts of requests, leak into other
// exports: a file then shows nothing about its own export.
func (s *Suite) inconclusiveIfFilesAreShared(ctx spec.Context) {
	for _, o := range s.ownRows {
		if !o.Launched() {
			continue // no case of this run waits for it
		}
		if found, ok := o.TryGet(ctx); ok && !found.AreExpected() {
			ctx.Inconclusivef("files depend on other exports; see %s", ruleOwnRows)
		}
	}
}

// differFrom adds to found how an export that may have been given the file of source differs from
// a control that no deployment can have cached.
func (e *completedExport) differFrom(
	control, source *completedExport, found ExportRows,
) ExportRows {
	found.RowCount = len(e.rows)
	found.Missing = statement.Difference(control.rows, e.rows)
	found.Extra = statement.Difference(e.rows, control.rows)
	found.Evidence = spec.Evidence{
		Repeat:  append(source.repeatRequests(), e.repeatRequests()...),
		Control: control.answer,
	}
	return found
}

// exportOfSameDay exports from the end of the day on which an earlier export starts. If rows of
// that day are there, an export with another end tells whether the start is to blame.
func (s *Suite) exportOfSameDay(ctx spec.Context, label string) ExportRows {
	found := ownRange(label, "gives the file of an earlier export whose bounds are on the same days")
	whole, extent := s.plain.window.Await(ctx), *s.t.Deployment.Fixtures.Window
	ctx.StopOnError(whole.unusableReason())
	first := extent.Start.UTC().Truncate(day)
	extent.Start = first.Add(day - time.Second)
	if !slices.ContainsFunc(whole.rows, func(q statement.Quote) bool {
		at := q.DateFor(statement.ColumnCreatedAt)
		return at.IsOneInstant() && at.Time.Before(extent.Start)
	}) {
		return found // no quote of that day tells the two apart
	}
	asked := model.Query{Sort: whole.query.asked.Sort, Order: whole.query.asked.Order}
	later := s.windowQuery(label, asked, &extent)
	extent.End = extent.End.Add(day)
	other := s.windowQuery("an export of the same start and another end", asked, &extent)
	return s.exportAfter(ctx, whole, later, other, found)
}

// exportOfSameEnd exports from the same start as an earlier export, to an earlier time on its
// last day. An export with another start tells whether the end is to blame.
func (s *Suite) exportOfSameEnd(ctx spec.Context, label string) ExportRows {
	found := ownRange(label, "gives the file of an earlier export that ends on the same day")
	d := s.experiment.Await(ctx)
	if d.twin == nil {
		return found // no quotes tell two apart
	}
	first, wider := s.designed[d.twinOf].Await(ctx), *d.twin
	if first.unusableReason() != nil {
		return found // there is no file that could be kept
	}
	start, err := time.Parse(time.RFC3339Nano, wider.Start)
	ctx.StopOnError(err)
	wider.Start = statement.FormatInstant(start.Add(-time.Second), 0, start.Location())
	other := exportQuery{label: "an export of another start and the same end", asked: wider}
	return s.exportAfter(ctx, first, exportQuery{label: label, asked: *d.twin}, other, found)
}

// ownRange returns an export that holds the rows of its own range, unless cause applies.
func ownRange(label, cause string) ExportRows {
	return ExportRows{
		Export: label, Expectation: "the rows of its own range",
		ExtraDescription: "of the earlier export", Cause: cause,
	}
}

// exportAfter sends part, a subset of an export sent before, and lists the rows outside of it
// that the file holds. If the file has no fewer rows than the whole, it is compared with one
// that no deployment can have cached. No other export runs then: its rows would be taken for the
// earlier one's.
func (s *Suite) exportAfter(
	ctx spec.Context, whole *completedExport, part, other exportQuery, found ExportRows,
) ExportRows {
	done := s.takeUsable(ctx, part)
	s.inconclusiveIfIDShared(ctx, done)
	if len(done.rows) < len(whole.rows) {
		return found
	}
	ctx, release := s.holdExports(ctx)
	defer release()
	done = s.takeUsable(ctx, part)
	if len(done.rows) < len(whole.rows) {
		return found
	}
	found = done.differFrom(s.takeUsable(ctx, other), whole, found)
	found.Missing = nil // the other range is wider
	return found
}

// exportAfterOthers sends an export that ends where it starts. Rows in its file come from other
// exports if their number grows from one attempt to the next. Otherwise the bounds are to blame.
func (s *Suite) exportAfterOthers(ctx spec.Context, label string) ExportRows {
	start := statement.FormatInstant(s.t.Deployment.Fixtures.Window.Start, 0, nil)
	nothing := exportQuery{
		label: label, asked: model.Query{Start: start, End: start, Extension: "CSV"},
	}
	found := ExportRows{
		Export:           label,
		Expectation:      "no row",
		ExtraDescription: "of earlier exports",
		Cause:            "adds the rows of earlier exports",
	}
	before := s.takeExport(ctx, nothing)
	if before.isDenied() {
		ctx.NotVerifiedf("", equalBoundsRefused)
	}
	ctx.StopOnError(before.unusableReason())
	if len(before.rows) == 0 {
		return found
	}
	all := s.takeExport(ctx, s.windowQuery("", model.Query{}, s.t.Deployment.Fixtures.Window))
	now := s.takeExport(ctx, nothing)
	ctx.StopOnError(now.unusableReason())
	if now.table.QuoteCount() <= before.table.QuoteCount() {
		ctx.NotVerifiedf("", "a range that ends where it starts holds rows, see %s", ruleEmpty)
	}
	found.RowCount, found.Extra = now.table.QuoteCount(), now.rows
	found.Evidence = spec.Evidence{Repeat: append(all.repeatRequests(), now.repeatRequests()...)}
	return found
}

// exportForAnother is exportOfSameBody for two wallets, or else by two users.
func (s *Suite) exportForAnother(ctx spec.Context, label string) ExportRows {
	one, other := model.Query{Wallet: model.WalletDefault}, model.Query{Wallet: model.WalletOther}
	switch {
	case s.t.Deployment.Fixtures.OtherWalletID != "" && s.t.Deployment.Fixtures.DefaultWalletID != "":
	case s.t.Deployment.Credentials.OtherUser != nil:
		one, other = model.Query{}, model.Query{User: model.OwnerStranger}
	default:
		ctx.NotVerifiedf("fixtures.other_wallet_id", "")
	}
	return s.exportOfSameBody(ctx, label, one, other, time.Second)
}

// exportOfSameBody sends one body twice, for two wallets or by two users, and another body in
// the reverse order. If each file holds the rows of the first requester, files are cached by
// body alone. The bodies end short and a second more before the window does: no other export of
// the run has them.
func (s *Suite) exportOfSameBody(
	ctx spec.Context, label string, one, other model.Query, short time.Duration,
) ExportRows {
	window := s.plain.window.Await(ctx)
	ctx.StopOnError(window.unusableReason())
	take := func(q model.Query, earlier time.Duration) *completedExport {
		extent := *window.extent
		extent.End = extent.End.Add(-earlier)
		return s.takeUsable(ctx, s.windowQuery(label, q, &extent))
	}
	found := ExportRows{
		Export:      label,
		Expectation: "the rows of its own wallet and user",
		Cause:       "gives an export the file of an earlier one with the same body",
	}
	source, copied := take(one, short), take(other, short)
	if len(source.rows) == 0 || !statement.SameQuotes(source.rows, copied.rows) {
		return found
	}
	right, otherCopied := take(other, short+time.Second), take(one, short+time.Second)
	if !statement.SameQuotes(right.rows, otherCopied.rows) ||
		statement.SameQuotes(source.rows, right.rows) {
		return found // both have the same rows, whoever comes first
	}
	return copied.differFrom(right, source, found)
}
