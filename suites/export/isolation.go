package export

import (
	"context"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// isolation: whose quotes they are.
func (s *suite) isolation() {
	theirs := s.export("the window of another user", s.following(func(context.Context) (wish, error) {
		return wish{fields: s.whole(statement.CreatedAt), as: s.t.Deployment.Credentials.OtherUser}, nil
	}))
	// A user's quotes are in no file of another legal person's user.
	s.isolates("another user's export of the same window", "another user's rows against ours", theirs,
		matchers.Rows{Export: "another user's export of the window", Should: "no row of the main user"}, (*sheet).blank, (*sheet).fileless)

	s.openIsolation()

	// Not even for a wallet of this user that the other one asks for.
	wallet := s.t.Deployment.Fixtures.DefaultWalletID
	if wallet == "" {
		return
	}
	asked := s.export("the window of our wallet, as another user", s.following(func(context.Context) (wish, error) {
		return wish{fields: s.spelled(statement.CreatedAt, 1, 0), as: s.t.Deployment.Credentials.OtherUser, wallet: &wallet}, nil
	}))
	s.isolates("another user's export of our wallet", "our wallet's rows for another user", asked,
		matchers.Rows{Export: "another user's export of our wallet", Should: "no row of the main user, or a refusal"}, gaveNothing, (*sheet).fileless)
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
		s.isolates("another user's export with "+c.what, "another user's rows with "+c.what, theirs,
			matchers.Rows{Export: "another user's export with " + c.what, Should: "no row of the main user"}, gaveNothing, func(got *sheet) error {
				if got.fault == nil {
					return nil
				}
				return spec.Unmet("", "the file could not be fetched, and may be too large: %s", got.fault.Error())
			})
	}
}

// isolates declares the check that another user's export holds none of the main user's rows. nothing tells an answer that
// gives no rows and is right so; open says why a file that is missing leaves the check open.
func (s *suite) isolates(name, what string, theirs *seen, found matchers.Rows, nothing func(*sheet) bool, open func(*sheet) error) {
	s.holds("export.isolation", name, s.compare(what, func(ctx context.Context) ([]matchers.Rows, error) {
		w, err := s.base(ctx)
		if err != nil {
			return nil, err
		}
		got, err := theirs.Get(ctx)
		if err != nil {
			return nil, err
		}
		if nothing(got) {
			return []matchers.Rows{found}, nil
		}
		if err := open(got); err != nil {
			return nil, err
		}
		if err := got.usable(); err != nil {
			return nil, err
		}
		return []matchers.Rows{ours(found, got, w.rows)}, nil
	}), theirs, s.first)
}

// gaveNothing tells an export that was refused, or whose file holds nothing.
func gaveNothing(got *sheet) bool { return got.blank() || got.refused && got.answer.Refusal() }

// ours finds the rows of an export that are among the main user's.
func ours(found matchers.Rows, got *sheet, rows []statement.Quote) matchers.Rows {
	found.Held = len(got.rows)
	found.Extra = statement.Difference(got.rows, statement.Difference(got.rows, rows))
	return found
}
