package export

import (
	"time"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// exportOfFewParameters sends an export with few parameters after one with many, and again after
// one that differs in wallet, client, order and start. Both files hold the same rows in the same
// order, unless the deployment keeps parts of one request for the next.
func (s *Suite) exportOfFewParameters(ctx spec.Context, label string) ExportRows {
	first := s.plain.window.Await(ctx)
	ctx.StopOnError(first.undatedReason())
	end := statement.FormatInstant(first.extent.End, 0, time.UTC)
	few := exportQuery{label: label, asked: model.Query{End: end, Extension: "CSV"}}
	_, noTarget := awaitUsable(ctx, s.plain.target) // before the others are held back
	ctx, release := s.holdExports(ctx)
	defer release()
	after := func(q exportQuery) (*client.Exchange, *completedExport) {
		x := s.sendExport(ctx, q)
		ctx.StopOnError(s.lab.TransientError(ctx, x))
		if !x.IsSuccess() {
			ctx.NotVerifiedf("", "%s was refused", q.label)
		}
		return x, s.takeUsable(ctx, few)
	}
	usual, unusual := s.oppositeQueries(first)
	_, right := after(usual)
	if right.isPartial() { // of many quotes, those of the window are enough
		few = s.windowQuery(label, model.Query{}, first.extent)
		_, right = after(usual)
	}
	found := ExportRows{
		Export:      label,
		Expectation: "what it holds after any other export",
	}
	_, other := after(unusual)
	if sameRowsInOrder(right, other) {
		if noTarget != nil {
			return found
		}
		unusual = s.windowQuery("an export for the target user",
			model.Query{User: model.OwnerTarget, Product: true}, first.extent)
		if _, other = after(unusual); sameRowsInOrder(right, other) {
			return found
		}
	}
	// Quotes that change in between are no finding, and neither are rows that are lost by chance or by
	// one of several workers. Workers that take turns must not get the same kind of export each time,
	// so the two kinds come in an order that no period of up to eight fits.
	var x *client.Exchange
	wrong, hasSameRows, hasSameOrder := other, true, true
	for _, isUnusual := range []bool{false, true, true, false, false, true} {
		q, earlier := usual, right
		if isUnusual {
			q, earlier = unusual, other
		}
		sent, again := after(q)
		hasSameRows = hasSameRows && statement.SameQuotes(earlier.rows, again.rows)
		hasSameOrder = hasSameOrder && sameRowsInOrder(right, again) != isUnusual
		if isUnusual {
			x, wrong = sent, again
		}
	}
	if !hasSameRows || !hasSameOrder {
		differ := "other rows"
		if hasSameRows {
			differ = "its rows in another order"
		}
		ctx.Inconclusivef("the same export holds %s from time to time, whatever was exported before it",
			differ)
	}
	found.RowCount = len(wrong.rows)
	found.Missing = statement.Difference(right.rows, wrong.rows)
	if len(found.Missing) == 0 { // rows that one file adds may be those that the other lacks
		found.Extra = statement.Difference(wrong.rows, right.rows)
	}
	found.Cause = "fills in what an export leaves out with values of the previous one"
	if found.AreExpected() {
		found.OrderViolation = "the order of the previous export"
		found.Inverted = firstInvertedPair(right.rows, wrong.rows)
	}
	found.Evidence = spec.Evidence{
		Repeat:  append(spec.RepeatInOrder(x), wrong.repeatRequests()...),
		Control: right.answer,
	}
	return found
}

// oppositeQueries returns two exports of the window that share as little as the fixtures allow.
func (s *Suite) oppositeQueries(first *completedExport) (one, other exportQuery) {
	f, extent := s.t.Deployment.Fixtures, *first.extent
	usual := model.Query{Sort: model.DateCreated.String(), Order: "desc"}
	unusual := model.Query{Sort: model.DateSettled.String(), Order: "asc"}
	if f.DefaultWalletID != "" {
		usual.Wallet = model.WalletDefault
	}
	if f.OtherWalletID != "" {
		unusual.Wallet = model.WalletOther
	}
	if f.ClientID != "" {
		usual.Filter = model.Filter{Kind: model.FilterWholeID, Text: f.ClientID}
	}
	for _, q := range first.rows {
		if f.ClientID != "" && q.Client != "" && q.Client != f.ClientID {
			unusual.Filter = model.Filter{Kind: model.FilterWholeID, Text: q.Client}
		}
	}
	one = s.windowQuery("an export of one wallet, client, order and start", usual, &extent)
	extent.Start = extent.Start.Add(extent.End.Sub(extent.Start) / 2).Truncate(time.Second)
	other = s.windowQuery("an export of another wallet, client, order and start", unusual, &extent)
	return one, other
}

// sameRowsInOrder reports whether two files hold the same rows in the same order of creation
// dates. Rows of one date may stand in any order.
func sameRowsInOrder(a, b *completedExport) bool {
	return statement.SameQuotes(a.rows, b.rows) && firstInvertedPair(a.rows, b.rows) == nil
}

// firstInvertedPair returns the first row and its counterpart that have different dates at the
// same position of two files of the same rows, or nil.
func firstInvertedPair(rows, others []statement.Quote) []statement.Quote {
	for i := range min(len(rows), len(others)) {
		if a, b := rows[i].CreatedAt, others[i].CreatedAt; a.Text != b.Text {
			return []statement.Quote{rows[i], others[i]}
		}
	}
	return nil
}
