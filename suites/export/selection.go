package export

import (
	"context"
	"strings"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// wallets: whose wallet the quotes are of.
func (s *suite) wallets() {
	f := s.t.Deployment.Fixtures
	of := func(label, wallet string, start, end int) *seen {
		return s.export(label, s.following(func(context.Context) (wish, error) {
			return wish{fields: s.spelled(statement.CreatedAt, start, end), wallet: &wallet}, nil
		}))
	}
	given := of("the window of the default wallet", f.DefaultWalletID, 1, 0)
	s.wallet = given
	other := of("the window of another wallet", f.OtherWalletID, 0, 1)
	empty := of("the window with an empty wallet header", "", 1, 1)

	// Without a wallet, the caller's default wallet is meant.
	awaited := []spec.Awaited{given, s.first}
	if f.OtherWalletID != "" {
		awaited = append(awaited, other)
	}
	s.holds("export.default.wallet", "the rows of the default wallet", s.compare("no wallet against the default wallet", func(ctx context.Context) ([]matchers.Rows, error) {
		named, err := read(ctx, given)
		if err != nil {
			return nil, err
		}
		unnamed, err := s.first.Get(ctx)
		if err != nil {
			return nil, err
		}
		// A file without quotes is a mistaken default as well, where the default wallet has some.
		if _, err := s.base(ctx); err != nil && (!unnamed.empty() || len(named.rows) == 0) {
			return nil, err
		}
		if f.OtherWalletID != "" {
			if another, err := read(ctx, other); err == nil && statement.SameRows(named.rows, another.rows) {
				return nil, spec.Unmet("", "the default wallet and the other wallet give the same rows, so nothing can tell which is the default")
			}
		}
		return []matchers.Rows{equal("the export without a wallet", "the rows of the export with the default wallet's ID", unnamed.rows, named.rows)}, nil
	}), awaited...)

	// A wallet header without a value is as good as none.
	if f.Window != nil && s.t.Deployment.Export.File != nil {
		s.holds("export.header.wallet.empty", "the rows of no wallet header", s.compare("an empty wallet against none", func(ctx context.Context) ([]matchers.Rows, error) {
			w, err := s.base(ctx)
			if err != nil {
				return nil, err
			}
			got, err := empty.Get(ctx)
			if err != nil {
				return nil, err
			}
			const export, should = "the export with an empty wallet header", "the rows of the export without that header"
			if got.refused {
				if alone, ok := s.walletEmpty.Settled(ctx); ok && alone.Success() {
					return nil, spec.Unclear("another export with an empty wallet header is accepted, so the refusal of this one (%s) is about something else",
						target.Describe(got.answer))
				}
				return []matchers.Rows{notAccepted(export, should, got)}, nil
			}
			if err := got.usable(); err != nil {
				return nil, err
			}
			return []matchers.Rows{equal(export, should, got.rows, w.rows)}, nil
		}), empty, s.first)
	}

	// A wallet that is given is the one whose quotes are exported, and no other's.
	s.holds("export.wallet.selects", "the rows of another wallet", s.compare("another wallet against the default one", func(ctx context.Context) ([]matchers.Rows, error) {
		mine, err := read(ctx, given)
		if err != nil {
			return nil, err
		}
		got, err := read(ctx, other)
		if err != nil {
			return nil, err
		}
		if len(got.rows) == 0 {
			return nil, spec.Unmet("fixtures.other_wallet_id", "the other wallet has no quote in the window")
		}
		return []matchers.Rows{{
			Export: "the export of the other wallet", Should: "rows of that wallet only, and none of the default wallet's", Held: len(got.rows),
			Extra: pick(got.rows, func(q statement.Quote) bool {
				return len(statement.Difference([]statement.Quote{q}, mine.rows)) == 0 || ofWallet(q, f.DefaultWalletID, f.OtherWalletID)
			}),
		}}, nil
	}), given, other)

	// It is so whatever the sort and the order.
	bySettled := s.export("the window of another wallet by settled_date, asc", s.following(func(context.Context) (wish, error) {
		return wish{fields: s.spelled(statement.SettledDate, 1, 1).With("order", "asc"), wallet: &f.OtherWalletID}, nil
	}))
	s.holds("export.wallet.selects", "the rows of another wallet by settled_date, oldest first", s.compare("another wallet by settled_date against the default one", func(ctx context.Context) ([]matchers.Rows, error) {
		mine, err := read(ctx, given)
		if err != nil {
			return nil, err
		}
		got, err := read(ctx, bySettled)
		if err != nil {
			return nil, err
		}
		return []matchers.Rows{{
			Export: "the export of the other wallet by settled_date", Should: "rows of that wallet only, and none of the default wallet's", Held: len(got.rows),
			Extra: pick(got.rows, func(q statement.Quote) bool {
				return len(statement.Difference([]statement.Quote{q}, mine.rows)) == 0 || ofWallet(q, f.DefaultWalletID, f.OtherWalletID)
			}),
		}}, nil
	}), given, bySettled)
}

// ofWallet tells a row that names another wallet than the one asked for. A column that does not show IDs tells nothing.
func ofWallet(q statement.Quote, foreign, asked string) bool {
	return q.Wallet != "" && strings.EqualFold(q.Wallet, foreign) && !strings.EqualFold(foreign, asked)
}

// filters: the client filter.
func (s *suite) filters() {
	id := s.t.Deployment.Fixtures.ClientID
	filtered := s.client.window

	// The filter keeps all rows of the client that it names, and no other client's.
	s.holds("export.filter.client_id", "the rows of one client", s.compare("one client against the window", func(ctx context.Context) ([]matchers.Rows, error) {
		const export, should = "the export filtered by the client", "every row of the client in the window, and no other client's"
		w, err := s.base(ctx)
		if err != nil {
			return nil, err
		}
		got, err := filtered.Get(ctx)
		if err != nil {
			return nil, err
		}
		if got.refused {
			if alone, ok := s.filterAlone.Settled(ctx); ok && !alone.Success() {
				return nil, spec.Unclear("any export with a client filter is refused (%s); see export.success", target.Describe(alone.Exchange))
			}
			return []matchers.Rows{notAccepted(export, should, got)}, nil
		}
		if err := got.usable(); err != nil {
			return nil, err
		}
		if !w.table.Has(statement.ClientID) {
			if strange := statement.Difference(got.rows, w.rows); len(strange) > 0 {
				return []matchers.Rows{{Export: export, Should: "rows of the window only", Held: len(got.rows), Extra: strange}}, nil
			}
			return nil, spec.Unmet("export.csv.columns.client_id", "no column of the file is known to hold the client")
		}
		mine, others := split(w.rows, id)
		switch {
		case len(mine) == 0:
			return nil, spec.Unmet("fixtures.client_id", "the window holds no row of this client")
		case len(others) == 0:
			return nil, spec.Unmet("fixtures.client_id", "the window holds rows of this client only, so a filter shows nothing")
		}
		_, foreign := split(got.rows, id)
		return []matchers.Rows{{
			Export: export, Should: should, Held: len(got.rows),
			Missing: statement.Difference(mine, got.rows), Extra: foreign,
		}}, nil
	}), filtered, s.first)

	s.moreFilters(id)
	s.partsOfAnID(id)
}

// split parts the rows of a client from all others.
func split(rows []statement.Quote, client string) (mine, others []statement.Quote) {
	client = strings.TrimSpace(client)
	for _, q := range rows {
		if q.Client == client {
			mine = append(mine, q)
		} else {
			others = append(others, q)
		}
	}
	return mine, others
}
