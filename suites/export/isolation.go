package export

import (
	"context"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// isolation: whose quotes they are.
func (s *suite) isolation() {
	theirs := s.export("the window of another user", s.following(func(context.Context) (wish, error) {
		return wish{fields: s.whole(statement.CreatedAt), as: s.t.Deployment.Credentials.OtherUser}, nil
	}))
	// A user's quotes are in no file of another legal person's user.
	s.holds("export.isolation", "another user's export of the same window", s.compare("another user's rows against ours", func(ctx context.Context) ([]matchers.Rows, error) {
		w, err := s.base(ctx)
		if err != nil {
			return nil, err
		}
		got, err := theirs.Get(ctx)
		if err != nil {
			return nil, err
		}
		found := matchers.Rows{Export: "another user's export of the window", Should: "no row of the main user"}
		if got.blank() {
			return []matchers.Rows{found}, nil
		}
		if err := got.fileless(); err != nil {
			return nil, err
		}
		if err := got.usable(); err != nil {
			return nil, err
		}
		return []matchers.Rows{ours(found, got, w.rows)}, nil
	}), theirs, s.first)

	s.openIsolation()

	// Not even for a wallet of this user that the other one asks for.
	wallet := s.t.Deployment.Fixtures.DefaultWalletID
	if wallet == "" {
		return
	}
	asked := s.export("the window of our wallet, as another user", s.following(func(context.Context) (wish, error) {
		return wish{fields: s.spelled(statement.CreatedAt, 1, 0), as: s.t.Deployment.Credentials.OtherUser, wallet: &wallet}, nil
	}))
	s.holds("export.isolation", "another user's export of our wallet", s.compare("our wallet's rows for another user", func(ctx context.Context) ([]matchers.Rows, error) {
		w, err := s.base(ctx)
		if err != nil {
			return nil, err
		}
		got, err := asked.Get(ctx)
		if err != nil {
			return nil, err
		}
		found := matchers.Rows{Export: "another user's export of our wallet", Should: "no row of the main user, or a refusal"}
		if got.blank() || got.refused && got.answer.Refusal() {
			return []matchers.Rows{found}, nil
		}
		if err := got.fileless(); err != nil {
			return nil, err
		}
		if err := got.usable(); err != nil {
			return nil, err
		}
		return []matchers.Rows{ours(found, got, w.rows)}, nil
	}), asked, s.first)
}

// openIsolation: a bound that is not given opens no other user's quotes. The exports are sorted so that the window's own
// quotes would come early, which is why the beginning of each file is enough; one of them is of the other sort and order.
func (s *suite) openIsolation() {
	window := s.t.Deployment.Fixtures.Window
	if window == nil {
		return
	}
	for _, c := range []struct {
		what   string
		fields target.Fields
	}{
		{"only a start, by settled_date", bounded(statement.SettledDate, window.Start, time.Time{}, 0).With("order", "asc")},
		{"only an end", bounded(statement.CreatedAt, time.Time{}, window.End, 0)},
	} {
		theirs := s.export("another user's quotes with "+c.what, s.following(func(context.Context) (wish, error) {
			return wish{fields: c.fields, as: s.t.Deployment.Credentials.OtherUser, most: enoughOfEverything}, nil
		}))
		s.holds("export.isolation", "another user's export with "+c.what, s.compare("another user's rows with "+c.what, func(ctx context.Context) ([]matchers.Rows, error) {
			w, err := s.base(ctx)
			if err != nil {
				return nil, err
			}
			got, err := theirs.Get(ctx)
			if err != nil {
				return nil, err
			}
			found := matchers.Rows{Export: "another user's export with " + c.what, Should: "no row of the main user"}
			switch {
			case got.blank() || got.refused && got.answer.Refusal(): // nothing was given
				return []matchers.Rows{found}, nil
			case got.fault != nil:
				return nil, plan.Unmet("", "the file could not be fetched, and may be too large: %s", got.fault.Error())
			}
			if err := got.usable(); err != nil {
				return nil, err
			}
			return []matchers.Rows{ours(found, got, w.rows)}, nil
		}), theirs, s.first)
	}
}

// ours finds the rows of an export that are among the main user's.
func ours(found matchers.Rows, got *sheet, rows []statement.Quote) matchers.Rows {
	found.Held = len(got.rows)
	found.Extra = statement.Difference(got.rows, statement.Difference(got.rows, rows))
	return found
}
