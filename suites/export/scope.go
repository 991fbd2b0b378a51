package export

import (
	"cmp"
	"fmt"
	"sync"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

const (
	// mostCompared is how many quotes a window may hold to be compared row by row, in every export.
	mostCompared = 2000
	// enoughOfAPart is how much is read of the file of a part, which is to hold a few hundred rows.
	enoughOfAPart = 4 << 20
)

// scope is what exports are compared in: the window, or of one that holds very many quotes a part with a few hundred.
// A few exports see such a window as a whole. Their files are read as they arrive; what is kept of each row is a
// digest.
type scope struct {
	mu    sync.Mutex
	part  *deployment.Window // nil: the window
	known map[string]bool    // identities of the rows that exports are compared with
	left  []string           // fields that exports leave out where they have their default
	// Of a window that is compared in a part: all of it, by quote_created_at asc and by settled_date desc.
	rising, settled download
	whole           *spec.Observation[whole]
}

// omit makes further exports leave out fields that have their default, and omitted lists those.
func (c *scope) omit(fields ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = fields
}

func (c *scope) omitted() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.left
}

// extent is the range that exports are compared in; nil without a window.
func (s *Suite) extent() *deployment.Window {
	s.scope.mu.Lock()
	defer s.scope.mu.Unlock()
	if s.scope.part != nil {
		return s.scope.part
	}
	return s.t.Deployment.Fixtures.Window
}

// parted reports that exports are compared in a part of the window.
func (s *Suite) parted() bool { return s.extent() != s.t.Deployment.Fixtures.Window }

// declareScope declares the export that is seen first, of the whole window, and the one that others are compared with.
func (s *Suite) declareScope() {
	const label = "the window by quote_created_at, desc"
	s.first = spec.Observe(s.Plan, label, act(func(l look) *sheet {
		return s.takeFirst(l, query{
			label: label, fields: s.whole(statement.CreatedAt).With("order", "desc"), brief: true,
		})
	}))
	s.window = spec.Observe(s.Plan, "the rows that others are compared with", act(func(l look) *sheet {
		sh := l.sheet(s.first)
		if tooMany(sh) {
			sh = s.narrow(l, sh)
		}
		known := make(map[string]bool, len(sh.rows))
		for _, q := range sh.rows {
			known[q.Identity] = true
		}
		s.scope.mu.Lock()
		defer s.scope.mu.Unlock()
		s.scope.known = known
		return sh
	}))
	large := func(sort statement.Key, order string) download {
		return spec.Observe(s.Plan, fmt.Sprintf("the whole window by %s, %s", sort, order), act(func(l look) *sheet {
			first := l.sheet(s.first)
			l.end(first.usable())
			l.unmetIf(!tooMany(first), "", "the window is compared row by row")
			return s.takeLarge(l, sort, order)
		}))
	}
	// Both at once, as soon as the window is known to be large: they take longest of all.
	s.scope.rising, s.scope.settled = large(statement.CreatedAt, "asc"), large(statement.SettledDate, "desc")
	s.scope.whole = spec.Observe(s.Plan, "the window as a whole", act(s.seeWhole))
}

// takeLarge exports the whole window, however many quotes it holds.
func (s *Suite) takeLarge(l look, sort statement.Key, order string) *sheet {
	w := s.t.Deployment.Fixtures.Window
	l.unmetIf(w == nil, "fixtures.window", "the exports of all quotes are not compared")
	return s.take(l, query{
		label:  fmt.Sprintf("the whole window by %s, %s", sort, order),
		fields: bounded(sort, w.Start, w.End, 0).With("order", order), brief: true,
	})
}

// lost reports an export of the part that others are compared with that shows no quote: it was chosen for a few hundred.
func (s *Suite) lost(sh *sheet) bool { return s.parted() && !sh.query.brief && sh.empty() }

// tooMany reports an export of more quotes than are compared row by row.
func tooMany(sh *sheet) bool { return sh.usable() == nil && sh.table.Count() > mostCompared }

