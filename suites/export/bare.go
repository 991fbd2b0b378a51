package export

import (
	"context"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// enoughOfEverything is how much is read of a file that no bound keeps small: its first rows show how it is sorted.
const enoughOfEverything = 2 << 20

// bareDefaults: sort and order have their defaults whatever else the body holds, or does not.
func (s *suite) bareDefaults() {
	const sortRule, orderRule = "export.default.sort", "export.default.order"
	everything := s.everything()
	// An empty object gives no sort: its rows are sorted by quote_created_at, one way or the other.
	s.holds(sortRule, "an empty object", s.compare("the sort of an empty object", func(ctx context.Context) ([]matchers.Rows, error) {
		got, err := s.sortable(ctx, everything)
		if err != nil {
			return nil, err
		}
		return []matchers.Rows{{
			Export: "the export of " + got.wish.label, Should: "rows sorted by quote_created_at", Held: len(got.rows), Order: unsorted(got.rows, statement.CreatedAt),
		}}, nil
	}), everything, s.first)
	// Nor does it give an order: the newest come first. Which date is meant is the other rule.
	s.holds(orderRule, "an empty object", s.compare("the order of an empty object", func(ctx context.Context) ([]matchers.Rows, error) {
		got, err := s.sortable(ctx, everything)
		if err != nil {
			return nil, err
		}
		found := matchers.Rows{Export: "the export of " + got.wish.label, Should: "rows in falling order", Held: len(got.rows)}
		if !fallsBy(got.rows, statement.SettledDate) {
			found.Order = matchers.Disorder(got.rows, statement.CreatedAt, false)
		}
		return []matchers.Rows{found}, nil
	}), everything, s.first)

	if s.t.Deployment.Fixtures.ClientID == "" {
		return
	}
	// A client filter stands in for neither.
	s.holds(sortRule, "sort and order left out beside a client filter", s.compare("the rows of one client without sort and order", func(ctx context.Context) ([]matchers.Rows, error) {
		found, got, err := s.bareClient(ctx, "the rows of the same export with sort quote_created_at")
		if err != nil || found.Refused != "" {
			return []matchers.Rows{found}, err
		}
		explicit, err := read(ctx, s.client.window)
		if err != nil {
			return nil, err
		}
		found.Missing, found.Extra = statement.Difference(explicit.rows, got.rows), statement.Difference(got.rows, explicit.rows)
		found.Order = unsorted(got.rows, statement.CreatedAt)
		return []matchers.Rows{found}, nil
	}), s.client.bare, s.client.window, s.first)
	s.holds(orderRule, "sort and order left out beside a client filter", s.compare("the order of one client without sort and order", func(ctx context.Context) ([]matchers.Rows, error) {
		found, got, err := s.bareClient(ctx, "the rows in the order of desc")
		if err != nil || found.Refused != "" {
			return []matchers.Rows{found}, err
		}
		explicit, err := read(ctx, s.client.window)
		if err != nil {
			return nil, err
		}
		if matchers.Disorder(explicit.rows, statement.CreatedAt, false) != "" {
			return nil, spec.Unclear("the rows of one client that are asked for with desc are in no falling order either; see export.order.desc")
		}
		key := statement.CreatedAt
		if other, err := read(ctx, s.client.bySettled); err == nil && !statement.SameRows(got.rows, explicit.rows) && statement.SameRows(got.rows, other.rows) {
			key = statement.SettledDate // the other default's
		}
		found.Order = matchers.Disorder(got.rows, key, false)
		return []matchers.Rows{found}, nil
	}), s.client.bare, s.client.window, s.client.bySettled, s.first)
}

// everything is the export of an empty object that was seen accepted, with the beginning of its file. Which format comes
// without a type_extension is not documented: where it is not CSV, an export that asks for CSV and nothing else serves.
func (s *suite) everything() *seen {
	return spec.Observe(s.p, "the file of an empty object", func(ctx context.Context) (*sheet, error) {
		first, err := s.first.Get(ctx)
		if err != nil {
			return nil, err
		}
		if first.refused || first.fault != nil {
			return nil, first.usable()
		}
		a, err := s.nothingGiven.Get(ctx)
		if err != nil {
			return nil, err
		}
		as := s.t.Deployment.Credentials.Main()
		sh, err := s.finish(ctx, wish{label: "an empty object", as: as}, a.Exchange, enoughOfEverything)
		if err != nil || !sh.foreign() {
			return sh, err
		}
		if a, err = s.formatAlone.Get(ctx); err != nil {
			return nil, err
		}
		return s.finish(ctx, wish{label: "nothing but type_extension CSV", as: as}, a.Exchange, enoughOfEverything)
	})
}

// sortable waits for the file of an empty object. What cannot be had of it says nothing about its order: how long such a
// file takes is not documented.
func (s *suite) sortable(ctx context.Context, o *seen) (*sheet, error) {
	if err := s.ordersAsAsked(ctx); err != nil {
		return nil, err
	}
	got, err := o.Get(ctx)
	switch {
	case err != nil:
		return nil, err
	case got.fault != nil:
		return nil, spec.Unmet("", "the file of %s could not be fetched, and may be too large: %s", got.wish.label, got.fault.Error())
	}
	if err := got.legible(statement.CreatedAt); err != nil {
		return nil, err
	}
	if len(datesOf(got.rows, statement.CreatedAt)) < 2 {
		return nil, spec.Unmet("", "the file of %s shows fewer than two dates of quote_created_at", got.wish.label)
	}
	return got, nil
}

// foreign tells a file of another format than CSV, or JSON in its place.
func (sh *sheet) foreign() bool {
	return sh.fault != nil && sh.fault.Fault == client.Unusable || sh.broken != nil && !sh.blank()
}

// ordersAsAsked tells why no default can be read from the order of rows: not even rows that are asked for in an order come
// in it.
func (s *suite) ordersAsAsked(ctx context.Context) error {
	w, err := s.base(ctx)
	if err != nil {
		return err
	}
	if matchers.Disorder(w.rows, w.key, false) != "" {
		return spec.Unclear("the rows that are asked for with desc are in no falling order either; see export.order.desc")
	}
	return nil
}

// bareClient waits for the export of one client without sort and order, whose rows are left to compare.
func (s *suite) bareClient(ctx context.Context, should string) (matchers.Rows, *sheet, error) {
	const export = "the export of one client without sort and order"
	if err := s.ordersAsAsked(ctx); err != nil {
		return matchers.Rows{}, nil, err
	}
	switch explicit, err := read(ctx, s.client.window); {
	case err != nil:
		return matchers.Rows{}, nil, err
	case len(explicit.rows) == 0:
		return matchers.Rows{}, nil, spec.Unmet("fixtures.client_id", "the window holds no row of this client")
	}
	got, err := s.client.bare.Get(ctx)
	if err != nil {
		return matchers.Rows{}, nil, err
	}
	if got.refused {
		return notAccepted(export, should, got), nil, nil
	}
	if err := got.usable(); err != nil {
		return matchers.Rows{}, nil, err
	}
	return matchers.Rows{Export: export, Should: should, Held: len(got.rows)}, got, nil
}

// fallsBy tells rows of at least two dates in falling order.
func fallsBy(rows []statement.Quote, key statement.Key) bool {
	return len(datesOf(rows, key)) > 1 && matchers.Disorder(rows, key, false) == ""
}

// unsorted says how rows are sorted by another date, or by none: in neither order of this one.
func unsorted(rows []statement.Quote, key statement.Key) string {
	if matchers.Disorder(rows, key, true) == "" {
		return ""
	}
	return matchers.Disorder(rows, key, false)
}
