package export

import (
	"context"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// clientFilter adds the filter of a client.
func clientFilter(f target.Fields, id string) target.Fields {
	return f.With("filter_type", "client_id").With("filter_text", id)
}

// ofOneClient are exports of the window filtered by the client of the fixtures; several rules share them.
type ofOneClient struct {
	window    *seen // by quote_created_at, newest first
	bySettled *seen // newest first
	bare      *seen // without sort and order
	until     *seen // until one of its rows, oldest first
}

func (s *suite) clients() {
	id := s.t.Deployment.Fixtures.ClientID
	of := func(label string, sort statement.Key, left ...string) *seen {
		return s.export(label, s.following(func(context.Context) (wish, error) {
			f := clientFilter(s.whole(sort), id)
			for _, name := range left {
				delete(f, name)
			}
			return wish{fields: f}, nil
		}))
	}
	s.client.window = of("the window of one client", statement.CreatedAt)
	s.client.bySettled = of("the window of one client by settled_date", statement.SettledDate)
	s.client.bare = of("the window of one client without sort and order", statement.CreatedAt, "sort", "order")
	s.client.until = s.export("the rows of one client until one of them", func(ctx context.Context) (wish, error) {
		w, _, at, err := s.oneOf(ctx, id)
		if err != nil {
			return wish{}, err
		}
		return wish{fields: clientFilter(bounded(w.key, w.start, at, w.unit), id).With("order", "asc")}, nil
	})
}

// moreFilters: the client filter beside other fields of the body.
func (s *suite) moreFilters(id string) {
	bySettled := s.client.bySettled
	// The filter holds whatever the sort.
	s.holds("export.filter.client_id", "the rows of one client by settled_date", s.compare("one client by settled_date", func(ctx context.Context) ([]matchers.Rows, error) {
		w, err := s.window(ctx, s.settled, statement.SettledDate)
		if err != nil {
			return nil, err
		}
		got, err := read(ctx, bySettled)
		if err != nil {
			return nil, err
		}
		mine, err := some(w, id)
		if err != nil {
			return nil, err
		}
		return []matchers.Rows{ofClient("the export by settled_date filtered by the client", got, mine)}, nil
	}), bySettled, s.settled)

	// It holds within bounds, and bounds hold within it.
	until := s.client.until
	s.holds("export.filter.client_id", "the rows of one client until one of them", s.compare("one client until one of its rows", func(ctx context.Context) ([]matchers.Rows, error) {
		w, mine, at, err := s.oneOf(ctx, id)
		if err != nil {
			return nil, err
		}
		got, err := read(ctx, until)
		if err != nil {
			return nil, err
		}
		return []matchers.Rows{clientWithin("the export filtered by the client, until one of its rows", got, mine, id, w, span{until: at})}, nil
	}), until, s.first)
}

// clientWithin compares an export of one client with its rows that lie in the span. One whose side of the bound is open may
// be there.
func clientWithin(export string, got *sheet, mine []statement.Quote, id string, w *window, sp span) matchers.Rows {
	found := ofClient(export, got, pick(mine, sp.inside(w.key, w.unit)))
	own, _ := split(found.Extra, id)
	outside := sp.outside(w.key, w.unit)
	found.Extra = statement.Difference(found.Extra, pick(own, func(q statement.Quote) bool { return !outside(q) }))
	return found
}

// oneOf gives the client's rows of the window, and the date of one of them that is an instant without doubt.
func (s *suite) oneOf(ctx context.Context, id string) (*window, []statement.Quote, time.Time, error) {
	w, err := s.datedWindow(ctx)
	if err != nil {
		return nil, nil, time.Time{}, err
	}
	mine, err := some(w, id)
	if err != nil {
		return nil, nil, time.Time{}, err
	}
	sure := pick(mine, undoubted(w.key))
	if len(sure) == 0 {
		return nil, nil, time.Time{}, spec.Unmet("fixtures.client_id", "no row of the client has a %s that is one instant without doubt", w.key)
	}
	return w, mine, sure[len(sure)/2].Moment(w.key).Time, nil
}

// some gives the client's rows of the window, provided that it holds others too.
func some(w *window, id string) ([]statement.Quote, error) {
	if !w.table.Has(statement.ClientID) {
		return nil, spec.Unmet("export.csv.columns.client_id", "no column of the file is known to hold the client")
	}
	mine, others := split(w.rows, id)
	if len(mine) == 0 || len(others) == 0 {
		return nil, spec.Unmet("fixtures.client_id", "the window has to hold rows of this client and of others")
	}
	return mine, nil
}

func ofClient(export string, got *sheet, want []statement.Quote) matchers.Rows {
	return matchers.Rows{
		Export: export, Should: "the client's rows within the bounds, and no other client's", Held: len(got.rows),
		Missing: statement.Difference(want, got.rows), Extra: statement.Difference(got.rows, want),
	}
}
