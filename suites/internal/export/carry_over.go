package export

import (
	"time"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// exportOfFewParameters is an export that says next to nothing after one of much else, and again
// after one of another wallet, client, order and start. Both hold the same rows in the same order,
// unless the deployment keeps parts of one request for the next.
func (s *Suite) exportOfFewParameters(l spec.Context, label string) ExportRows {
	first := s.plain.window.Await(l)
	l.StopOnError(first.undatedReason())
	s.simultaneous.WaitDone(l) // no other export comes in between
	end := statement.FormatInstant(first.extent.End, 0, time.UTC)
	few := s.requestOf(label, model.Query{End: end})
	after := func(q exportQuery) (*client.Exchange, *completedExport) {
		x := s.sendExport(l, q)
		l.StopOnError(s.lab.TransientError(l, x))
		if !x.IsSuccess() {
			l.NotVerifiedf("", "%s was refused", q.label)
		}
		return x, s.takeUsable(l, few)
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
	if _, other := after(unusual); sameRowsInOrder(right, other) {
		return found
	}
	// Quotes that change in between are no finding.
	_, again := after(usual)
	x, wrong := after(unusual)
	if !sameRowsInOrder(right, again) || sameRowsInOrder(right, wrong) {
		differ := "its rows in another order"
		if !statement.SameQuotes(right.rows, again.rows) {
			differ = "other rows"
		}
		l.Inconclusivef("the same export holds %s from time to time, whatever was exported before it", differ)
	}
	found.RowCount = len(wrong.rows)
	found.Missing = statement.Difference(right.rows, wrong.rows)
	if len(found.Missing) == 0 { // what stands in one file only may be what the other one lacks
		found.Extra = statement.Difference(wrong.rows, right.rows)
	}
	found.Cause = "fills in what an export leaves out from the previous export"
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

// oppositeQueries are two exports of the window that have as little in common as the fixtures
// allow.
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

// sameRowsInOrder reports two files of the same rows in the same order by their creation dates:
// rows of one date may stand either way.
func sameRowsInOrder(a, b *completedExport) bool {
	return statement.SameQuotes(a.rows, b.rows) && firstInvertedPair(a.rows, b.rows) == nil
}

// firstInvertedPair are the first two rows of different dates that stand the other way round in
// another file of the same rows; nil: there are none.
func firstInvertedPair(rows, others []statement.Quote) []statement.Quote {
	for i := range min(len(rows), len(others)) {
		if a, b := rows[i].CreatedAt, others[i].CreatedAt; a.Text != b.Text {
			return []statement.Quote{rows[i], others[i]}
		}
	}
	return nil
}
