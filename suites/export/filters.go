package export

import (
	"slices"
	"strings"
	"time"
	"unicode"

	. "github.com/onsi/ginkgo/v2"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// oneClient are exports of the window filtered by the client of the fixtures; several rules share them.
type oneClient struct {
	id      string
	window  download // by quote_created_at, newest first
	settled download // newest first
	bare    download // without sort and order
	until   download // until one of its rows, oldest first
}

// clientFilter adds the filter of a client.
func clientFilter(f target.Fields, id string) target.Fields {
	return f.With("filter_type", "client_id").With("filter_text", id)
}

func (s *Suite) declareClient() {
	id := s.t.Deployment.Fixtures.ClientID
	of := func(label string, sort statement.Key, left ...string) download {
		return s.follow(label, func() query { return query{fields: clientFilter(s.less(sort, left...), id)} })
	}
	s.client = oneClient{
		id:      strings.TrimSpace(id),
		window:  of("the window of one client", statement.CreatedAt),
		settled: of("the window of one client by settled_date", statement.SettledDate),
		bare:    of("the window of one client without sort and order", statement.CreatedAt, "sort", "order"),
		until: s.export("the rows of one client until one of them", func(l look) query {
			w, _, at := s.oneOf(l)
			return query{fields: clientFilter(bounded(w.key, w.start, at, w.unit), id).With("order", "asc")}
		}),
	}
}

// filters: the client filter, alone and beside other fields of the body.
func (s *Suite) filters() {
	client := &s.client
	s.Group(spec.Needs("fixtures.client_id"), func() {
		Describe("filter", func() {
			s.Rule("export.filter.client_id", Must, ExportOperation,
				"The client filter keeps every row of that client and no other.", func() {
					s.holds("the rows of one client", []download{client.window, s.window}, s.filtered)
					s.holds("the rows of one client by settled_date", []download{client.settled, s.settled},
						func(l look) Rows {
							w, got := s.rowsOf(l, s.settled, statement.SettledDate), l.rows(client.settled)
							return ofClient("the export by settled_date filtered by the client", got, s.some(l, w))
						})
					s.holds("the rows of one client until one of them", []download{client.until, s.window},
						func(l look) Rows {
							w, mine, at := s.oneOf(l)
							const export = "the export filtered by the client, until one of its rows"
							return clientWithin(export, l.rows(client.until), mine, client.id, w, span{until: at})
						})
				})

			s.Rule("export.filter.prefix", Should, ExportOperation,
				"A part of a client ID keeps no row of that client.", func() {
					s.partial("a part of an ID", prefixesOf(client.id))
					s.partial("the end of an ID", suffixesOf(client.id))
				})
		})
	})
}

func (s *Suite) filtered(l look) Rows {
	const export = "the export filtered by the client"
	const should = "every row of the client in the window, and no other client's"
	w := s.base(l)
	if l.sheet(s.client.window).refused {
		if alone, err := s.filterAlone.Get(l); err == nil && !alone.Success() {
			l.unclear("any export with a client filter is refused (%s); see export.success", target.Describe(alone.Exchange))
		}
	}
	got := l.accepted(s.client.window, export, should)
	if !w.table.Has(statement.ClientID) {
		if strange := statement.Difference(got.rows, w.rows); len(strange) > 0 {
			return Rows{Export: export, Should: "rows of the window only", Held: len(got.rows), Extra: strange}
		}
	}
	mine := s.some(l, w)
	_, foreign := split(got.rows, s.client.id)
	return Rows{
		Export: export, Should: should, Held: len(got.rows), Missing: statement.Difference(mine, got.rows), Extra: foreign,
		Strange: "row of another client",
	}
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

// oneOf returns the client's rows of the window, and the date of one of them that is certainly one instant.
func (s *Suite) oneOf(l look) (*window, []statement.Quote, time.Time) {
	w := s.dates(l)
	mine := s.some(l, w)
	certain := pick(mine, func(q statement.Quote) bool { return q.Moment(w.key).Usable() })
	l.unmetIf(len(certain) == 0, "fixtures.client_id", "no row of the client has a %s that is certainly one instant", w.key)
	return w, mine, certain[len(certain)/2].Moment(w.key).Time
}

func ofClient(export string, got *sheet, want []statement.Quote) Rows {
	return equal(export, "the client's rows within the bounds, and no other client's", got.rows, want)
}

// clientWithin compares an export of one client with its rows that lie in the span. One whose side of the bound is
// open may be there.
func clientWithin(export string, got *sheet, mine []statement.Quote, id string, w *window, sp span) Rows {
	found := ofClient(export, got, pick(mine, sp.inside(w.key, w.unit)))
	own, _ := split(found.Extra, id)
	outside := sp.outside(w.key, w.unit)
	open := pick(own, func(q statement.Quote) bool { return !outside(q) })
	found.Extra = statement.Difference(found.Extra, open)
	return found
}

// partial declares the spec that a text which is only a part of the client's ID keeps none of its rows: the longest
// that is not another client's ID, where there is one.
func (s *Suite) partial(what string, texts []string) {
	GinkgoHelper()
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
		return query{fields: clientFilter(s.whole(statement.CreatedAt), texts[max(free, 0)])}
	})
	s.holds(what, []download{o, s.window}, func(l look) Rows {
		w := s.base(l)
		found := Rows{
			Export: "the export filtered by " + what, Should: "no row of that client", Strange: "row of the client with the whole ID",
		}
		got, there := l.anything(o)
		if !there {
			return found
		}
		found.Held = len(got.rows)
		found.Extra, _ = split(got.rows, s.client.id)
		if len(found.Extra) > 0 && statement.SameRows(got.rows, w.rows) {
			if whole, ok := l.rowsIfAny(s.client.window); ok && statement.SameRows(whole.rows, w.rows) {
				l.unclear("a client's whole ID filters nothing either; see export.filter.client_id")
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
