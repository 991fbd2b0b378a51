package export

import (
	"slices"
	"strings"
	"time"
	"unicode"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// oneClient are exports of the window filtered by the client of the fixtures; several rules share them.
type oneClient struct {
	id     string
	window download // by quote_created_at, newest first
	bare   download // without sort and order
	until  download // from one of its rows until another, oldest first
	after  download // by settled_date, from just after one of its rows until just after another
}

// clientFilter adds the filter of a client.
func clientFilter(f target.Fields, id string) target.Fields {
	return f.With("filter_type", "client_id").With("filter_text", id)
}

func (s *Suite) declareClient() {
	id := s.t.Deployment.Fixtures.ClientID
	of := func(label string, left ...string) download {
		return s.follow(label, func() query {
			return query{fields: clientFilter(s.whole(statement.CreatedAt).Without(left...), id)}
		})
	}
	s.client = oneClient{
		id:     strings.TrimSpace(id),
		window: of("the window of one client"),
		bare:   of("the window of one client without sort and order", "sort", "order"),
		until: s.export("the rows of one client between two of them", func(l look) query {
			w := s.dates(l)
			// of any client, where the file shows none: its order is a rule as well
			from, until, ok := edges(w.rows, w.key)
			if w.table.Has(statement.ClientID) {
				w, _, from, until = s.twoOf(l, s.window, statement.CreatedAt)
			}
			l.unmetIf(!ok, "fixtures.window", "the rows have fewer than two unambiguous dates")
			fields := clientFilter(bounded(w.key, from, until, w.unit), id).With("order", "asc")
			return query{fields: fields, company: spelled(s.company(l, control.First))}
		}),
		after: s.export("the rows of one client by settled_date, just after one until another", func(l look) query {
			w, _, from, until := s.twoOf(l, s.settled, statement.SettledDate)
			fields := clientFilter(bounded(w.key, next(from, w.unit), until, w.unit), id)
			return query{fields: fields, company: spelled(s.company(l, control.Second))}
		}),
	}
}

// filters: the client filter, alone and beside other fields of the body.
func (s *Suite) filters() {
	client := &s.client
	s.Group(spec.Needs("fixtures.client_id"), func() {
		s.Describe("filter", func() {
			s.Rule("export.filter.client_id", Must, ExportOperation,
				"The client filter keeps every row of that client and no other.", func() {
					s.holds("the rows of one client", []download{client.window, s.window}, s.filtered)
					s.holds("the rows of one client without sort and order", []download{client.bare, client.window},
						s.filteredBare)
					s.holds("the rows of one client between two of them", []download{client.until, s.window},
						func(l look) Rows {
							w, mine, _, _ := s.twoOf(l, s.window, statement.CreatedAt)
							return clientWithin("the export filtered by the client", l.rows(client.until), mine,
								client.id, w)
						})
					s.holds("the rows of one client by settled_date", []download{client.after, s.settled},
						func(l look) Rows {
							w, mine, _, _ := s.twoOf(l, s.settled, statement.SettledDate)
							return clientWithin("the export by settled_date filtered by the client",
								l.rows(client.after), mine, client.id, w)
						})
					s.holds("the rows of one client, and nothing else asked for",
						[]download{s.bare.filter, s.bare.object, s.window}, s.filteredAlone)
					if s.t.Deployment.Fixtures.OtherWalletID != "" {
						s.filteredInOtherWallet()
					}
					for _, bound := range []struct {
						word string
						o    download
					}{{"until", s.target.until}, {"from", s.target.from}} {
						s.forTargetUser("the rows of one client of the target user "+bound.word+" one of them", bound.o,
							func(w *window, rows []statement.Quote, got *sheet) Rows {
								id, _ := oneClientOf(rows)
								mine, _ := split(rows, id)
								return clientWithin("the export for the target user filtered by a client", got, mine,
									id, w)
							})
					}
				})

			s.Rule("export.filter.prefix", Should, ExportOperation,
				"A filter text that is only part of a client ID keeps no row of that client.", func() {
					s.partial("a part of an ID", prefixesOf(client.id), control.First)
					s.partial("a part of an ID by settled_date, asc", prefixesOf(client.id), control.Second)
					s.partial("the end of an ID", suffixesOf(client.id), control.Plain)
					s.forTargetUser("a part of the ID of a client of the target user", s.target.part,
						func(_ *window, rows []statement.Quote, got *sheet) Rows {
							id, _ := oneClientOf(rows)
							found := Rows{
								Export: "the export for the target user filtered by a part of an ID",
								Should: "no row of that client", Held: len(got.rows),
							}
							found.Extra, _ = split(got.rows, id)
							return found
						})
				})
		})
	})
}

func (s *Suite) filtered(l look) Rows {
	const export = "the export filtered by the client"
	const should = "every row of the client in the window, and no other client's"
	w := s.base(l)
	got := l.accepted(s.client.window, export, should)
	if !w.table.Has(statement.ClientID) {
		if strange := statement.Difference(got.rows, w.rows); len(strange) > 0 {
			return Rows{Export: export, Should: "rows of the window only", Held: len(got.rows), Extra: strange}
		}
	}
	mine := s.some(l, w)
	_, foreign := split(got.rows, s.client.id)
	return Rows{
		Export: export, Should: should, Held: len(got.rows), Missing: statement.Difference(mine, got.rows),
		Extra: foreign, Strange: "row of another client",
	}
}

// filteredBare compares the export that names neither sort nor order: by which date it is bounded is another rule.
func (s *Suite) filteredBare(l look) Rows {
	found := Rows{Export: bareExport, Should: "no other client's rows"}
	w := s.base(l)
	s.some(l, w)
	got, ok := l.rowsIfAny(s.client.bare)
	if ok && got.table.Has(statement.ClientID) {
		found.Held = len(got.rows)
		_, found.Extra = split(got.rows, s.client.id)
	}
	return found
}

// split parts the rows of a client from all others.
func split(rows []statement.Quote, client string) (mine, others []statement.Quote) {
	return divide(rows, func(q statement.Quote) bool { return q.Client == client })
}

// some returns the client's rows of the window, provided that it holds others too.
func (s *Suite) some(l look, w *window) []statement.Quote {
	l.unmetIf(!w.table.Has(statement.ClientID),
		"export.csv.columns.client_id", "no column of the file is known to hold the client")
	mine, others := split(w.rows, s.client.id)
	l.unmetIf(len(mine) == 0 || len(others) == 0,
		"fixtures.client_id", "the window has to hold rows of this client and of others")
	return mine
}

// twoOf returns the client's rows of the window, and the dates of two of them.
func (s *Suite) twoOf(l look, o download, key statement.Key) (w *window, mine []statement.Quote, from, until time.Time,
) {
	w = s.rowsOf(l, o, key)
	l.end(w.legible(key))
	mine = s.some(l, w)
	from, until, ok := edges(mine, key)
	l.unmetIf(!ok, "fixtures.client_id",
		"the rows of the client have fewer than two unambiguous dates of %s", key)
	return w, mine, from, until
}

// clientWithin compares an export of one client with its rows between the bounds. Rows next to a bound, and those of
// the client beyond it, are a matter of the bound.
func clientWithin(export string, got *sheet, mine []statement.Quote, id string, w *window) Rows {
	a := got.query.selection()
	found := Rows{
		Export: export, Should: "the client's rows within the bounds, and no other client's", Held: got.held(),
		Strange: "row of another client", Missing: got.lacks(pick(mine, w.asked(got).inside), w.key),
	}
	_, found.Extra = split(got.rows, id)
	found.Missing = pick(found.Missing, func(q statement.Quote) bool {
		at := q.Moment(w.key).Time
		return at.After(a.from) && (a.until.IsZero() || next(at, w.unit).Before(a.until))
	})
	return found
}

// partial declares the spec that a text which is only a part of the client's ID keeps none of its rows: the longest
// that is not another client's ID, where there is one.
func (s *Suite) partial(what string, texts []string, r control.Row) {
	spec.Helper()
	o := s.export("the window of "+what, func(l look) query {
		w := s.base(l)
		l.unmetIf(!w.table.Has(statement.ClientID),
			"export.csv.columns.client_id", "no column of the file is known to hold the client")
		if mine, _ := split(w.rows, s.client.id); len(mine) == 0 {
			l.unmet("fixtures.client_id", "the window holds no row of this client")
		}
		l.unmetIf(len(texts) == 0, "fixtures.client_id", "the client's ID is too short to try a part of it")
		free := slices.IndexFunc(texts, func(text string) bool {
			namesake, _ := split(w.rows, text)
			return len(namesake) == 0
		})
		// Where there is none, the rows of that client are right, and those of the longer ID are not.
		fields := clientFilter(s.whole(statement.CreatedAt), texts[max(free, 0)])
		if r == control.Second {
			fields = fields.With("sort", string(statement.SettledDate)).With("order", "asc")
		}
		return query{fields: fields, company: spelled(s.company(l, r))}
	})
	s.partsOfIDs = append(s.partsOfIDs, o)
	s.holds(what, []download{o, s.window}, func(l look) Rows {
		w := s.base(l)
		found := Rows{
			Export: "the export filtered by " + what, Should: "no row of that client",
			Strange: "row of the client with the whole ID",
		}
		got, there := l.anything(o)
		if !there {
			return found
		}
		found.Held = len(got.rows)
		found.Extra, _ = split(got.rows, s.client.id)
		if len(found.Extra) > 0 && statement.SameRows(got.rows, w.rows) {
			if whole, ok := l.rowsIfAny(s.client.window); ok && statement.SameRows(whole.rows, w.rows) {
				l.unclear("a client's whole ID filters nothing either; see %s", spec.Ref("export.filter.client_id"))
			}
		}
		return found
	})
}

// prefixesOf lists what the ID begins with, the longest first: by a character less, by two and so on.
func prefixesOf(id string) (parts []string) {
	runes := []rune(strings.TrimSpace(id))
	for n := len(runes) - 1; n > 0; n-- {
		parts = append(parts, string(runes[:n]))
	}
	return slices.DeleteFunc(parts, mute)
}

// suffixesOf lists what the ID ends with, the longest first: without its first letter or digit and what stands before
// it. Zeros at the beginning go as well: without them a number is still the same.
func suffixesOf(id string) (parts []string) {
	runes := []rune(strings.TrimSpace(id))
	first := slices.IndexFunc(runes, func(r rune) bool { return r != '0' && alphanumeric(r) })
	for n := first + 1; first >= 0 && n < len(runes); n++ {
		parts = append(parts, string(runes[n:]))
	}
	return slices.DeleteFunc(parts, mute)
}

// mute reports a text that says nothing, such as a dash alone, and one that is another text without its blanks.
func mute(part string) bool {
	return !strings.ContainsFunc(part, alphanumeric) || strings.TrimSpace(part) != part
}

func alphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