// narrow exports a part of a large window. Where no part is small enough, the rows cannot be compared.
func (s *Suite) narrow(l look, first *sheet) *sheet {
	w := s.t.Deployment.Fixtures.Window
	const advice = "the window holds %d quotes, more than the %d that are compared row by row"
	l.unmetIf(w == nil, "fixtures.window", advice, first.table.Count(), mostCompared)
	l.end(first.legible(statement.CreatedAt))
	digest, unit := first.table.Digest(), first.table.Precision
	part, ok := digest.Slice(s.t.Chance("part of the window"), *w, unit(statement.CreatedAt),
		unit(statement.SettledDate))
	l.unmetIf(!ok, "fixtures.window", advice+", and too many of them share their dates to choose a part of it",
		first.table.Count(), mostCompared)
	s.scope.mu.Lock()
	s.scope.part = &part
	s.scope.mu.Unlock()
	sh := s.take(l, query{
		label:  "a part of the window by quote_created_at, desc",
		fields: bounded(statement.CreatedAt, part.Start, part.End, 0),
	})
	if sh.usable() == nil {
		expected := digest.Count(statement.CreatedAt, part.Start, part.End)
		sh.overflows = sh.table.Count() > 2*expected+sh.table.Others().Count
	}
	return sh
}

// compared are the identities of the rows that exports are compared with.
func (c *scope) compared() map[string]bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known
}

// ours reports a row that exports are compared with.
func (s *Suite) ours(q *statement.Quote) bool {
	s.scope.mu.Lock()
	defer s.scope.mu.Unlock()
	return s.scope.known[q.Identity]
}

// keep says how much is kept of a file. Of the first one, rows beyond the window's bounds always are.
func (s *Suite) keep(q query) statement.Keep {
	if !q.brief {
		return statement.Keep{Most: 2 * mostCompared, Also: s.ours}
	}
	k := statement.Keep{Most: mostCompared, Brief: true}
	if client := s.client.id; client != "" {
		k.Marks = func(q *statement.Quote) bool { return q.Client == client }
	}
	if w := s.t.Deployment.Fixtures.Window; w != nil {
		k.Also = func(q *statement.Quote) bool {
			m := &q.CreatedAt
			return m.Usable() && (m.Time.Before(w.Start) || !m.Time.Before(w.End))
		}
	}
	return k
}

// whole is what the large exports of the window show; nothing of a window that is compared row by row.
type whole struct {
	rows     int
	either   string            // what its exports in either order do not have in common
	hidden   string            // what only the export by settled_date shows
	part     string            // what the part of it does not have in common with it
	disorder map[string]string // by sort and order
}

// seeWhole compares the exports of the whole window by the other sort and in the other order with the first one.
func (s *Suite) seeWhole(l look) (seen whole) {
	first, part := l.sheet(s.first), l.sheet(s.window)
	if !s.parted() {
		return seen
	}
	l.end(cmp.Or(first.usable(), part.usable()))
	const created, settled = statement.CreatedAt, statement.SettledDate
	w, all := s.t.Deployment.Fixtures.Window, first.table.Digest()
	seen = whole{rows: first.table.Count(), disorder: map[string]string{
		string(created) + " desc": all.Disorder(created, false),
	}}
	see := func(sh *sheet, sort statement.Key, order string) *statement.Digest {
		l.end(sh.usable())
		d := sh.table.Release()
		seen.disorder[string(sort)+" "+order] = d.Disorder(sort, order == "asc")
		return d
	}
	rising := see(l.sheet(s.scope.rising), created, "asc")
	seen.either = differ(all.Without(rising), rising.Without(all))
	extent := s.extent()
	seen.part = differ(all.WithoutRows(part.rows, extent.Start, extent.End), all.Strangers(part.rows))
	seen.hidden = see(l.sheet(s.scope.settled), settled, "desc").Beyond(all, w.Start, w.End)
	if seen.either+seen.part+seen.hidden == "" {
		first.table.Release()
		return seen
	}
	again := see(s.takeLarge(l, created, "desc"), created, "desc")
	l.unclearIf(all.Without(again)+again.Without(all) != "",
		"two exports of the window hold other rows: quotes changed during the run, or the deployment answers the same "+
			"export differently, so exports cannot be compared; choose a window whose quotes no longer change "+
			"(fixtures.window)")
	return seen
}

// differ says what two exports do not have in common.
func differ(missing, extra string) string {
	switch {
	case missing == "":
		return extra
	case extra == "":
		return missing
	}
	return missing + "; and " + extra
}

// wholly adds to what was found in a part of the window what the large exports of it show.
func (s *Suite) wholly(l look, found Rows, of func(w whole) (finding string)) Rows {
	if !found.Right() || !s.parted() {
		return found
	}
	seen, err := s.scope.whole.Get(l)
	l.end(err)
	if found.Whole = of(seen); found.Whole != "" {
		found.Held = seen.rows
	}
	return found
}
