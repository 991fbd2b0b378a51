package export

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// exportWhileOthers exports one client's quotes, all clients', and another wallet's at the same time.
// If the first file is wrong, the same export alone tells whether the filter is to blame.
func (s *Suite) exportWhileOthers(ctx spec.Context, label string) ExportRows {
	fixtures := s.t.Deployment.Fixtures
	if fixtures.ClientID == "" {
		ctx.NotVerifiedf("fixtures.client_id", "")
	}
	window := fixtures.Window
	s.awaitFetchable(ctx)
	ctx, release := s.holdExports(ctx)
	defer release()
	filtered := model.Query{Filter: model.Filter{Kind: model.FilterWholeID, Text: fixtures.ClientID}}
	queries := []exportQuery{
		s.windowQuery(label, filtered, window),
		s.windowQuery("an export of all clients, while one is exported", model.Query{}, window),
	}
	if fixtures.OtherWalletID != "" && fixtures.DefaultWalletID != "" {
		queries = append(queries, s.windowQuery("an export of another wallet, while the first is exported",
			model.Query{Wallet: model.WalletOther}, window))
	}
	done := s.takeSimultaneously(ctx, queries...)
	found := s.mixedUpClients(ctx, done[0], done[1])
	if found.AreExpected() && len(done) > 2 {
		found = s.mixedUpWallets(ctx, done[1], done[2])
	}
	if found.AreExpected() {
		found = s.exportOfAnotherClient(ctx, done[0], done[1])
	}
	return found
}

// exportOfAnotherClient takes an export that differs from an earlier one in its filter text alone. If
// the file holds rows of the earlier client, one up to another end tells whether the filter is to
// blame.
func (s *Suite) exportOfAnotherClient(ctx spec.Context, earlier, all *completedExport) ExportRows {
	q := earlier.query
	q.label = "an export of another client, after one of the first"
	found := ExportRows{Export: q.label}
	others := s.rowsOfOthers(all)
	if len(others) == 0 || len(earlier.rows) == 0 {
		return found
	}
	q.asked.Filter.Text = others[0].Client
	if done := s.takeUsable(ctx, q); len(s.rowsOfClient(done)) > 0 {
		return s.exportAfterOtherFilter(ctx, done, earlier)
	}
	return found
}

// mixedUpClients compares an export of one client with a simultaneous one of all clients.
func (s *Suite) mixedUpClients(ctx spec.Context, one, all *completedExport) ExportRows {
	if !s.showsClients() && len(s.rowsOfClient(all)) == 0 {
		ctx.NotVerifiedf("fixtures.client_id", "no file shows this client")
	}
	wrong, other := all, one // the wrong one, if any
	lacking := statement.Difference(s.rowsOfClient(all), one.rows)
	if one.broken != nil || all.broken == nil && len(s.rowsOfOthers(one))+len(lacking) > 0 {
		wrong, other = one, all
	}
	if wrong.broken == nil {
		ctx.StopOnError(errors.Join(one.unusableReason(), all.unusableReason()))
	}
	found := mixedUpWith(wrong, other)
	switch {
	case wrong.broken != nil: // two files were written into one
		found.Missing, found.RowCount = s.takeAlone(ctx, wrong.query).rows, 0
	case wrong == one && len(s.rowsOfOthers(one)) == 0:
		alone := s.takeAlone(ctx, one.query)
		if found.Missing = commonRows(lacking, alone.rows); len(found.Missing) == 0 {
			return s.exportAfterOtherText(ctx, alone, lacking)
		}
	case wrong == one:
		found.Extra, found.ExtraDescription = s.rowsOfOthers(one), "of other clients"
		if alone := s.takeAlone(ctx, one.query); len(s.rowsOfOthers(alone)) > 0 {
			return s.exportAfterOtherFilter(ctx, alone, all)
		}
	case len(s.rowsOfOthers(all)) == 0:
		found.Missing = s.rowsOfOthers(s.takeAlone(ctx, all.query))
	}
	return found
}

// mixedUpWallets compares simultaneous exports of two wallets. If they hold the same rows, but not
// if they are taken alone, one has the rows of the other.
func (s *Suite) mixedUpWallets(ctx spec.Context, a, b *completedExport) ExportRows {
	found := ExportRows{Export: a.query.label}
	if len(a.rows) == 0 || !statement.SameQuotes(a.rows, b.rows) {
		return found
	}
	ofA, ofB := s.takeAlone(ctx, a.query).rows, s.takeAlone(ctx, b.query).rows
	for _, pair := range []struct {
		wrong, other *completedExport
		own, others  []statement.Quote // as each export holds them alone
	}{{a, b, ofA, ofB}, {b, a, ofB, ofA}} {
		extra := commonRows(statement.Difference(pair.wrong.rows, pair.own), pair.others)
		if len(extra) > 0 {
			found = mixedUpWith(pair.wrong, pair.other)
			found.Missing = statement.Difference(pair.own, pair.wrong.rows)
			found.Extra, found.ExtraDescription = extra, "of another wallet"
			return found
		}
	}
	return found
}

