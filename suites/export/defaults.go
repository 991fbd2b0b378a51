package export

import (
	"context"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// defaults: what an export that leaves out sort or order is the same as.
func (s *suite) defaults() {
	const sortRule, orderRule = "export.default.sort", "export.default.order"
	omit := func(label string, names ...string) *seen {
		return s.export(label, s.following(func(context.Context) (wish, error) {
			f := s.whole(statement.CreatedAt)
			for _, name := range names {
				delete(f, name)
			}
			return wish{fields: f}, nil
		}))
	}
	noSort, noOrder := omit("the window without sort", "sort"), omit("the window without order", "order")
	neither := omit("the window without sort and order", "sort", "order")

	// Without sort, quotes are sorted and bounded by quote_created_at.
	s.holds(sortRule, "sort left out", s.compare("sort left out", func(ctx context.Context) ([]matchers.Rows, error) {
		got, err := noSort.Get(ctx)
		if err != nil {
			return nil, err
		}
		return s.sameFile(ctx, "the export without sort", got, s.first, s.settled, "by quote_created_at", "by settled_date")
	}), noSort, s.first, s.settled)
	s.holds(sortRule, "sort and order left out", s.compare("sort and order left out, rows", func(ctx context.Context) ([]matchers.Rows, error) {
		got, err := neither.Get(ctx)
		if err != nil {
			return nil, err
		}
		found, err := s.sameFile(ctx, "the export without sort and order", got, s.first, s.settled, "by quote_created_at", "by settled_date")
		for i := range found {
			found[i].Order = "" // the other default's
		}
		return found, err
	}), neither, s.first, s.settled)

	// Without order, the newest quotes come first.
	s.holds(orderRule, "order left out", s.compare("order left out", func(ctx context.Context) ([]matchers.Rows, error) {
		got, err := noOrder.Get(ctx)
		if err != nil {
			return nil, err
		}
		return s.sameFile(ctx, "the export without order", got, s.first, s.createdAsc, "with desc", "with asc")
	}), noOrder, s.first, s.createdAsc)
	settledNoOrder := s.export("the window by settled_date without order", s.following(func(context.Context) (wish, error) {
		f := s.whole(statement.SettledDate)
		delete(f, "order")
		return wish{fields: f}, nil
	}))
	s.holds(orderRule, "order left out by settled_date", s.compare("order left out by settled_date", func(ctx context.Context) ([]matchers.Rows, error) {
		got, err := settledNoOrder.Get(ctx)
		if err != nil {
			return nil, err
		}
		falling, err := s.window(ctx, s.settled, statement.SettledDate)
		if err != nil {
			return nil, err
		}
		rising, err := read(ctx, s.settledAsc)
		if err != nil {
			return nil, err
		}
		if err := falling.legible(falling.key); err != nil {
			return nil, err
		}
		if matchers.SameSequence(falling.rows, rising.rows, falling.key) {
			return nil, spec.Unmet("fixtures.window", "the exports with desc and with asc are the same, so they cannot tell which is the default")
		}
		const export, should = "the export by settled_date without order", "the file of the export by settled_date with desc"
		if got.refused {
			return []matchers.Rows{notAccepted(export, should, got)}, nil
		}
		if err := got.usable(); err != nil {
			return nil, err
		}
		return []matchers.Rows{sequence(export, should, got, falling)}, nil
	}), settledNoOrder, s.settled, s.settledAsc)
	s.holds(orderRule, "sort and order left out", s.compare("sort and order left out, order", func(ctx context.Context) ([]matchers.Rows, error) {
		w, err := s.base(ctx)
		if err != nil {
			return nil, err
		}
		got, err := neither.Get(ctx)
		if err != nil {
			return nil, err
		}
		reference := w.sheet
		// Which sort is the default is the other rule: whichever it is, its falling order counts here.
		if other, err := read(ctx, s.settled); err == nil && got.usable() == nil &&
			statement.SameRows(got.rows, other.rows) && !statement.SameRows(got.rows, w.rows) {
			reference = other
		}
		return s.sameOrder(ctx, "the export without sort and order", got, reference)
	}), neither, s.first, s.createdAsc, s.settled)
}

// sameFile compares an export with the one that it should be the same as. other is what it should not be the same as:
// where both are the same, nothing can tell.
func (s *suite) sameFile(ctx context.Context, export string, got *sheet, same, other *seen, as, unlike string) ([]matchers.Rows, error) {
	w, err := s.window(ctx, same, statement.CreatedAt)
	if err != nil {
		return nil, err
	}
	should := "the file of the export " + as
	if got.refused {
		return []matchers.Rows{notAccepted(export, should, got)}, nil
	}
	if err := got.usable(); err != nil {
		return nil, err
	}
	against, err := read(ctx, other)
	if err != nil {
		return nil, err
	}
	if statement.SameRows(w.rows, against.rows) && matchers.SameSequence(w.rows, against.rows, w.key) {
		if err := w.legible(w.key); err != nil {
			return nil, err
		}
		return nil, spec.Unmet("fixtures.window", "the exports %s and %s are the same, so they cannot tell which is the default", as, unlike)
	}
	return []matchers.Rows{sequence(export, should, got, w)}, nil
}

// sameOrder compares the order of an export that should be a falling one.
func (s *suite) sameOrder(ctx context.Context, export string, got, reference *sheet) ([]matchers.Rows, error) {
	const should = "the rows in the order of desc"
	if got.refused {
		return []matchers.Rows{notAccepted(export, should, got)}, nil
	}
	if err := got.usable(); err != nil {
		return nil, err
	}
	rising, err := s.window(ctx, s.createdAsc, statement.CreatedAt)
	if err != nil {
		return nil, err
	}
	falling, err := s.base(ctx)
	if err != nil {
		return nil, err
	}
	if err := falling.legible(falling.key); err != nil {
		return nil, err
	}
	if matchers.SameSequence(falling.rows, rising.rows, statement.CreatedAt) {
		return nil, spec.Unmet("fixtures.window", "asc and desc give the same file, so they cannot tell which is the default")
	}
	if !statement.SameRows(got.rows, reference.rows) {
		return nil, spec.Unclear("the export without sort and order holds other rows than either sort, so its order cannot be compared")
	}
	key := statement.CreatedAt
	if reference != falling.sheet {
		key = statement.SettledDate
	}
	found := matchers.Rows{Export: export, Should: should, Held: len(got.rows)}
	if !matchers.SameSequence(got.rows, reference.rows, key) {
		found.Order = disorder(got.rows, key)
	}
	return []matchers.Rows{found}, nil
}

// sequence compares rows and order; ties may stand in any order.
func sequence(export, should string, got *sheet, w *window) matchers.Rows {
	found := equal(export, should, got.rows, w.rows)
	if found.Right() && !matchers.SameSequence(got.rows, w.rows, w.key) {
		found.Order = disorder(got.rows, w.key)
	}
	return found
}

// disorder says how rows that should fall do not.
func disorder(rows []statement.Quote, key statement.Key) string {
	if text := matchers.Disorder(rows, key, false); text != "" {
		return text
	}
	return "the same rows in another order"
}