// mixedUpWith returns how a file is wrong that has rows of a simultaneous export.
func mixedUpWith(wrong, other *completedExport) ExportRows {
	found := ExportRows{
		Export:      wrong.query.label,
		Expectation: "what it asks for",
		RowCount:    len(wrong.rows),
		Cause:       "gives an export the rows of a simultaneous one",
	}
	if file := wrong.fetched.Request; file != nil {
		found.Evidence.Subject = wrong.answer
		found.Evidence.Repeat = []spec.RepeatRequest{
			{Exchange: wrong.answer, WithNext: true},
			{Exchange: other.answer},
			{Exchange: file, FetchFile: true},
		}
	}
	return found
}

// takeSimultaneously sends exports at the same time and reads their files, whatever they hold.
// Where a second begins between them it sends them again, as files may be named for it.
func (s *Suite) takeSimultaneously(
	ctx spec.Context, queries ...exportQuery,
) (done []*completedExport) {
	const maxAttempts = 3
	sent := make([]*client.Exchange, len(queries))
	for range maxAttempts {
		var all sync.WaitGroup
		for i, q := range queries {
			all.Go(func() { sent[i] = s.sendExport(ctx, q) })
		}
		all.Wait()
		seconds := map[int64]bool{}
		for _, x := range sent {
			ctx.StopOnError(s.lab.TransientError(ctx, x))
			seconds[secondOf(x)] = true
		}
		if len(seconds) == 1 {
			break
		}
	}
	ids := map[string]bool{}
	for i, q := range queries {
		done = append(done, s.fetchAndRead(ctx, q, sent[i]))
		if id := done[i].fileID; id != "" && ids[id] {
			stopForSharedID(ctx)
		}
		ids[done[i].fileID] = true
	}
	return done
}

// takeUpToAnotherEnd takes an export again, up to another end: no deployment can have its file from an
// earlier export.
func (s *Suite) takeUpToAnotherEnd(ctx spec.Context, done *completedExport) *completedExport {
	extent := *s.t.Deployment.Fixtures.Window
	extent.End = extent.End.Add(day)
	return s.takeUsable(ctx,
		s.windowQuery(done.query.label+", up to another end", done.query.asked, &extent))
}

// ofOtherFilter returns an export of one client, unless it has the file of another filter.
func ofOtherFilter() ExportRows {
	return ExportRows{
		Export:           "an export of one client, after one of another filter",
		Expectation:      "what it asks for",
		Cause:            "gives the file of an earlier export that has another filter",
		ExtraDescription: "of other clients",
	}
}

// exportAfterOtherFilter compares an export of one client that holds rows of others even when sent
// alone, after one of another filter, with one up to another end. If both hold such rows, the filter
// is to blame.
func (s *Suite) exportAfterOtherFilter(
	ctx spec.Context, alone, earlier *completedExport,
) ExportRows {
	wider := s.takeUpToAnotherEnd(ctx, alone)
	if len(withoutClient(wider.rows, alone.query.asked.Filter.Text)) > 0 {
		ctx.NotVerifiedf("", "alone, the export holds rows of other clients, too; see %s", ruleClient)
	}
	found := alone.differFrom(wider, earlier, ofOtherFilter())
	found.Missing = nil
	return found
}

// exportAfterOtherText compares an export of one client that lacks rows even when sent alone with one
// up to another end. If that holds them, an earlier export with another filter text may have given
// its file.
func (s *Suite) exportAfterOtherText(
	ctx spec.Context, alone *completedExport, lacking []statement.Quote,
) ExportRows {
	own := alone.query.asked
	mayHaveGiven := func(earlier *completedExport) bool {
		asked := earlier.query.asked
		return asked.Filter.Text != own.Filter.Text && asked.Filter.Text != "" &&
			asked.Start == own.Start && asked.End == own.End && earlier.unusableReason() == nil &&
			(len(earlier.rows)+len(alone.rows) == 0 || statement.SameQuotes(earlier.rows, alone.rows))
	}
	taken, found := s.takenExports(), ofOtherFilter()
	source := slices.IndexFunc(taken, mayHaveGiven)
	if source < 0 {
		return found
	}
	wider := s.takeUpToAnotherEnd(ctx, alone)
	if missing := commonRows(lacking, wider.rows); len(missing) > 0 {
		found = alone.differFrom(wider, taken[source], found)
		found.Missing, found.Extra = missing, nil
	}
	return found
}

// rowsOfOthers returns the rows of clients other than the fixture.
func (s *Suite) rowsOfOthers(done *completedExport) []statement.Quote {
	return withoutClient(done.rows, s.t.Deployment.Fixtures.ClientID)
}

// withoutClient returns the rows of known clients other than one.
func withoutClient(rows []statement.Quote, client string) []statement.Quote {
	return slices.DeleteFunc(slices.Clone(rows),
		func(q statement.Quote) bool { return q.Client == "" || q.Client == client })
}

// rowsOfClient returns the rows of fixtures.client_id.
func (s *Suite) rowsOfClient(done *completedExport) []statement.Quote {
	return slices.DeleteFunc(slices.Clone(done.rows),
		func(q statement.Quote) bool { return q.Client != s.t.Deployment.Fixtures.ClientID })
}

// takeAlone takes an export after a pause of a second.
func (s *Suite) takeAlone(ctx spec.Context, q exportQuery) *completedExport {
	target.SleepContext(ctx, time.Second)
	return s.takeUsable(ctx, q)
}

// secondOf returns the second of an answer by the deployment's clock, in Unix time.
func secondOf(x *client.Exchange) int64 { return answers.ServerTime(x).Unix() }
